import { token } from '../inject';
import type { DsRecord } from '../../../domain/dns/delegation/ds-record';
import type { Money } from '../../../domain/shared/money';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import type { TldPolicy } from '../../../domain/registration/names/tld-policy';
import type { RegistryTransfers } from './registry-transfers';

/**
 * Commands and queries of a registrar at a registry.
 *
 * Each comment states the effect, what a repetition does, what an error means, units and sources. Errors are of two kinds:
 * - `RegistryRejected`: the registry refused. Final; nothing changed unless the method says otherwise.
 * - `RegistryUnavailable`: the outcome is unknown (timeout, lost connection, invalid response). The caller reads `info`
 *   before it repeats a command. Any method may throw it.
 *
 * Each command has a `transactionId` (EPP's clTRID) that is stored before the command is sent: unique, 3 to 64 characters
 * of `[A-Za-z0-9-]`. A repetition is a new command with a new id.
 * Commands that are charged have an `idempotencyKey`, too: the same in each attempt of one operation, in the format of a
 * transaction id. Send it to a vendor that takes such a key (Idempotency-Key). The service always passes it.
 * Names are lower-case A-labels. Dates are instants in UTC.
 *
 * A method that the vendor does not offer for a TLD rejects as `unsupported`; `TldPolicy.unsupported` lists its feature, so
 * that the service and the dashboard know it without a call.
 */
export interface RegistryPort extends RegistryTransfers {
  /** The served suffixes, their rules and what is unsupported. Reads memory only; constant while the process runs. */
  policies(): readonly TldPolicy[];

  /**
   * Returns availability and price of each of `names`, in the same order. Advisory: only `register` decides.
   * Repeatable. A name under a suffix outside `policies()` is not available.
   * @param term the term of the registration fee; the shortest that the TLD sells if absent
   */
  check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]>;

  /**
   * Returns what it costs to renew and to restore a registered name. Repeatable.
   * The fees are the registry's for this name and term: a premium name is never priced by its TLD's price list.
   * @param term the term of the renewal fee; the shortest that the TLD sells if absent
   * @throws RegistryRejected for a name under a suffix outside `policies()`
   */
  price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices>;

  /**
   * Registers a name with a transfer lock. A repetition after success is rejected as `unavailable`;
   * `info` then shows whether the registration is ours (`createdByUs`, `createdAt`), and the caller sets again what an
   * interrupted registration may lack: lock, nameservers and registrant.
   * @throws RegistryRejected (`unavailable`: taken, reserved or not sold; `price_changed`: the registry's price differs
   *   from `request.price`)
   */
  register(request: RegistrationRequest): Promise<ChargedDomain>;

  /**
   * Returns the registry's data, or undefined for an unregistered name. Repeatable.
   * @param authCode secret: of a name that another registrar sponsors, for registries that show its expiry only with it
   *   (RFC 5731 section 3.1.2). A wrong one has no effect on the result
   */
  info(name: DomainName, authCode?: string): Promise<RegistryDomain | undefined>;

  /** Returns the registrant of a name that we sponsor, undefined if the registry does not show it. Repeatable. */
  registrant(name: DomainName): Promise<Registrant | undefined>;

  /**
   * Extends the registration by `term` from `currentExpiry`, in `auto_renew_grace` on top of the added years. Callers see
   * by `expiresAt` whether a renewal took effect: RFC 3915 leaves open whether the grace period ends. After an accepted
   * renewal that the registry's reads do not show yet, return the former expiry with `charged`: it is not sent again.
   * A repetition is rejected as `expiry_differs` and not charged: `currentExpiry` must be the registry's, compared by its
   * UTC date like EPP's curExpDate.
   * @param price the price of the whole term that the account agreed to, if any
   * @throws RegistryRejected (`status`: in redemption, pending delete or pending transfer; `policy`: a term that is not
   *   sold or ends more than ten years ahead; `price_changed`)
   */
  renew(
    name: DomainName,
    currentExpiry: Date,
    term: RegistrationTerm,
    transactionId: string,
    price?: Money,
    idempotencyKey?: string,
  ): Promise<ChargedDomain>;

  /**
   * Replaces the nameservers. A repetition changes nothing.
   * After RegistryRejected a part of the change may have been applied: the caller reads `info`, and sets the former
   * nameservers if too few are left.
   * @param glue addresses of hosts under `name` itself, and under other names of this registry that we hold; an adapter for
   *   which only the former have a meaning leaves out the latter
   */
  setNameservers(
    name: DomainName,
    nameservers: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain>;

  /**
   * Replaces the addresses of existing nameservers under `name`; hosts that the registry does not have are left out, and
   * delegations stay as they are. A repetition changes nothing. Optional: `TldPolicy.glue` says for which hosts it is called.
   */
  setGlue?(name: DomainName, glue: readonly GlueHost[], transactionId: string): Promise<void>;

  /** Replaces the registrant. A repetition changes nothing. */
  setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void>;

  /** Sets or removes the transfer lock (EPP's clientTransferProhibited). A repetition succeeds and changes nothing. */
  setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain>;

  /**
   * Switches the registrar's own automatic renewal, which it charges us for. A repetition changes nothing. Adapters register
   * and transfer names with it off, because the service renews. Feature `registrar_renewal`.
   */
  setRegistrarRenewal(name: DomainName, enabled: boolean, transactionId: string): Promise<void>;

  /** Issues a new auth code and invalidates the former one, for locked names, too. A repetition issues another code. */
  issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode>;

  /** Invalidates the auth code. Succeeds if there is none, so it can be repeated. */
  withdrawAuthCode(name: DomainName, transactionId: string): Promise<void>;

  /**
   * Restores a name from redemption (RFC 3915) with its former expiry, plus a renewal for the shortest term if that has
   * passed. A repetition in `pending_restore` completes the restore; a restore is charged once. After an accepted restore that
   * the registry's reads do not show yet, return `redemption` with `charged`: it is not sent again.
   * @param price the agreed price: the restore, plus the renewal if the expiry in `info` has passed
   * @throws RegistryRejected (`status`: not in redemption; `price_changed`)
   */
  restore(name: DomainName, price: Money, transactionId: string, idempotencyKey?: string): Promise<ChargedDomain>;

  /**
   * Deletes a name: at once in the add grace period, otherwise into redemption. In `auto_renew_grace` the registry takes
   * the added years back. Returns the registry's data after the deletion, undefined if the name is unregistered.
   * A repetition is rejected as `status`, or as `not_held` if the name is unregistered.
   */
  delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined>;

  /** Returns the DS records of a name that we sponsor. Repeatable. Feature `delegation_signers`. @throws RegistryRejected (`not_held`) */
  dsRecords(name: DomainName): Promise<readonly DsRecord[]>;

  /**
   * Replaces the DS records (RFC 5910); none removes DNSSEC. Returns what the registry has afterwards, read back from it.
   * A repetition changes nothing. Where the registry takes keys, the DS records are its own. Feature `delegation_signers`.
   */
  setDsRecords(name: DomainName, dsRecords: readonly DsRecord[], transactionId: string): Promise<readonly DsRecord[]>;

  /**
   * Returns the records that the vendor's own DNS service serves for a name, as a zone file (RFC 1035 section 5); undefined
   * if it serves none. Repeatable. Feature `hosted_zone`.
   */
  hostedZone(name: DomainName): Promise<string | undefined>;
}
export const RegistryPort = token<RegistryPort>('RegistryPort');

export interface RenewalPrices {
  /** One renewal for the whole term. Fees of several years need not be multiples of one year's fee. */
  readonly renewal: Money;
  /** One restore, without the renewal that it may include; undefined if the registry does not report it. */
  readonly restore?: Money;
}

export interface PriceQuote extends RenewalPrices {
  /** One registration for the whole term. */
  readonly registration: Money;
}

export interface Availability {
  readonly name: DomainName;
  readonly available: boolean;
  /** Present if available: the registration for the requested term, a renewal for the shortest. */
  readonly price?: PriceQuote;
}

export interface RegistrationRequest {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly registrant: Registrant;
  readonly nameservers: Nameservers;
  /** Addresses of nameservers under other names of this registry that we hold. */
  readonly glue?: readonly GlueHost[];
  /** The price of the whole term that the account agreed to. */
  readonly price: Money;
  /** The language or table of an internationalized name, one of `TldPolicy.idnLanguages` if it lists some; the registry's default if absent. */
  readonly idnLanguage?: string | undefined;
  readonly transactionId: string;
  readonly idempotencyKey?: string;
}

export interface GlueHost {
  readonly host: string;
  /** IPv4 and IPv6 addresses in canonical form. */
  readonly addresses: readonly string[];
}

/** The lifecycle phase at the registry: the first that applies of the RFC 5731 and RFC 3915 statuses. */
export type RegistryPhase =
  'pending_create' | 'registered' | 'auto_renew_grace' | 'redemption' | 'pending_restore' | 'pending_delete';

/** The registry's data about a name. The domain layer decides what it means for the account. */
export interface RegistryDomain {
  readonly name: DomainName;
  readonly phase: RegistryPhase;
  /** Whether we are the sponsoring registrar (RFC 5730). If not, a registry may show little else. */
  readonly sponsoredByUs: boolean;
  /** False after a transfer in. With `createdAt`, identifies our own registration after a lost response. */
  readonly createdByUs: boolean;
  readonly createdAt: Date;
  /** The registry's expiry. In `auto_renew_grace` it includes `addedYears`. Not after `createdAt`: it does not show another registrar's. */
  readonly expiresAt: Date;
  /** Years that the registry adds at expiry (automatic renewal); one if absent. */
  readonly addedYears?: number;
  readonly nameservers: readonly string[];
  readonly transferLocked: boolean;
  /** A transfer to another registrar has been requested and is not complete (EPP's pendingTransfer). */
  readonly transferPending: boolean;
  /** The registry has accepted a renewal and decides on it later (EPP's pendingRenew). */
  readonly renewalPending?: boolean;
  /** Whether the registrar renews the name by itself and charges us; absent if it never does. */
  readonly registrarRenews?: boolean;
  /** Although the registrar renews, auto-renewal can be off: the service then deletes the name before. */
  readonly deletableBeforeRenewal?: boolean;
  /** Until when the auth code works, if the registry shows that; the service withdraws its own codes then. */
  readonly authCodeUntil?: Date;
  /** The vendor's verification of the registrant's contact data, if it reports one. An unverified name may be suspended. */
  readonly contactVerification?: 'pending' | 'verified';
  /** When the phase ends without a command, if it does. */
  readonly phaseEndsAt?: Date;
  /** True if `phaseEndsAt` is computed and not from the registry: the service then prefers its own data. */
  readonly phaseEndIsEstimate?: boolean;
}

/** The registry's data after a command that may be charged. */
export interface ChargedDomain extends RegistryDomain {
  /** The amount charged, if the response contains it. Never more than the agreed price. */
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
  /** For people only. The service reads `info` for the state of `name`, for every kind. */
  readonly kind:
    'changed' | 'registered' | 'registration_refused' | 'transferred_out' | 'deleted' | 'low_balance' | 'other';
  /** The name that the message is about, if any. */
  readonly name?: DomainName;
  /** Further names in the message, at most 20. The service reads `info` of those that it holds, too. */
  readonly furtherNames?: readonly DomainName[];
  /** A name that this registry does not serve for us. The service takes no action. */
  readonly foreignName?: string;
  readonly text: string;
  /** The whole message as received, if the adapter cannot parse it. Kept as a dead letter, then acknowledged. */
  readonly unreadable?: string;
}

export type RejectionReason =
  /** The name is taken, reserved or not sold. */
  | 'unavailable'
  /** The registry's price differs from the agreed one. */
  | 'price_changed'
  /** `currentExpiry` is not the registry's. */
  | 'expiry_differs'
  /** The name is unregistered, or another registrar sponsors it. */
  | 'not_held'
  /** The name's status prohibits the command. */
  | 'status'
  /** The registry's policy prohibits the command, or a value is invalid there. */
  | 'policy'
  /** Our balance at the registry is too low. The operator must act. */
  | 'credit'
  /** The auth code is wrong, expired or withdrawn. */
  | 'auth_code'
  /** The vendor does not offer the command. */
  | 'unsupported';
