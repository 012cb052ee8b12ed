import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { toUnicodeName } from '../../../domain/shared/idna';
import { inDays, longDate } from '../layout/dates';
import type { Tone } from '../layout/parts';

/** Each status in words, and how much it asks for attention. */
export const STATUS_WORDS: Readonly<Record<DomainStatus, { readonly label: string; readonly tone: Tone }>> = {
  pending: { label: 'being registered', tone: 'plain' },
  active: { label: 'active', tone: 'good' },
  expired: { label: 'expired', tone: 'bad' },
  redemption: { label: 'in redemption', tone: 'bad' },
  pending_delete: { label: 'being deleted', tone: 'bad' },
  transferred_out: { label: 'transferred away', tone: 'plain' },
  gone: { label: 'gone', tone: 'plain' },
};

/** A name as people write it: in Unicode if it is internationalized. Show the ASCII form beside it once per page, as two Unicode names can look alike. */
export function displayName(name: string): string {
  return toUnicodeName(name) ?? name;
}

/** “renews on 3 March 2027, in 104 days” */
export function expiryInWords(
  { status, autoRenew, expiresAt }: Pick<DomainState, 'status' | 'autoRenew' | 'expiresAt'>,
  today: Date,
): string {
  const when = `${longDate(expiresAt)}, ${inDays(expiresAt, today)}`;
  if (status === 'active' || status === 'pending') return `${autoRenew ? 'renews' : 'expires'} on ${when}`;
  if (status === 'transferred_out') return 'is at another registrar';
  return `expired on ${when}`;
}
