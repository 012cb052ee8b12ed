import { DomainStatusConflict } from '../shared/domain-errors';

/**
 * `unverified` and `hosted`: a name without a registration here, whose zone is. `gone`: deleted; the row is kept for the audit log, is
 * not listed, and the name is available again.
 */
export const DOMAIN_STATUSES = [
  'unverified',
  'hosted',
  'pending',
  'active',
  'expired',
  'redemption',
  'pending_delete',
  'transferred_out',
  'gone',
] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** The statuses of names that have a zone here and no registration. */
export const HOSTED_STATUSES = ['unverified', 'hosted'] as const satisfies readonly DomainStatus[];
export type HostedStatus = (typeof HOSTED_STATUSES)[number];

/** The statuses of domains that callers can see. */
export const VISIBLE_STATUSES = DOMAIN_STATUSES.filter((status) => status !== 'gone' && !isHosted(status));

/** The statuses of names that have a zone here. */
export const ZONE_STATUSES: readonly DomainStatus[] = DOMAIN_STATUSES.filter(
  (status) => status !== 'gone' && status !== 'transferred_out',
);

/** The statuses in which the domain's zone is published. */
export const SERVED_STATUSES: readonly DomainStatus[] = ['hosted', 'active', 'expired'];

const CONFIRMED: readonly DomainStatus[] = ['active', 'expired', 'redemption', 'pending_delete'];

/** Whether the name has a zone here and no registration. */
export function isHosted(status: DomainStatus): status is HostedStatus {
  return (HOSTED_STATUSES as readonly DomainStatus[]).includes(status);
}

/** The statuses of names that have no registration here, or no longer. */
export const UNREGISTERED_STATUSES: readonly DomainStatus[] = [...HOSTED_STATUSES, 'transferred_out', 'gone'];

/** Whether the name has no registration here, or no longer. */
export function isUnregistered(status: DomainStatus): boolean {
  return UNREGISTERED_STATUSES.includes(status);
}

/** Whether the registry has confirmed that the name is the account's. */
export function isConfirmed(status: DomainStatus): boolean {
  return CONFIRMED.includes(status);
}

/** Whether the account no longer has what it had: its registration ended, though its zone may stay, or another account has the name. */
export function leavesAccount(before: Held, after: Held): boolean {
  return before.accountId !== after.accountId || (isConfirmed(before.status) && isUnregistered(after.status));
}

interface Held {
  readonly accountId: string;
  readonly status: DomainStatus;
}

/** Whether a zone is published in this status, whatever it was before. */
export function isServed(status: DomainStatus): boolean {
  return SERVED_STATUSES.includes(status);
}

/** Whether the zone is published. One that is kept is in every status, so that its registration does not interrupt it. */
export function isZoneServed({ status, keptZone }: ZoneFacts): boolean {
  return isServed(status) || keptZone?.status === 'hosted';
}

interface ZoneFacts {
  readonly status: DomainStatus;
  readonly keptZone: { readonly status: HostedStatus } | null;
}

export type DomainAction =
  | 'change nameservers'
  | 'change contacts'
  | 'change auto-renewal'
  | 'change the transfer lock'
  | 'issue an auth code'
  | 'approve or reject a transfer'
  | 'release to another registrar'
  | 'keep the zone'
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

const LEAVING = ['approve or reject a transfer', 'release to another registrar', 'keep the zone'] as const;

/** Allowed actions by status. `pending` allows changes because they are queued until the registration has finished. */
const ALLOWED: Record<DomainStatus, readonly DomainAction[]> = {
  unverified: ['change DNS records'],
  hosted: ['change DNS records'],
  pending: [...SETTINGS, 'change DNS records'],
  active: [...SETTINGS, 'delete', 'change DNS records', ...LEAVING],
  expired: [...SETTINGS, 'change DNS records', ...LEAVING],
  redemption: ['restore', 'change DNS records', 'keep the zone'],
  pending_delete: ['change DNS records', 'keep the zone'],
  transferred_out: [],
  gone: [],
};

/**
 * Allowed status transitions; any other is a bug. A registry can show `pendingDelete` before `redemptionPeriod`, and can take a
 * deletion back. A hosted name becomes `unverified` if another account proves to own it, and a domain if the account registers it;
 * a domain whose zone is kept becomes hosted where another ends.
 */
const TRANSITIONS: Record<DomainStatus, readonly DomainStatus[]> = {
  unverified: ['hosted', 'pending', 'active', 'gone'],
  hosted: ['unverified', 'pending', 'active', 'gone'],
  pending: ['active', 'gone', 'unverified', 'hosted'],
  active: ['expired', 'redemption', 'transferred_out', 'gone', 'hosted'],
  expired: ['active', 'redemption', 'transferred_out', 'hosted'],
  redemption: ['active', 'pending_delete'],
  pending_delete: ['active', 'redemption', 'gone', 'hosted'],
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
  // What was a hosted name in between has another registration.
  for (const status of reached)
    if (status === from || !isHosted(status)) for (const next of TRANSITIONS[status]) reached.add(next);
  if (!reached.has(to)) throw new TypeError(`a domain cannot go from ${from} to ${to}`);
}

/** @throws TypeError unless `to` is the same status or one transition from `from`. */
export function assertTransition(from: DomainStatus, to: DomainStatus): void {
  if (from !== to && !TRANSITIONS[from].includes(to))
    throw new TypeError(`a domain cannot go in one step from ${from} to ${to}`);
}
