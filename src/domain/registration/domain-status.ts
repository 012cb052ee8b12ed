import { DomainStatusConflict } from '../shared/domain-errors';

/** `gone`: deleted at the registry. The row is kept for the audit log, is not listed, and the name is available again. */
export const DOMAIN_STATUSES = [
  'pending',
  'active',
  'expired',
  'redemption',
  'pending_delete',
  'transferred_out',
  'gone',
] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** The statuses that callers can see. */
export const VISIBLE_STATUSES = DOMAIN_STATUSES.filter((status) => status !== 'gone');

/** The statuses in which the domain's zone is published. */
export const SERVED_STATUSES: readonly DomainStatus[] = ['active', 'expired'];

export function isServed(status: DomainStatus): boolean {
  return SERVED_STATUSES.includes(status);
}

export type DomainAction =
  | 'change nameservers'
  | 'change contacts'
  | 'change auto-renewal'
  | 'change the transfer lock'
  | 'issue an auth code'
  | 'approve or reject a transfer'
  | 'release to another registrar'
  | 'renew'
  | 'restore'
  | 'delete'
  | 'change DNS records';

const SETTINGS = [
  'change nameservers',
  'change contacts',
  'change auto-renewal',
  'change the transfer lock',
  'issue an auth code',
  'renew',
] as const;

const LEAVING = ['approve or reject a transfer', 'release to another registrar'] as const;

/** Allowed actions by status. `pending` allows changes because they are queued until the registration has finished. */
const ALLOWED: Record<DomainStatus, readonly DomainAction[]> = {
  pending: [...SETTINGS, 'change DNS records'],
  active: [...SETTINGS, 'delete', 'change DNS records', ...LEAVING],
  expired: [...SETTINGS, 'change DNS records', ...LEAVING],
  redemption: ['restore', 'change DNS records'],
  pending_delete: ['change DNS records'],
  transferred_out: [],
  gone: [],
};

/**
 * Allowed status transitions; any other is a bug. A registry can show `pendingDelete` before `redemptionPeriod`, and can take a
 * deletion back.
 */
const TRANSITIONS: Record<DomainStatus, readonly DomainStatus[]> = {
  pending: ['active', 'gone'],
  active: ['expired', 'redemption', 'transferred_out', 'gone'],
  expired: ['active', 'redemption', 'transferred_out'],
  redemption: ['active', 'pending_delete'],
  pending_delete: ['active', 'redemption', 'gone'],
  transferred_out: ['gone'],
  gone: [],
};

export function isAllowed(status: DomainStatus, action: DomainAction): boolean {
  return ALLOWED[status].includes(action);
}

export function statusesAllowing(action: DomainAction): readonly DomainStatus[] {
  return DOMAIN_STATUSES.filter((status) => isAllowed(status, action));
}

export function assertAllowed(status: DomainStatus, action: DomainAction): void {
  const refusal = refusalOf(status, action);
  if (refusal !== null) throw new DomainStatusConflict(refusal);
}

/** Why `action` is not allowed, and what is; null if it is allowed. */
export function refusalOf(status: DomainStatus, action: DomainAction): string | null {
  if (isAllowed(status, action)) return null;
  const possible = ALLOWED[status].length === 0 ? 'nothing' : ALLOWED[status].join(', ');
  return `It is not possible to ${action} in status ${status}. Allowed: ${possible}`;
}

/** @throws TypeError unless `to` can be reached from `from` in any number of transitions, or is the same status. */
export function assertPath(from: DomainStatus, to: DomainStatus): void {
  const reached = new Set<DomainStatus>([from]);
  for (const status of reached) for (const next of TRANSITIONS[status]) reached.add(next);
  if (!reached.has(to)) throw new TypeError(`a domain cannot go from ${from} to ${to}`);
}

/** @throws TypeError unless `to` is the same status or one transition from `from`. */
export function assertTransition(from: DomainStatus, to: DomainStatus): void {
  if (from !== to && !TRANSITIONS[from].includes(to))
    throw new TypeError(`a domain cannot go in one step from ${from} to ${to}`);
}
