import { DomainStatusConflict } from './errors';

/** `gone` is where a life ends: the row is kept for the record, nobody sees it, and the name is free again. */
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

/** The statuses that a caller can meet. */
export const VISIBLE_STATUSES = DOMAIN_STATUSES.filter((status) => status !== 'gone');

/** While the registration is good, the domain's zone is served to the world. */
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

/** What each status allows. What arrives while a registration is in flight waits its turn, so `pending` allows it. */
const ALLOWED: Record<DomainStatus, readonly DomainAction[]> = {
  pending: [...SETTINGS, 'change DNS records'],
  active: [...SETTINGS, 'delete', 'change DNS records'],
  expired: [...SETTINGS, 'change DNS records'],
  redemption: ['restore', 'change DNS records'],
  pending_delete: ['change DNS records'],
  transferred_out: [],
  gone: [],
};

/** The moves that a life can take; any other is a bug. */
const MOVES: Record<DomainStatus, readonly DomainStatus[]> = {
  pending: ['active', 'gone'],
  active: ['expired', 'redemption', 'transferred_out', 'gone'],
  expired: ['active', 'redemption', 'transferred_out'],
  redemption: ['active', 'pending_delete'],
  pending_delete: ['gone'],
  transferred_out: ['gone'],
  gone: [],
};

export function isAllowed(status: DomainStatus, action: DomainAction): boolean {
  return ALLOWED[status].includes(action);
}

export function assertAllowed(status: DomainStatus, action: DomainAction): void {
  if (isAllowed(status, action)) return;
  const possible = ALLOWED[status].length === 0 ? 'nothing' : ALLOWED[status].join(', ');
  throw new DomainStatusConflict(`A domain of status ${status} does not allow to ${action}; possible: ${possible}`);
}

/** Whether a life can have got from one status to another, by however many moves. A status that is kept is no move. */
export function assertPath(from: DomainStatus, to: DomainStatus): void {
  const reached = new Set<DomainStatus>([from]);
  for (const status of reached) for (const next of MOVES[status]) reached.add(next);
  if (!reached.has(to)) throw new TypeError(`a domain cannot get from ${from} to ${to}`);
}

export function assertMove(from: DomainStatus, to: DomainStatus): void {
  if (from !== to && !MOVES[from].includes(to)) throw new TypeError(`a domain cannot move from ${from} to ${to}`);
}
