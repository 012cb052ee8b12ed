import type { DomainName } from '../../../domain/shared/domain-name';
import type { Registrant } from '../../../domain/registration/registrant';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import type { Money } from '../../../domain/shared/money';

/** The part of `RegistryPort` about transfers between registrars (RFC 5730 section 2.9.3.4, RFC 5731 section 3.2.4). */
export interface RegistryTransfers {
  /**
   * Returns the fee of a transfer to us, including the years that it adds. Repeatable. Feature `transfer_in`.
   * @param term the years that the transfer adds; the shortest that the TLD sells if absent
   */
  transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money>;

  /**
   * Requests a transfer from the sponsoring registrar to us (RFC 5731 section 3.2.4). It is charged once: with the request
   * or on completion. Completes at once, or after days. A repetition while it is pending is rejected as `status` and not
   * charged; `transferStatus` then shows whether the pending request is ours. Feature `transfer_in`.
   * The completed name keeps its nameservers. It may be unlocked and, where registrants are contact objects, keep its former
   * registrant: the caller then sets both.
   * @throws RegistryRejected (`auth_code`: wrong, expired or withdrawn; `status`: locked, already pending, or in a phase
   *   that prohibits transfers; `policy`: too new, already ours, or another term than the TLD transfers for;
   *   `not_held`: unregistered; `price_changed`)
   */
  requestTransfer(request: TransferRequest): Promise<RegistryTransfer>;

  /** Returns the latest transfer of a name to or from us, undefined if there is none or the registry no longer reports it. Repeatable. */
  transferStatus(name: DomainName): Promise<RegistryTransfer | undefined>;

  /**
   * Cancels our pending transfer request. A charge for it is refunded. A repetition is rejected as `status`, the request of
   * another registrar as `not_held`.
   * Feature `cancel_transfer`.
   */
  cancelTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer>;

  /**
   * Approves a pending transfer away from us: the name is lost at once. A repetition is rejected as `status` or `not_held`.
   * Feature `decide_transfer`.
   */
  approveTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer>;

  /** Rejects a pending transfer away from us. A repetition is rejected as `status`. Feature `decide_transfer`. */
  rejectTransfer(name: DomainName, transactionId: string): Promise<RegistryTransfer>;

  /**
   * Moves a name to the registrar with this tag, without a request of that registrar: at once, or as soon as it accepts.
   * The caller reads `info`: a name that has moved is not sponsored by us. A repetition after that is rejected as `not_held`.
   * Optional: `TldPolicy.releases` says where it is called.
   * @throws RegistryRejected (`not_held`; `policy`: unknown tag, or one that takes no names)
   */
  release?(name: DomainName, registrarTag: string, transactionId: string): Promise<void>;
}

export interface TransferRequest {
  readonly name: DomainName;
  /** The years that the transfer adds to the expiry. */
  readonly term: RegistrationTerm;
  readonly registrant: Registrant;
  /** Secret: never logged. Can be empty where the policy has `transfersWithoutCode`. */
  readonly authCode: string;
  /** The price that the account agreed to. */
  readonly price: Money;
  readonly transactionId: string;
  /** As of `RegistryPort`. */
  readonly idempotencyKey?: string;
}

/** A transfer between registrars. */
export interface RegistryTransfer {
  readonly name: DomainName;
  /** To us, or away from us. */
  readonly direction: 'in' | 'out';
  readonly status: 'pending' | 'completed' | 'rejected' | 'cancelled';
  readonly requestedAt: Date;
  /** When a pending transfer ends without a command (EPP's acDate); absent if the registry does not report it. */
  readonly endsAt?: Date;
  /** The amount charged, if the registry reports it. Never more than the agreed price. */
  readonly charged?: Money;
}
