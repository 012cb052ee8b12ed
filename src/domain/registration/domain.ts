import { sameDay } from '../shared/calendar';
import { endsWithAddedYear, mayHaveAddedYear, withoutAddedYear } from './added-year';
import { DomainName } from './domain-name';
import { assertAllowed, assertMove, assertPath, type DomainAction, type DomainStatus } from './domain-status';
import type { Nameservers } from './nameservers';
import type { Registrant } from './registrant';
import type { RegistrationTerm } from './registration-term';

export interface DomainState {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly status: DomainStatus;
  /** The end of the term that the account has paid for. */
  readonly expiresAt: Date;
  readonly autoRenew: boolean;
  readonly transferLocked: boolean;
  readonly nameservers: readonly string[];
  readonly registrant: Registrant;
  /** When the registry's present phase ends by itself, where it is known to. */
  readonly phaseEndsAt: Date | null;
  /** When an automatic renewal was last asked for. */
  readonly renewalTriedAt: Date | null;
  /** Until when the auth code that was issued last is valid; null once it is withdrawn. */
  readonly authCodeUntil: Date | null;
  /** When the domain is to be looked at next. */
  readonly dueAt: Date | null;
  /** Whether the registry last showed a pending transfer to another registrar. */
  readonly transferPending: boolean;
  /** When it was registered, as the registry says: later than `createdAt` where that took its time; null until it has said so. */
  readonly registeredAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewDomain {
  readonly id: string;
  readonly accountId: string;
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly registrant: Registrant;
  readonly nameservers: Nameservers;
  readonly autoRenew: boolean;
}

/** What the registry says of a domain, as far as the domain follows it. */
export interface RegistryFacts {
  readonly phase:
    'pending_create' | 'registered' | 'auto_renew_grace' | 'redemption' | 'pending_restore' | 'pending_delete';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The years that the registry adds by itself when a term ends; one where absent. */
  readonly addedYears?: number;
  readonly nameservers: readonly string[];
  readonly transferLocked: boolean;
  readonly transferPending: boolean;
  readonly phaseEndsAt?: Date;
  /** The registry does not say when the phase ends: what we know ourselves is better. */
  readonly phaseEndIsEstimate?: boolean;
}

/** A domain in an account: the account's wishes, and what the registry last said. */
export class Domain {
  private constructor(private state: DomainState) {}

  /** A registration that the registry has yet to confirm. Registered names start locked against transfers. */
  static request(request: NewDomain, now: Date): Domain {
    return new Domain({
      id: request.id,
      accountId: request.accountId,
      name: request.name.value,
      status: 'pending',
      expiresAt: request.term.extend(now, now),
      autoRenew: request.autoRenew,
      transferLocked: true,
      nameservers: request.nameservers.hosts,
      registrant: request.registrant,
      phaseEndsAt: null,
      renewalTriedAt: null,
      authCodeUntil: null,
      dueAt: null,
      transferPending: false,
      registeredAt: null,
      createdAt: now,
      updatedAt: now,
    });
  }

  static fromState(state: DomainState): Domain {
    return new Domain(state);
  }

  get id(): string {
    return this.state.id;
  }

  get name(): DomainName {
    return DomainName.fromState(this.state.name);
  }

  get status(): DomainStatus {
    return this.state.status;
  }

  get expiresAt(): Date {
    return this.state.expiresAt;
  }

  /** Since when it has been registered: by our own clock where the registry has not told. */
  get registeredAt(): Date {
    return this.state.registeredAt ?? this.state.createdAt;
  }

  /** @throws DomainStatusConflict saying what is possible instead. */
  assertAllows(action: DomainAction): void {
    assertAllowed(this.state.status, action);
  }

  /** The registry has confirmed the registration: its facts become ours. */
  confirm(
    {
      createdAt,
      expiresAt,
      nameservers,
      transferLocked,
    }: Pick<RegistryFacts, 'createdAt' | 'expiresAt' | 'nameservers' | 'transferLocked'>,
    now: Date,
  ): void {
    assertMove(this.state.status, 'active');
    this.change({ registeredAt: createdAt, expiresAt, nameservers, transferLocked, status: 'active' }, now);
  }

  delegateTo(nameservers: readonly string[], now: Date): void {
    if (nameservers.join() !== this.state.nameservers.join()) this.change({ nameservers }, now);
  }

  changeRegistrant(registrant: Registrant, now: Date): void {
    this.change({ registrant }, now);
  }

  setTransferLock(transferLocked: boolean, now: Date): void {
    this.change({ transferLocked }, now);
  }

  setAutoRenew(autoRenew: boolean, now: Date): void {
    this.change({ autoRenew }, now);
  }

  extendTo(expiresAt: Date, now: Date): void {
    assertMove(this.state.status, 'active');
    this.change({ expiresAt, status: 'active' }, now);
  }

  /**
   * The registry's facts become ours, whatever happened since it was asked last: a life may have gone on by several
   * moves. A year that the registry has added by itself at expiry is not the account's until it is renewed. A deleted
   * domain keeps the account's wish about the transfer lock for its restore.
   */
  adopt(facts: RegistryFacts, now: Date): void {
    const { phase, createdAt, nameservers, transferPending, phaseEndsAt = null } = facts;
    const expiresAt = paidUntil(this.state, facts, now);
    const status = statusIn(phase, expiresAt, now);
    assertPath(this.state.status, status);
    const transferLocked = isBeingDeleted(status) ? this.state.transferLocked : facts.transferLocked;
    this.change(
      {
        status,
        registeredAt: createdAt,
        expiresAt,
        nameservers,
        transferLocked,
        transferPending,
        phaseEndsAt: isBeingDeleted(status) ? phaseEndsAt : null,
      },
      now,
    );
  }

  /** The registry has it no longer, or no longer for us. */
  leave(status: 'gone' | 'transferred_out', now: Date): void {
    assertPath(this.state.status, status);
    this.change({ status, phaseEndsAt: null, authCodeUntil: null, dueAt: null, transferPending: false }, now);
  }

  /** An automatic renewal was asked for. */
  tryRenewal(now: Date): void {
    this.state = { ...this.state, renewalTriedAt: now };
  }

  /** An auth code was issued that is valid until then, or none is valid any more. */
  setAuthCodeUntil(authCodeUntil: Date | null): void {
    this.state = { ...this.state, authCodeUntil };
  }

  /** It is to be looked at then. */
  schedule(dueAt: Date | null): void {
    this.state = { ...this.state, dueAt };
  }

  toState(): DomainState {
    return this.state;
  }

  private change(part: Partial<DomainState>, now: Date): void {
    this.state = { ...this.state, ...part, updatedAt: now };
  }
}

function paidUntil({ status, expiresAt: known }: DomainState, facts: RegistryFacts, now: Date): Date {
  const { expiresAt } = facts;
  const isAdded =
    endsWithAddedYear(facts, now) ||
    ((status === 'active' || status === 'expired') &&
      facts.phase === 'registered' &&
      mayHaveAddedYear(facts, known, now));
  return isAdded && !sameDay(known, expiresAt) ? withoutAddedYear(facts) : expiresAt;
}

function statusIn(phase: RegistryFacts['phase'], expiresAt: Date, now: Date): DomainStatus {
  if (phase === 'pending_create') return 'pending';
  if (phase === 'redemption' || phase === 'pending_restore') return 'redemption';
  if (phase === 'pending_delete') return 'pending_delete';
  return expiresAt > now ? 'active' : 'expired';
}

function isBeingDeleted(status: DomainStatus): boolean {
  return status === 'redemption' || status === 'pending_delete';
}
