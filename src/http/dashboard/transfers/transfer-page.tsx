import type { TransferState } from '../../../domain/registration/transfers/transfer-state';
import { formatDate, formatDateTime } from '../../../domain/shared/time/date-text';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import { Badge, Card, Confirm, DateTime, PageHeading } from '../layout/components';
import { followProgress, RefreshLink } from '../layout/live-progress';
import { MayDo } from '../layout/may-do';
import { formatPrice } from '../layout/money';
import { TRANSFER_LABELS } from './transfer-labels';
import { useTimeZone } from '../layout/page-context';

interface TransferPageProps {
  readonly transfer: TransferState;
  readonly cancellable: boolean;
}

export function TransferPage({ transfer, cancellable }: TransferPageProps) {
  const { id, name, status, finishedAt, domainId } = transfer;
  const { label, tone, lead } = TRANSFER_LABELS[status];
  const path = `/transfers/${id}`;
  const following = finishedAt ? {} : followProgress({ kind: 'transfer', id, path, element: 'transfer' });
  return (
    <div id="transfer" {...following}>
      <div role="status">
        <PageHeading
          title={
            <>
              Transfer of {displayName(name)} <Badge tone={tone}>{label}</Badge>
            </>
          }
          lead={lead}
        />
      </div>
      <Progress transfer={transfer} />
      {!finishedAt && <RefreshLink path={path} />}
      <Card title="Order">
        <Details transfer={transfer} />
      </Card>
      <div class="actions mt-5">
        {domainId !== null && (
          <a class="button primary" href={`/domains/${domainId}`}>
            View domain
          </a>
        )}
        {(status === 'rejected' || status === 'expired') && (
          <MayDo action="transfer">
            <a class="button primary" href={buildUrl('/transfers/new', { name })}>
              Try again
            </a>
          </MayDo>
        )}
        <a class="button" href="/transfers">
          All transfers
        </a>
        {cancellable && (
          <MayDo action="transfer">
            <Confirm
              label="Cancel the transfer"
              action={`/transfers/${id}/cancel`}
              button="Cancel the transfer"
              question={`${displayName(name)} stays at its present registrar.`}
            />
          </MayDo>
        )}
      </div>
    </div>
  );
}

/** What an unfinished transfer waits for, and why a refused one failed. */
function Progress({
  transfer: { status, error, uncertainSince, cancelRequestedAt },
}: {
  readonly transfer: TransferState;
}) {
  const timeZone = useTimeZone();
  const texts = [
    uncertainSince !== null && status === 'queued'
      ? 'The registry did not respond. We check what became of the request before we repeat it, so nothing is paid twice.'
      : error?.message,
    cancelRequestedAt !== null &&
      (status === 'queued' || status === 'pending') &&
      `You asked to cancel it on ${formatDateTime(cancelRequestedAt, timeZone)}.`,
  ].filter((text): text is string => typeof text === 'string');
  if (texts.length === 0) return null;
  return (
    <div class="alert warning">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function addedText(years: number | null): string {
  if (years === null)
    return 'The registry did not show the expiry before the transfer. The domain has the present one.';
  return years === 0
    ? 'No year: the registration was near the ten-year limit, or the TLD adds none'
    : countedYears(years);
}

function countedYears(years: number): string {
  return `${years} ${years === 1 ? 'year' : 'years'}`;
}

function Details({ transfer }: { readonly transfer: TransferState }) {
  const { name, years, addedYears, price, charged, autoRenew, createdAt, endsAt, finishedAt, status } = transfer;
  const isDone = status === 'completed';
  return (
    <dl class="details">
      <dt>Domain</dt>
      <dd>{name}</dd>
      <dt>{isDone ? 'Added' : 'Adds'}</dt>
      <dd>{isDone ? addedText(addedYears) : countedYears(years)}</dd>
      <dt>{charged ? 'Charged' : 'Price'}</dt>
      <dd>{formatPrice(charged ?? price)}</dd>
      <dt>Auto-renewal</dt>
      <dd>{autoRenew ? 'on' : 'off'}</dd>
      <dt>Ordered</dt>
      <dd>
        <DateTime at={createdAt} />
      </dd>
      {status === 'pending' && endsAt && (
        <>
          <dt>Completes</dt>
          <dd>on {formatDate(endsAt)} unless the present registrar decides earlier</dd>
        </>
      )}
      {finishedAt && (
        <>
          <dt>Ended</dt>
          <dd>
            <DateTime at={finishedAt} />
          </dd>
        </>
      )}
    </dl>
  );
}
