import type { Money } from '../../../domain/shared/money';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import type { TldPolicy } from '../../../domain/registration/tld-policy';

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
   * @param term the term whose fee for registering is asked for; the shortest that each TLD sells where absent.
   */
  check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]>;

  /**
   * What it costs to keep a name that is held. The fees are the registry's for that name and that term: the price of a
   * premium name is never taken from the price list of its TLD.
   * @param term the term whose fee for renewing is asked for; the shortest that the TLD sells where absent.
   * @throws RegistryRejected where the name is outside `policies()`.
   */
  price(name: DomainName, term?: RegistrationTerm): Promise<HoldingPrice>;

  /**
   * Registers a name, locked against transfers. Repeating it after success is rejected with reason `unavailable`;
   * whether the registration is ours, and since when, is for `info` to say.
   * @throws RegistryRejected (`unavailable` where the name is taken, reserved or not sold; `price_changed` where
   *   the registry asks another amount than `request.price`).
   */
  register(request: RegistrationRequest): Promise<ChargedDomain>;

  /** What the registry holds, or undefined where nobody holds the name. Reads only. */
  info(name: DomainName): Promise<RegistryDomain | undefined>;

  /**
   * Extends `name` by `term` from `currentExpiry`, which must be the registry's own current expiry (compared by
   * its UTC date, as EPP's curExpDate is): repeating a call that took effect is rejected with reason
   * `expiry_differs` and charges nothing. In `auto_renew_grace` what the registry added by itself (`addedYears`) stays and
   * `term` comes on top of it; a caller who wants only that sends nothing. The phase may go on or end (RFC 3915 leaves
   * it open), so callers decide by `expiresAt` whether a renewal took effect.
   * @param price what the account was told that the whole term costs, where it was told.
   * @throws RegistryRejected (`status` in redemption, pending deletion or while a transfer is pending; `policy` for a
   *   term that is not sold or reaches more than ten years ahead; `price_changed` where the registry asks another amount).
   */
  renew(
    name: DomainName,
    currentExpiry: Date,
    term: RegistrationTerm,
    transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain>;

  /**
   * Replaces the whole delegation. Repeating it changes nothing. `glue` holds addresses of hosts under `name` itself.
   * A registry may have carried out a part of a change that it refuses: after RegistryRejected the caller reads `info`,
   * and sets the former nameservers if too few are left.
   */
  setNameservers(
    name: DomainName,
    nameservers: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain>;

  /** Replaces the registrant. Repeating it changes nothing. */
  setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void>;

  /** Sets or lifts our lock against transfers (EPP clientTransferProhibited). Already so is success. */
  setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain>;

  /** Issues a new auth code and makes any earlier one void, whether or not the name is locked. Repeating it issues another. */
  issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode>;

  /** Makes the current auth code void. None there is success. */
  withdrawAuthCode(name: DomainName, transactionId: string): Promise<void>;

  /**
   * Brings a name back from redemption, with its former expiry (renewed for the shortest term where that has passed). Repeating it in
   * `pending_restore` goes on with what was interrupted, and is charged for once.
   * @param price what the account was told: the restore, and that renewal where the expiry that `info` shows has passed.
   * @throws RegistryRejected (`status` where it is in no redemption; `price_changed` where the registry asks another amount).
   */
  restore(name: DomainName, price: Money, transactionId: string): Promise<ChargedDomain>;

  /**
   * Deletes a name: gone at once within the add grace period, in redemption after it.
   * Answers what the registry holds afterwards, undefined where nothing is left. In `auto_renew_grace` the added year
   * is taken back first. Repeating it is rejected with reason `status`, or `not_held` where nothing is left.
   */
  delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined>;
}
export const RegistryPort = Symbol('RegistryPort');

export interface HoldingPrice {
  /** For renewing once for the whole term. Fees of several years need not be multiples of the fee of one. */
  readonly renewal: Money;
  /** For one restore, without the renewal that may come with it. */
  readonly restore: Money;
}

export interface PriceQuote extends HoldingPrice {
  /** For registering for the whole term. */
  readonly registration: Money;
}

export interface Availability {
  readonly name: DomainName;
  readonly available: boolean;
  /** Present where the name is available: the registration for the term asked for, a renewal for the shortest. */
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

export interface GlueHost {
  readonly host: string;
  /** IPv4 and IPv6 addresses in canonical form. */
  readonly addresses: readonly string[];
}

/** Where a name is in its life, as the registry sees it (RFC 5731 and RFC 3915 statuses; the first that applies). */
export type RegistryPhase =
  'pending_create' | 'registered' | 'auto_renew_grace' | 'redemption' | 'pending_restore' | 'pending_delete';

/** The registry's facts about a name. What follows from them for the account is the domain layer's to decide. */
export interface RegistryDomain {
  readonly name: DomainName;
  readonly phase: RegistryPhase;
  /** Whether we are the sponsoring registrar. Where we are not, a registry may show us little more than that. */
  readonly ours: boolean;
  /** Whether we created it (as opposed to a transfer in): with `createdAt`, tells our own registration after a lost answer. */
  readonly createdByUs: boolean;
  readonly createdAt: Date;
  /** The registry's own expiry; in `auto_renew_grace` it has already moved ahead by `addedYears`, and further with each renewal. */
  readonly expiresAt: Date;
  /** How many years the registry adds by itself when a term of this name ends; one where absent. */
  readonly addedYears?: number;
  readonly nameservers: readonly string[];
  readonly transferLocked: boolean;
  /** A request to transfer the name away waits for its time to end. */
  readonly transferPending: boolean;
  /** When the present phase ends by itself, where it does. */
  readonly phaseEndsAt?: Date;
  /** The registry does not say when the phase ends, and `phaseEndsAt` follows from less: the service prefers what it knows itself. */
  readonly phaseEndIsEstimate?: boolean;
}

/** What a command that costs something has left. */
export interface ChargedDomain extends RegistryDomain {
  /** What the registry has charged for the command, where its response says so. Never more than the price agreed. */
  readonly charged?: Money;
}

export interface AuthCode {
  /** Secret: never logged, never stored in clear. */
  readonly code: string;
  readonly expiresAt: Date;
}

export interface RegistryMessage {
  readonly id: string;
  readonly at: Date;
  /** Told to people. Whatever the kind, `info` decides what became of `name`, and completes a `pending_create`, too. */
  readonly kind:
    'changed' | 'registered' | 'registration_refused' | 'transferred_out' | 'deleted' | 'low_balance' | 'other';
  /** The name it is about, where it is about one. */
  readonly name?: DomainName;
  /** The name it is about, where this registry does not serve it for us: nothing is done about it. */
  readonly foreignName?: string;
  readonly text: string;
  /** Where the adapter can make nothing of it: the whole of it as it came. It is kept for a person, then acknowledged. */
  readonly unreadable?: string;
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
  /** The name's status forbids the command. */
  | 'status'
  /** The registry's policy or its reading of the values forbids it. */
  | 'policy'
  /** Our credit at the registry is used up: the operator must act. */
  | 'credit';
