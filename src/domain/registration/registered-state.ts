import { paidExpiry } from './added-year';
import type { DomainStatus } from './domain-status';
import { inKnownOrder } from './nameservers';
import { isBeingDeleted, statusIn, transferEnd, type RegistryFacts } from './registry-facts';

/** What a domain has of its registration: the registry's facts, as far as they were adopted. */
export interface RegisteredState {
  readonly status: DomainStatus;
  /** End of the paid term. */
  readonly expiresAt: Date;
  readonly autoRenew: boolean;
  readonly transferLocked: boolean;
  readonly nameservers: readonly string[];
  /** When the current registry phase ends, if known. */
  readonly phaseEndsAt: Date | null;
  /** When the last automatic renewal was attempted. */
  readonly renewalTriedAt: Date | null;
  /** When the current auth code expires; null if none is valid. */
  readonly authCodeUntil: Date | null;
  /** Whether a transfer to another registrar was pending at the last check. */
  readonly transferPending: boolean;
  /** When that transfer was requested, and when it completes without a decision, if the registry reports it. */
  readonly transferRequestedAt: Date | null;
  readonly transferEndsAt: Date | null;
  /** The registrar renews the domain by itself, so the service does not. */
  readonly registrarRenews: boolean;
  /** Creation date at the registry, which can be later than `createdAt`; null until the registry confirms it. */
  readonly registeredAt: Date | null;
}

/**
 * Of a name that our account at the registry already holds, its expiry included: years that the registry added are paid. Automatic
 * renewal stays with the registrar if it renews the domain, so that nothing is paid twice.
 */
export function foundRegistration(facts: RegistryFacts, now: Date): RegisteredState {
  const { expiresAt, registrarRenews } = facts;
  const status = statusIn(facts.phase, expiresAt, now);
  return {
    status,
    expiresAt,
    autoRenew: registrarRenews ?? true,
    transferLocked: facts.transferLocked,
    nameservers: facts.nameservers,
    phaseEndsAt: isBeingDeleted(status) ? (facts.phaseEndsAt ?? null) : null,
    renewalTriedAt: null,
    authCodeUntil: null,
    transferPending: facts.transferPending,
    transferRequestedAt: facts.transferPending ? (facts.transferOut?.requestedAt ?? now) : null,
    transferEndsAt: facts.transferOut?.endsAt ?? null,
    registrarRenews: registrarRenews ?? false,
    registeredAt: facts.createdAt,
  };
}

export type ConfirmedFacts = Omit<RegistryFacts, 'phase' | 'transferPending'>;

/** Once the registry has confirmed it. If the registrar renews the domain, it does so instead of the service. */
export function confirmedRegistration(known: RegisteredState, facts: ConfirmedFacts): Partial<RegisteredState> {
  const { createdAt, expiresAt, transferLocked, registrarRenews = false, deletableBeforeRenewal = false } = facts;
  const nameservers = inKnownOrder(facts.nameservers, known.nameservers);
  const autoRenew = known.autoRenew || (registrarRenews && !deletableBeforeRenewal);
  return {
    status: 'active',
    registeredAt: createdAt,
    expiresAt,
    nameservers,
    transferLocked,
    registrarRenews,
    autoRenew,
  };
}

/**
 * A year that the registry added at expiry does not count until it is renewed. A deleted domain keeps its transfer lock setting for a
 * restore, and one that is being transferred for the case that the transfer is rejected. If the registrar renews the domain, it does so
 * instead of the service. Auto-renewal is on after a restore if the registry may renew the domain at once, or if the term has ended: the
 * service would delete it again.
 */
export function adoptedRegistration(known: RegisteredState, facts: RegistryFacts, now: Date): RegisteredState {
  const { phase, createdAt, transferPending, registrarRenews = false, phaseEndsAt = null } = facts;
  const mayBeOff = facts.deletableBeforeRenewal === true && !isBeingDeleted(known.status);
  const expiresAt = paidExpiry(known, facts, now);
  const status = statusIn(phase, expiresAt, now);
  const isRestoredLate = status === 'expired' && isBeingDeleted(known.status);
  const isMovedBack = status === 'expired' && expiresAt < known.expiresAt;
  const keepsLock = isBeingDeleted(status) || transferPending;
  return {
    status,
    registeredAt: createdAt,
    expiresAt,
    nameservers: inKnownOrder(facts.nameservers, known.nameservers),
    transferLocked: keepsLock ? known.transferLocked : facts.transferLocked,
    transferPending,
    transferRequestedAt: transferPending ? (facts.transferOut?.requestedAt ?? known.transferRequestedAt ?? now) : null,
    transferEndsAt: transferPending ? transferEnd(facts.transferOut, known.transferEndsAt) : null,
    registrarRenews,
    autoRenew: known.autoRenew || (registrarRenews && !mayBeOff) || isRestoredLate,
    // An attempt before the deletion, or for a later expiry, says nothing about this one.
    renewalTriedAt: isRestoredLate || isMovedBack ? null : known.renewalTriedAt,
    phaseEndsAt: isBeingDeleted(status) ? phaseEndsAt : null,
    // Of a code that we issued: a code of others is not ours to withdraw.
    authCodeUntil: known.authCodeUntil && (facts.authCodeUntil ?? known.authCodeUntil),
  };
}
