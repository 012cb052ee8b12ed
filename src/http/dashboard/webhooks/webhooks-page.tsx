import { hostOf, MAX_WEBHOOKS, type Webhook } from '../../../domain/access/webhooks/webhook';
import { Badge, Cell, Empty, PageHeading, Row, Table, Time } from '../layout/components';
import { formatTimeAgo } from '../layout/dates';
import { usePage } from '../layout/page-context';

export function WebhooksPage({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <>
      <PageHeading
        title="Webhooks"
        lead={`Programs of yours get the events of the account as they happen. An account can have ${MAX_WEBHOOKS} webhooks.`}
      >
        <a class="button" href="/docs">
          API reference
        </a>
        <a class="button primary" href="/webhooks/new">
          Create webhook
        </a>
      </PageHeading>
      <section class="card flush">
        {webhooks.length === 0 ? (
          <Empty title="No webhooks">
            <p>Create one to react to registrations, renewals, transfers and DNS changes without polling.</p>
          </Empty>
        ) : (
          <Table caption="Webhooks" columns={['Receiver', 'Events', 'Status']}>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </Table>
        )}
      </section>
    </>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  return (
    <Row>
      <Cell class="main-cell">
        <a href={`/webhooks/${webhook.id}`}>
          <strong>{hostOf(webhook)}</strong>
        </a>
        {webhook.description !== '' && <span class="small">{webhook.description}</span>}
      </Cell>
      <Cell label="Events">{describeEvents(webhook)}</Cell>
      <Cell label="Status" class="wide">
        <WebhookState webhook={webhook} />
      </Cell>
    </Row>
  );
}

export function WebhookState({ webhook: { status, reason, failingSince } }: { readonly webhook: Webhook }) {
  const { now } = usePage();
  if (status === 'paused') return <Badge tone="plain">paused</Badge>;
  if (status === 'switched_off')
    return (
      <>
        <Badge tone="bad">switched off</Badge>
        <small class="block">{reason === 'gone' ? 'the receiver answered 410' : 'it failed for 5 days'}</small>
      </>
    );
  if (!failingSince) return <Badge tone="good">active</Badge>;
  return (
    <>
      <Badge tone="warning">failing</Badge>
      <small class="block">
        since <Time at={failingSince}>{formatTimeAgo(failingSince, now)}</Time>
      </small>
    </>
  );
}

/** Which events it gets, in words. */
export function describeEvents({ types, domains, tags }: Webhook): string {
  const parts = [
    types ? types.join(', ') : 'all events',
    ...(domains ? [`of ${domains.length === 1 ? (domains[0] ?? '') : `${domains.length} names`}`] : []),
    ...(tags ? [`of domains tagged ${tags.join(' or ')}`] : []),
  ];
  return parts.join(' ');
}
