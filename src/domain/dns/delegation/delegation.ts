/** Whether all, some or none of a domain's nameservers are this service's. */
export type Delegation = 'ours' | 'partly' | 'elsewhere';

/** @param ours host names of this service's nameservers, in lower case like `nameservers` */
export function delegationOf(nameservers: readonly string[], ours: readonly string[]): Delegation {
  const among = nameservers.filter((host) => ours.includes(host)).length;
  if (among === 0) return 'elsewhere';
  return among === nameservers.length ? 'ours' : 'partly';
}

/** `none`: the parent does not delegate the name. `unknown`: it was not asked, does not answer, or its nameservers disagree. */
export const DELEGATION_STATES = ['ours', 'partly', 'elsewhere', 'none', 'unknown'] as const;
export type DelegationState = (typeof DELEGATION_STATES)[number];

/** What the parent of a zone said last. */
export interface ZoneDelegation {
  readonly domainId: string;
  readonly accountId: string;
  readonly state: DelegationState;
  /** If the state is unknown, those that it named before. */
  readonly nameservers: readonly string[];
  readonly askedAt: Date;
}

const FIRST_INTERVAL_MS = 60_000;
const MAX_INTERVAL_MS = 24 * 60 * 60_000;

/** When the parent is asked next: the older the zone, the later. */
export function nextDelegationCheck(createdAt: Date, now: Date): Date {
  const age = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(MAX_INTERVAL_MS, Math.max(FIRST_INTERVAL_MS, age / 4)));
}
