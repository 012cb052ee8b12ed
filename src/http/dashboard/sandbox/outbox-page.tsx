import type { OutgoingMail } from '../../../application/ports/notices/mails-and-notices';
import type { Mail, MailStatus } from '../../../domain/access/notices/mail';
import { buildUrl } from '../build-url';
import { Badge, Card, Cell, DateTime, Empty, PageHeading, Row, Table, type Tone } from '../layout/components';

const STATES: Readonly<Record<MailStatus, readonly [label: string, tone: Tone]>> = {
  waiting: ['waiting', 'plain'],
  sending: ['being sent', 'plain'],
  sent: ['sent', 'good'],
  refused: ['refused', 'bad'],
  failed: ['not sent', 'bad'],
  unknown: ['unknown', 'bad'],
};

interface OutboxPageProps {
  readonly mails: readonly { readonly mail: Mail; readonly subject: string }[];
  /** The id before which there are more. */
  readonly more: string | undefined;
  readonly isFirst: boolean;
}

export function OutboxPage({ mails, more, isFirst }: OutboxPageProps) {
  return (
    <>
      <PageHeading
        title="Outbox"
        lead="Mails to the people of this account. They stay here while no mail server is set up."
      />
      <Card title="Mails" class="flush">
        {mails.length === 0 ? (
          <Empty title="No mails">
            <p>Advance the clock to a month before an expiry, or invite someone.</p>
          </Empty>
        ) : (
          <Table caption="Mails, newest first" columns={['Subject', 'To', 'When', 'State']}>
            {mails.map(({ mail, subject }) => (
              <Row key={mail.id}>
                <Cell class="main-cell">
                  <a href={`/sandbox/outbox/${mail.id}`}>{subject}</a>
                </Cell>
                <Cell label="To">{mail.address}</Cell>
                <Cell label="When">
                  <DateTime at={mail.at} />
                </Cell>
                <Cell label="State">
                  <State mail={mail} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
        {(more !== undefined || !isFirst) && (
          <div class="table-foot">
            {!isFirst && <a href="/sandbox/outbox">Newest</a>}{' '}
            {more !== undefined && <a href={buildUrl('/sandbox/outbox', { before: more })}>Older</a>}
          </div>
        )}
      </Card>
    </>
  );
}

export function OutboxMailPage({ mail, written }: { readonly mail: Mail; readonly written: OutgoingMail }) {
  return (
    <>
      <PageHeading title={written.subject} lead={`To ${mail.address}`} />
      <Card title="Text">
        <p>
          <State mail={mail} /> {mail.response}
        </p>
        <pre class="mail-text">{written.text}</pre>
        <p class="actions">
          {linksOf(written.text).map((url) => (
            <a key={url} class="button" href={url}>
              {labelOf(url)}
            </a>
          ))}
          <a class="button" href={`/sandbox/outbox/${mail.id}/html`}>
            Show as HTML
          </a>
          <a class="button" href="/sandbox/outbox">
            Back to the outbox
          </a>
        </p>
      </Card>
    </>
  );
}

function State({ mail: { status } }: { readonly mail: Mail }) {
  const [label, tone] = STATES[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** On this service, wherever the browser reaches it. */
function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/^https?:\/\/[^/\s]+(\/\S+)$/gm)].map(([, path = '/']) => path);
}

function labelOf(path: string): string {
  return path.startsWith('/set-up') ? 'Open the set-up link' : 'Open the link of the mail';
}
