import { addDays } from '../shared/calendar';
import type { DomainState, RegistryFacts } from './domain';
import type { LifecyclePeriods } from './tld-policy';

/** When a life goes on by itself, for whoever asks; null where that does not apply. */
export interface LifecycleDates {
  /** After expiry, renewal is possible until then. */
  readonly renewableUntil: Date | null;
  readonly redemptionEndsAt: Date | null;
  /** When the name is free again, if nobody does anything. */
  readonly deletesAt: Date | null;
  readonly transferLockedUntil: Date | null;
}

/** How the operator wants renewals to be tried. */
export interface RenewalSchedule {
  /** Days before expiry of the first attempt. */
  readonly leadDays: number;
  /** Days from one attempt to the next. */
  readonly retryDays: number;
}

/** What is due on a domain by itself. */
export type DueStep = 'renew' | 'let go' | 'withdraw auth code';

export function lifecycleDates(
  { status, expiresAt, phaseEndsAt }: DomainState,
  periods: LifecyclePeriods,
): LifecycleDates {
  const dates = { renewableUntil: null, redemptionEndsAt: null, deletesAt: null, transferLockedUntil: null };
  if (status === 'active' || status === 'expired') return { ...dates, renewableUntil: graceEnd(expiresAt, periods) };
  if (status === 'redemption')
    return {
      ...dates,
      redemptionEndsAt: phaseEndsAt,
      deletesAt: phaseEndsAt && addDays(phaseEndsAt, periods.pendingDelete),
    };
  return status === 'pending_delete' ? { ...dates, deletesAt: phaseEndsAt } : dates;
}

/**
 * What the service has to do about a domain now, in the order in which it does it. A name that should have been renewed
 * is not let go before that was tried, however long nobody looked.
 */
export function stepsDue(
  state: DomainState,
  periods: LifecyclePeriods,
  schedule: RenewalSchedule,
  now: Date,
): readonly DueStep[] {
  const { status, expiresAt, autoRenew, authCodeUntil } = state;
  if (status !== 'active' && status !== 'expired') return [];
  const isDue = (at: Date | null): boolean => at !== null && at <= now;
  const isLost =
    status === 'expired' && isDue(graceEnd(expiresAt, periods)) && (!autoRenew || wasTried(state, schedule));
  if (isLost) return ['let go'];
  return [
    ...(isDue(renewalDueAt(state, schedule)) ? ['renew' as const] : []),
    ...(isDue(authCodeUntil) ? ['withdraw auth code' as const] : []),
  ];
}

/** A registry that has yet to decide about a registration or a transfer is asked as often as that, should its message never come. */
const PENDING_LOOK_DAYS = 1 / 24;

/** When the domain has to be looked at next; null where only the registry's messages and the account's wishes move it. */
export function nextDueAt(state: DomainState, periods: LifecyclePeriods, schedule: RenewalSchedule): Date | null {
  const { status, expiresAt, phaseEndsAt, authCodeUntil, transferPending, updatedAt } = state;
  const transferCheckAt = transferPending ? addDays(updatedAt, PENDING_LOOK_DAYS) : null;
  if (status === 'pending') return addDays(updatedAt, PENDING_LOOK_DAYS);
  if (status === 'active') return earliest([expiresAt, renewalDueAt(state, schedule), authCodeUntil, transferCheckAt]);
  if (status === 'expired')
    return earliest([graceEnd(expiresAt, periods), renewalDueAt(state, schedule), authCodeUntil, transferCheckAt]);
  return status === 'redemption' || status === 'pending_delete' ? phaseEndsAt : null;
}

function renewalDueAt(state: DomainState, schedule: RenewalSchedule): Date | null {
  const { autoRenew, renewalTriedAt } = state;
  if (!autoRenew) return null;
  return renewalTriedAt && wasTried(state, schedule)
    ? addDays(renewalTriedAt, schedule.retryDays)
    : firstAttemptAt(state, schedule);
}

/** Whether a renewal of this term was asked for. */
function wasTried(state: DomainState, schedule: RenewalSchedule): boolean {
  return state.renewalTriedAt !== null && state.renewalTriedAt >= firstAttemptAt(state, schedule);
}

function firstAttemptAt({ expiresAt }: DomainState, { leadDays }: RenewalSchedule): Date {
  return addDays(expiresAt, -leadDays);
}

function graceEnd(expiresAt: Date, { renewalGrace }: LifecyclePeriods): Date {
  return addDays(expiresAt, renewalGrace);
}

function earliest(dates: readonly (Date | null)[]): Date | null {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** When a phase ends that the registry says nothing about: what follows from `state` comes before an estimate. */
export function withKnownEnd<F extends RegistryFacts>(
  facts: F,
  { status, phaseEndsAt }: Pick<DomainState, 'status' | 'phaseEndsAt'>,
  periods: LifecyclePeriods,
  now: Date,
): F {
  if (!facts.phaseEndIsEstimate || !phaseEndsAt) return facts;
  const isNowPending = facts.phase === 'pending_delete';
  const known = status === 'redemption' && isNowPending ? addDays(phaseEndsAt, periods.pendingDelete) : phaseEndsAt;
  const isSamePhase = status === 'redemption' || (status === 'pending_delete' && isNowPending);
  return isSamePhase && known > now ? { ...facts, phaseEndsAt: known } : facts;
}
