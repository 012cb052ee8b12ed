import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';

/** What each status that is not the usual one means, and what can be done. */
const ADVICE: Readonly<Partial<Record<DomainStatus, string>>> = {
  pending: 'The registry has not confirmed the registration yet. What you change now waits its turn.',
  expired: 'It has expired and works for the time being. Renew it now, or it is deleted.',
  redemption: 'It is deleted, and nobody else can register it yet. Only a restore brings it back.',
  pending_delete: 'It will be free for anybody within days. Nothing can stop that.',
  transferred_out: 'It is at another registrar now. What you see is how it was.',
};

export function StatusAdvice({ domain: { id, status } }: { readonly domain: DomainState }) {
  const advice = ADVICE[status];
  if (advice === undefined) return null;
  return (
    <div class="notice warning">
      <p>{advice}</p>
      {status === 'expired' && (
        <a class="button" href={`/domains/${id}/renew`}>
          Renew
        </a>
      )}
    </div>
  );
}
