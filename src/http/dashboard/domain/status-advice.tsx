import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import type { LifecycleDates } from '../../../domain/registration/lifecycle/lifecycle';
import { formatDate } from '../../../domain/shared/time/date-text';
import { formatRelativeDay } from '../layout/dates';
import { MayDo } from '../layout/may-do';
import { usePage } from '../layout/page-context';

/** What a status means and what to do. Only for statuses that need an explanation. */
const ADVICE: Readonly<Partial<Record<DomainStatus, string>>> = {
  pending: 'The registry has not confirmed the registration yet. Your changes are sent after that.',
  expired: 'The domain has expired but still works. Renew it now to keep it.',
  redemption: 'The domain was deleted but is still reserved for you. Restore it to keep it.',
  pending_delete: 'The domain is being deleted and can no longer be restored. Anyone can register it afterwards.',
  transferred_out: 'The domain was transferred to another registrar. This page shows its data at that time.',
};

interface StatusAdviceProps {
  readonly domain: DomainState;
  readonly dates: LifecycleDates | undefined;
  /** Whether the registrar renews domains when it is asked to. */
  readonly renewable: boolean;
  /** Whether the registrar restores domains. */
  readonly restorable: boolean;
}

export function StatusAdvice({ domain: { id, status }, dates, renewable, restorable }: StatusAdviceProps) {
  const { today } = usePage();
  const advice = ADVICE[status];
  if (dates?.deletionDueAt)
    return (
      <div class="alert warning">
        <p>
          Auto-renewal is off, and the registry would renew the domain by itself. So this service deletes the domain on{' '}
          {formatDate(dates.deletionDueAt)}, {formatRelativeDay(dates.deletionDueAt, today)}. To keep it, switch
          auto-renewal on before then.
        </p>
      </div>
    );
  if (advice === undefined) return null;
  const until = getDeadline(status, dates);
  return (
    <div class="alert warning">
      <p>
        {advice}{' '}
        {until &&
          `${status === 'pending_delete' ? 'It becomes available on' : 'Deadline:'} ${formatDate(until)}, ${formatRelativeDay(until, today)}.`}
      </p>
      {status === 'redemption' && !restorable && <p>The registrar does not offer this here. Contact the registrar.</p>}
      <MayDo action="renew">
        {status === 'redemption' && restorable && (
          <a class="button" href={`/domains/${id}/restore`}>
            Restore
          </a>
        )}
        {status === 'expired' && renewable && (
          <a class="button" href={`/domains/${id}/renew`}>
            Renew
          </a>
        )}
      </MayDo>
    </div>
  );
}

function getDeadline(status: DomainStatus, dates: LifecycleDates | undefined): Date | null | undefined {
  if (status === 'expired') return dates?.renewableUntil;
  if (status === 'redemption') return dates?.redemptionEndsAt;
  return status === 'pending_delete' ? dates?.deletesAt : undefined;
}
