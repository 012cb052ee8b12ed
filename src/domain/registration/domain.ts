import type { DomainName } from './domain-name';
import { assertAllowed, assertMove, type DomainAction, type DomainStatus } from './domain-status';
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
  readonly expiresAt: Date;
  readonly nameservers: readonly string[];
  readonly transferLocked: boolean;
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
      createdAt: now,
      updatedAt: now,
    });
  }

  static restore(state: DomainState): Domain {
    return new Domain(state);
  }

  get id(): string {
    return this.state.id;
  }

  get status(): DomainStatus {
    return this.state.status;
  }

  get expiresAt(): Date {
    return this.state.expiresAt;
  }

  /** @throws DomainStatusConflict saying what is possible instead. */
  assertAllows(action: DomainAction): void {
    assertAllowed(this.state.status, action);
  }

  /** The registry has confirmed the registration: its facts become ours. */
  confirm({ expiresAt, nameservers, transferLocked }: RegistryFacts, now: Date): void {
    assertMove(this.state.status, 'active');
    this.change({ expiresAt, nameservers, transferLocked, status: 'active' }, now);
  }

  delegateTo(nameservers: readonly string[], now: Date): void {
    this.change({ nameservers }, now);
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

  moveTo(status: DomainStatus, now: Date): void {
    assertMove(this.state.status, status);
    this.change({ status }, now);
  }

  toState(): DomainState {
    return this.state;
  }

  private change(part: Partial<DomainState>, now: Date): void {
    this.state = { ...this.state, ...part, updatedAt: now };
  }
}
