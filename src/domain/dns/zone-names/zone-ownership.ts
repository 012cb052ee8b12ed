import { zoneIdOf } from '../zone-id';

const LABEL = '_namewright';
const MINUTE_MS = 60_000;
const MAX_INTERVAL_MS = 6 * 60 * MINUTE_MS;
const PERIOD_MS = 7 * 24 * 60 * MINUTE_MS;

/** Which accounts have to prove that a name is theirs before its zone is served: those that are not trusted, all, or none. */
export const ZONE_VERIFICATIONS = ['untrusted', 'all', 'none'] as const;

/** The record that proves that a name is an account's: only its owner can publish it. */
export interface OwnershipChallenge {
  /** Full, without trailing dot. */
  readonly name: string;
  readonly type: 'TXT';
  readonly value: string;
}

/** The id of the zone is random and is the account's, so the record of another account proves nothing. */
export function challengeOf(zoneName: string, domainId: string): OwnershipChallenge {
  return { name: `${LABEL}.${zoneName}`, type: 'TXT', value: `zone=${zoneIdOf(domainId)}` };
}

/** Until when the challenge of a zone is looked up in the background. */
export function verificationEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + PERIOD_MS);
}

/** When it is looked up next: the older the zone, the later; null after the end. */
export function nextVerification(createdAt: Date, now: Date): Date | null {
  const age = Math.max(0, now.getTime() - createdAt.getTime());
  const interval = Math.min(MAX_INTERVAL_MS, Math.max(MINUTE_MS, age / 4));
  const end = verificationEnd(createdAt);
  if (now >= end) return null;
  return new Date(Math.min(now.getTime() + interval, end.getTime()));
}

/** Verified zones and domains that a new zone would be among. */
export interface NameNeighbors {
  /** The closest one above, of any account. */
  readonly above: { readonly id: string; readonly accountId: string; readonly name: string } | undefined;
  /** Whether another account has one of the same name, or below it. */
  readonly hasOthers: boolean;
  /** Whether the account hosts zones below it. */
  readonly hasOwnBelow: boolean;
}

/** Whether a zone is served only once its challenge was seen. Who has the zone above has the names in it. */
export function needsChallenge(
  { above, hasOthers }: Pick<NameNeighbors, 'above' | 'hasOthers'>,
  accountId: string,
  isTrusted: boolean,
): boolean {
  if (hasOthers) return true;
  return above ? above.accountId !== accountId : !isTrusted;
}
