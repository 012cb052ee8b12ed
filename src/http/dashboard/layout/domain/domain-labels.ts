import type { DomainState } from '../../../../domain/registration/domain';
import type { DomainStatus } from '../../../../domain/registration/domain-status';
import { toUnicodeName } from '../../../../domain/shared/idna';
import { formatDate } from '../../../../domain/shared/time/date-text';
import { formatRelativeDay } from '../dates';
import type { Tone } from '../components';

/** Label and badge color of each status. */
export const STATUS_LABELS: Readonly<Record<DomainStatus, { readonly label: string; readonly tone: Tone }>> = {
  unverified: { label: 'DNS only, not verified', tone: 'plain' },
  hosted: { label: 'DNS only', tone: 'plain' },
  pending: { label: 'registering', tone: 'plain' },
  active: { label: 'active', tone: 'good' },
  expired: { label: 'expired', tone: 'bad' },
  redemption: { label: 'in redemption', tone: 'bad' },
  pending_delete: { label: 'pending delete', tone: 'bad' },
  transferred_out: { label: 'transferred out', tone: 'plain' },
  gone: { label: 'deleted', tone: 'plain' },
};

/** The name in Unicode. Show the ASCII form beside it once per page, because two Unicode names can look alike. */
export function displayName(name: string): string {
  return toUnicodeName(name) ?? name;
}

/** “paid until 3 March 2027, in 104 days” */
export function describeExpiry(
  { status, autoRenew, expiresAt }: Pick<DomainState, 'status' | 'autoRenew' | 'expiresAt'>,
  today: Date,
): string {
  if (status === 'unverified') return 'not registered here, and not served until it is verified';
  if (status === 'hosted') return 'not registered here: only DNS';
  const when = `${formatDate(expiresAt)}, ${formatRelativeDay(expiresAt, today)}`;
  if (status === 'active' || status === 'pending') return autoRenew ? `paid until ${when}` : `expires on ${when}`;
  if (status === 'transferred_out') return 'transferred to another registrar';
  if (expiresAt > today) return `deleted, was paid until ${formatDate(expiresAt)}`;
  return `expired on ${when}`;
}

/** Whether the domain is renewed, with auto-renewal as it is. */
export function describeRenewal({
  status,
  autoRenew,
  registrarRenews,
}: Pick<DomainState, 'status' | 'autoRenew' | 'registrarRenews'>): string {
  const hasExpired = status === 'expired';
  if (!autoRenew && hasExpired) return 'The domain has expired and is deleted unless it is renewed.';
  if (!autoRenew && registrarRenews) return 'This service deletes the domain before the registry would renew it.';
  if (!autoRenew) return 'The domain ends at its expiry unless it is renewed or auto-renewal is switched on.';
  if (registrarRenews) return 'The registrar renews the domain by itself, so this service does not.';
  return hasExpired
    ? 'This service tries to renew the domain until it is deleted.'
    : 'The domain is renewed before it expires.';
}
