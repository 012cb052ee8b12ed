import type { Delivery } from '../../../domain/access/webhooks/delivery';
import { hostOf, type Webhook } from '../../../domain/access/webhooks/webhook';
import {
  Badge,
  Card,
  Cell,
  Confirm,
  DateTime,
  Empty,
  PageHeading,
  Row,
  Table,
  Time,
  type Tone,
} from '../layout/components';
import { formatTimeAgo } from '../layout/dates';
import { PostForm } from '../layout/forms/forms';
import { Pager } from '../layout/pager';
import { usePage } from '../layout/page-context';
import type { ListPage } from '../list-page';
import { describeEvents, WebhookState } from './webhooks-page';

interface WebhookPageProps {
  readonly webhook: Webhook;
  /** Newest first. */
  readonly page: ListPage<Delivery>;
}

export function WebhookPage({ webhook, page }: WebhookPageProps) {
  const path = `/webhooks/${webhook.id}`;
  const isActive = webhook.status === 'active';
  return (
    <>
      <PageHeading title={`Webhook to ${hostOf(webhook)}`} lead={webhook.description || undefined}>
        {isActive && (
          <PostForm action={`${path}/test`} class="inline-form">
            <button class="primary" type="submit">
              Send test event
            </button>
          </PostForm>
        )}
        <PostForm action={`${path}/${isActive ? 'pause' : 'resume'}`} class="inline-form">
          <button class={isActive ? undefined : 'primary'} type="submit">
            {isActive ? 'Pause' : 'Resume'}
          </button>
        </PostForm>
        <a class="button" href={`${path}/settings`}>
          Settings
        </a>
      </PageHeading>
      <WebhookFacts webhook={webhook} />
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title="No deliveries yet">
            <p>Events that happen from now on are listed here.</p>
          </Empty>
        ) : (
          <Table
            caption="Deliveries"
            columns={['Event', 'Status', 'Last attempt', 'Answer', <span class="visually-hidden">Actions</span>]}
          >
            {page.items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} path={path} isActive={isActive} />
            ))}
          </Table>
        )}
        <Pager page={page} />
      </section>
      <div class="actions mt-4">
        <Confirm
          label="Rotate the secret"
          action={`${path}/rotate`}
          question="You get a new secret. For 24 hours, requests are signed with the former one as well."
          button="Rotate the secret"
          danger={false}
        />
        <Confirm
          label="Delete webhook"
          action={`${path}/delete`}
          question="Events that were not delivered yet are not sent. This cannot be undone."
          button="Delete this webhook"
        />
      </div>
    </>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { now } = usePage();
  const { url, heldUntil, formerSecret } = webhook;
  return (
    <Card title="Receiver">
      <dl class="details">
        <dt>URL</dt>
        <dd>
          <code>{url}</code>
        </dd>
        <dt>Events</dt>
        <dd>{describeEvents(webhook)}</dd>
        <dt>Status</dt>
        <dd>
          <WebhookState webhook={webhook} />
          {heldUntil && heldUntil > now && (
            <small class="block">
              the receiver asked for a pause until <DateTime at={heldUntil} />
            </small>
          )}
        </dd>
        {formerSecret && formerSecret.until > now && (
          <>
            <dt>Former secret</dt>
            <dd>
              signs until <DateTime at={formerSecret.until} />
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}

const TONES: Readonly<Record<Delivery['status'], Tone>> = { pending: 'warning', succeeded: 'good', failed: 'bad' };

function DeliveryRow({
  delivery,
  path,
  isActive,
}: {
  readonly delivery: Delivery;
  readonly path: string;
  readonly isActive: boolean;
}) {
  const { now } = usePage();
  const { id, eventId, type, domainName, status, attempts, attemptedAt, dueAt, result } = delivery;
  return (
    <Row>
      <Cell class="main-cell">
        <strong>{type}</strong>
        {domainName !== null && <span class="small">{domainName}</span>}
        <code class="small event-id">{eventId}</code>
      </Cell>
      <Cell label="Status">
        <Badge tone={TONES[status]}>{status}</Badge>
        {status === 'pending' && dueAt && attemptedAt && (
          <small class="block">
            next <DateTime at={dueAt} />
          </small>
        )}
      </Cell>
      <Cell label="Last attempt">
        {attemptedAt ? <Time at={attemptedAt}>{formatTimeAgo(attemptedAt, now)}</Time> : 'none yet'}
        {attempts > 1 && <small class="block">{attempts} attempts</small>}
      </Cell>
      <Cell label="Answer" class="wide">
        <Answer result={result} />
      </Cell>
      <Cell class="row-actions">
        {isActive && (
          <PostForm action={`${path}/deliveries/${id}/resend`}>
            <button class="quiet" type="submit">
              Send again<span class="visually-hidden"> {eventId}</span>
            </button>
          </PostForm>
        )}
      </Cell>
    </Row>
  );
}

function Answer({ result }: Pick<Delivery, 'result'>) {
  if (!result) return <>–</>;
  if ('error' in result) return <>{result.error}</>;
  const what = `${result.status}, ${result.ms} ms`;
  if (result.body === '') return <>{what}</>;
  return (
    <details>
      <summary>{what}</summary>
      <pre class="answer-body">{result.body}</pre>
    </details>
  );
}
