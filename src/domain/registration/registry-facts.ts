import type { DomainStatus } from './domain-status';

/** The state of a domain at the registry, as far as `Domain` adopts it. */
export interface RegistryFacts {
  readonly phase:
    'pending_create' | 'registered' | 'auto_renew_grace' | 'redemption' | 'pending_restore' | 'pending_delete';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Years that the registry adds automatically when a term ends; default 1. */
  readonly addedYears?: number;
  readonly nameservers: readonly string[];
  readonly transferLocked: boolean;
  readonly transferPending: boolean;
  /** The pending transfer, if the registry reports it. */
  readonly transferOut?: { readonly requestedAt: Date; readonly endsAt?: Date };
  /** Whether the registrar renews by itself; absent if it never does. */
  readonly registrarRenews?: boolean;
  /** Although the registrar renews, auto-renewal can be off: the service then deletes the name before. */
  readonly deletableBeforeRenewal?: boolean;
  /** Until when the auth code works, if the registry shows that. */
  readonly authCodeUntil?: Date;
  readonly phaseEndsAt?: Date;
  /** The registry does not report the end of the phase, so a date that we know takes precedence. */
  readonly phaseEndIsEstimate?: boolean;
}

/** The reported end; the known one if the registry reports no transfer. */
export function transferEnd(reported: RegistryFacts['transferOut'], known: Date | null): Date | null {
  return reported ? (reported.endsAt ?? null) : known;
}

export function statusIn(phase: RegistryFacts['phase'], expiresAt: Date, now: Date): DomainStatus {
  if (phase === 'pending_create') return 'pending';
  if (phase === 'redemption' || phase === 'pending_restore') return 'redemption';
  if (phase === 'pending_delete') return 'pending_delete';
  return expiresAt > now ? 'active' : 'expired';
}

export function isBeingDeleted(status: DomainStatus): boolean {
  return status === 'redemption' || status === 'pending_delete';
}
