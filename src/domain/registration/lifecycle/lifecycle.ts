import { addDays } from '../../shared/time/calendar';
import type { DomainState } from '../domain';
import type { RegistryFacts } from '../registry-facts';
import type { LifecyclePeriods, TldPolicy } from '../names/tld-policy';

/** Lifecycle dates as shown to users; null if the date does not apply. */
export interface LifecycleDates {
  /** Renewal is possible until then, also after expiry. */
  readonly renewableUntil: Date | null;
  readonly redemptionEndsAt: Date | null;
  /** When the domain is deleted at the registry unless it is restored. */
  readonly deletesAt: Date | null;
  readonly transferLockedUntil: Date | null;
  /** When the service deletes the domain, because auto-renewal is off and the registry would renew it. */
  readonly deletionDueAt: Date | null;
}

/** When automatic renewals are attempted; set by the operator. */
export interface RenewalSchedule {
  /** Days before expiry of the first attempt. */
  readonly leadDays: number;
  /** Days from one attempt to the next. */
  readonly retryDays: number;
}

/** What the lifecycle depends on. */
export type LifecyclePolicy = Pick<TldPolicy, 'periods' | 'unsupported' | 'deleteUnrenewedDays'>;

/** An action of the service on a domain. */
export type DueStep = 'renew' | 'delete' | 'delete before renewal' | 'withdraw auth code';

export function lifecycleDates(state: DomainState, policy: LifecyclePolicy): LifecycleDates {
  const { status, expiresAt, phaseEndsAt } = state;
  const { periods } = policy;
  const deletionDueAt = deletionBeforeRenewalAt(state, policy);
  const dates = {
    renewableUntil: null,
    redemptionEndsAt: null,
    deletesAt: deletionDueAt && addDays(deletionDueAt, periods.redemption + periods.pendingDelete),
    transferLockedUntil: null,
    deletionDueAt,
  };
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
 * Whether the service deletes the domain after its grace period. A registry that adds no year to an expired name charges
 * nothing that a deletion would save, so a domain with auto-renewal is renewed until the registry deletes it.
 */
export function mayDelete(
  { autoRenew }: DomainState,
  { unsupported = [] }: Pick<LifecyclePolicy, 'unsupported'>,
): boolean {
  return !unsupported.includes('delete') && !(autoRenew && unsupported.includes('auto_renew'));
}

/**
 * When the service deletes a domain with auto-renewal off that the registry would renew; null if it does not. A domain that came to
 * us after that time is left to the registry.
 */
function deletionBeforeRenewalAt(
  { status, autoRenew, registrarRenews, expiresAt, createdAt }: DomainState,
  { deleteUnrenewedDays, unsupported = [] }: Pick<LifecyclePolicy, 'deleteUnrenewedDays' | 'unsupported'>,
): Date | null {
  if (deleteUnrenewedDays === undefined || unsupported.includes('delete')) return null;
  if (status !== 'active' || autoRenew || !registrarRenews) return null;
  const at = addDays(expiresAt, -deleteUnrenewedDays);
  return createdAt < at ? at : null;
}

/**
 * The actions that are due on a domain now, in order. A domain with auto-renewal is not deleted before a renewal was
 * attempted, even if the service was down for the whole grace period.
 */
export function stepsDue(
  state: DomainState,
  policy: LifecyclePolicy,
  schedule: RenewalSchedule,
  now: Date,
): readonly DueStep[] {
  const { status, expiresAt, autoRenew, registrarRenews, authCodeUntil } = state;
  if (status !== 'active' && status !== 'expired') return [];
  const isDue = (at: Date | null): boolean => at !== null && at <= now;
  const isToBeDeleted =
    status === 'expired' &&
    !registrarRenews &&
    mayDelete(state, policy) &&
    isDue(graceEnd(expiresAt, policy.periods)) &&
    (!autoRenew || wasRenewalTried(state, schedule));
  if (isToBeDeleted) return ['delete'];
  // At its expiry the registry may have renewed it already.
  if (isDue(deletionBeforeRenewalAt(state, policy)) && now < expiresAt) return ['delete before renewal'];
  return [
    ...(isDue(renewalDueAt(state, schedule)) ? ['renew' as const] : []),
    ...(isDue(authCodeUntil) ? ['withdraw auth code' as const] : []),
  ];
}

/** How often to check a pending registration or transfer, in case the registry's poll message does not arrive. */
const PENDING_CHECK_DAYS = 1 / 24;
/** How often to check whether the registrar has renewed or deleted an expired domain, if it decides. */
const EXPIRED_CHECK_DAYS = 1;

/** When the next check is due; null if only poll messages and requests can change the domain. */
export function nextDueAt(state: DomainState, policy: LifecyclePolicy, schedule: RenewalSchedule): Date | null {
  const { status, expiresAt, phaseEndsAt, authCodeUntil, registrarRenews, updatedAt } = state;
  const transferCheckAt = nextTransferCheck(state);
  if (status === 'pending') return addDays(updatedAt, PENDING_CHECK_DAYS);
  if (status === 'active')
    return earliest([
      expiresAt,
      deletionBeforeRenewalAt(state, policy),
      renewalDueAt(state, schedule),
      authCodeUntil,
      transferCheckAt,
    ]);
  if (status === 'expired')
    return earliest([
      registrarRenews || !mayDelete(state, policy)
        ? addDays(updatedAt, EXPIRED_CHECK_DAYS)
        : graceEnd(expiresAt, policy.periods),
      renewalDueAt(state, schedule),
      authCodeUntil,
      transferCheckAt,
    ]);
  return status === 'redemption' || status === 'pending_delete' ? phaseEndsAt : null;
}

/** Hourly, and at the end of the transfer. */
function nextTransferCheck({ transferPending, transferEndsAt, updatedAt }: DomainState): Date | null {
  if (!transferPending) return null;
  const regular = addDays(updatedAt, PENDING_CHECK_DAYS);
  return transferEndsAt && transferEndsAt > updatedAt && transferEndsAt < regular ? transferEndsAt : regular;
}

/** The next attempt of an automatic renewal; null if the service does not renew the domain. */
export function renewalDueAt(state: DomainState, schedule: RenewalSchedule): Date | null {
  const { autoRenew, registrarRenews, renewalTriedAt } = state;
  if (!autoRenew || registrarRenews) return null;
  return renewalTriedAt && wasRenewalTried(state, schedule)
    ? addDays(renewalTriedAt, schedule.retryDays)
    : firstAttemptAt(state, schedule);
}

/** Whether an automatic renewal of this term was attempted. */
function wasRenewalTried(state: DomainState, schedule: RenewalSchedule): boolean {
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

/** A released domain waits for the other registrar during the transfer period: a registry may not show that, only that it has left. */
export function withPendingRelease<F extends RegistryFacts>(
  facts: F,
  { transferPending, transferRequestedAt }: Pick<DomainState, 'transferPending' | 'transferRequestedAt'>,
  { periods, releases = false }: Pick<TldPolicy, 'periods' | 'releases'>,
  now: Date,
): F {
  const isPending =
    releases && transferPending && transferRequestedAt && now < addDays(transferRequestedAt, periods.transfer);
  return isPending ? { ...facts, transferPending: true } : facts;
}

/** Replaces an estimated end of the phase by the end that follows from our own state. */
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
