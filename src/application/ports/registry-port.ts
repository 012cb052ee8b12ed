import type { Money } from '../../domain/shared/money';
import type { DomainName } from '../../domain/registration/domain-name';
import type { Nameservers } from '../../domain/registration/nameservers';
import type { Registrant } from '../../domain/registration/registrant';
import type { RegistrationTerm } from '../../domain/registration/registration-term';
import type { TldPolicy } from '../../domain/registration/tld-policy';

/**
 * The registrar's side of a registry: everything that happens in somebody else's system.
 *
 * Failures come in two kinds only. `RegistryRejected`: the registry said no, finally, and nothing changed there.
 * `RegistryUnavailable`: the outcome is unknown (time-out, broken connection, an answer that makes no sense); the
 * command may or may not have taken effect, and the caller looks with `info` before it repeats anything.
 *
 * Every command that changes something carries the `transactionId` that was stored before it was sent (EPP's
 * clTRID): unique for ever, 3 to 64 characters of `[A-Za-z0-9-]`. A repetition is a new command with a new id.
 * All names are lower-case A-labels. All dates are instants in UTC.
 */
export interface RegistryPort {
  /** The suffixes served and their rules. Answered from memory; does not change while the process runs. */
  policies(): readonly TldPolicy[];

  /**
   * Which of `names` can be registered now, and at what price. One result a name, in the order given. Advisory:
   * only `register` decides. A name outside `policies()` is answered as not available.
   */
  check(names: readonly DomainName[]): Promise<readonly Availability[]>;

  /**
   * What one year costs for `name`, whether or not it can be registered: renewals are priced by this.
   * @throws RegistryRejected where the name is outside `policies()`.
   */
  price(name: DomainName): Promise<PriceQuote>;

  /**
   * Registers a name, locked against transfers. Repeating it after success is rejected with reason `unavailable`;
   * whether the registration is ours, and since when, is for `info` to say.
   * @throws RegistryRejected (`unavailable` where the name is taken, reserved or not sold; `price_changed` where
   *   the registry asks another amount than `request.price`).
   */
  register(request: RegistrationRequest): Promise<RegistryDomain>;

  /** What the registry holds, or undefined where nobody holds the name. Reads only. */
  info(name: DomainName): Promise<RegistryDomain | undefined>;

  /**
   * Extends `name` by `term` from `currentExpiry`, which must be the registry's own current expiry (compared by
   * its UTC date, as EPP's curExpDate is): repeating a call that took effect is rejected with reason
   * `expiry_differs` and charges nothing.
   */
  renew(name: DomainName, currentExpiry: Date, term: RegistrationTerm, transactionId: string): Promise<RegistryDomain>;

  /** Replaces the whole delegation. Repeating it changes nothing. */
  setNameservers(name: DomainName, nameservers: Nameservers, transactionId: string): Promise<RegistryDomain>;

  /** Replaces the registrant. Repeating it changes nothing. */
  setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void>;

  /** Sets or lifts our lock against transfers (EPP clientTransferProhibited). Already so is success. */
  setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain>;

  /** Issues a new auth code and makes any earlier one void, whether or not the name is locked. Repeating it issues another. */
  issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode>;
}
export const RegistryPort = Symbol('RegistryPort');

export interface PriceQuote {
  /** For one year each. */
  readonly registration: Money;
  readonly renewal: Money;
}

export interface Availability {
  readonly name: DomainName;
  readonly available: boolean;
  /** Present where the name is available. */
  readonly price?: PriceQuote;
}

export interface RegistrationRequest {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly registrant: Registrant;
  readonly nameservers: Nameservers;
  /** What the account was told that the whole term costs. */
  readonly price: Money;
  readonly transactionId: string;
}

/** The registry's facts about a name. What follows from them for the account is the domain layer's to decide. */
export interface RegistryDomain {
  readonly name: DomainName;
  /** Whether we are the sponsoring registrar. Where we are not, a registry may show us little more than that. */
  readonly ours: boolean;
  /** Whether we created it (as opposed to a transfer in): with `createdAt`, tells our own registration after a lost answer. */
  readonly createdByUs: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly nameservers: readonly string[];
  readonly transferLocked: boolean;
}

export interface AuthCode {
  /** Secret: never logged, never stored in clear. */
  readonly code: string;
  readonly expiresAt: Date;
}

export type RejectionReason =
  /** The name is taken, reserved or not sold. */
  | 'unavailable'
  /** The registry asks another amount than the one agreed. */
  | 'price_changed'
  /** The expiry quoted is not the registry's. */
  | 'expiry_differs'
  /** The registry does not hold the name, or not for us. */
  | 'not_held'
  /** The registry's policy or its reading of the values forbids it. */
  | 'policy'
  /** Our credit at the registry is used up: the operator must act. */
  | 'credit';
