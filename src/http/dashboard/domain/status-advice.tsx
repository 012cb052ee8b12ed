import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import type { LifecycleDates } from '../../../domain/registration/lifecycle';
import { inDays, longDate } from '../layout/dates';
import { usePage } from '../layout/page-context';

/** What each status that is not the usual one means, and what can be done. */
const ADVICE: Readonly<Partial<Record<DomainStatus, string>>> = {
  pending: 'The registry has not confirmed the registration yet. What you change now waits its turn.',
  expired: 'It has expired and works for the time being. Renew it now, or it is deleted.',
  redemption: 'It is deleted, and nobody else can register it yet. Only a restore brings it back.',
  pending_delete: 'It will be free for anybody within days. Nothing can stop that.',
  transferred_out: 'It is at another registrar now. What you see is how it was.',
};

export interface StatusAdviceProps {
  readonly domain: DomainState;
  readonly dates: LifecycleDates | undefined;
}

export function StatusAdvice({ domain: { id, status }, dates }: StatusAdviceProps) {
  const { today } = usePage();
  const advice = ADVICE[status];
  if (advice === undefined) return null;
  const until = deadline(status, dates);
  return (
    <div class="notice warning">
      <p>
        {advice}{' '}
        {until &&
          `${status === 'pending_delete' ? 'It is free on' : 'There is time until'} ${longDate(until)}, ${inDays(until, today)}.`}
      </p>
      {status === 'redemption' && (
        <a class="button" href={`/domains/${id}/restore`}>
          Restore
        </a>
      )}
      {status === 'expired' && (
        <a class="button" href={`/domains/${id}/renew`}>
          Renew
        </a>
      )}
    </div>
  );
}

function deadline(status: DomainStatus, dates: LifecycleDates | undefined): Date | null | undefined {
  if (status === 'expired') return dates?.renewableUntil;
  if (status === 'redemption') return dates?.redemptionEndsAt;
  return status === 'pending_delete' ? dates?.deletesAt : undefined;
}
