import type { GlueHost } from '../../../../application/ports/registry/registry-port';
import type { Registrant } from '../../../../domain/registration/registrant';

/** The phases that this registry knows: it completes registrations and restores at once, so it never leaves either pending. */
export type SimulatedPhase = 'registered' | 'auto_renew_grace' | 'redemption' | 'pending_delete';

/** The registry's record of a name that somebody holds. */
export interface Registration {
  readonly name: string;
  /** The registrar that holds it now, and the one that created it. */
  readonly sponsor: string;
  readonly creator: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly phase: SimulatedPhase;
  /** When the phase ends by itself; null for `registered`, which ends at `expiresAt`. */
  readonly phaseEndsAt: Date | null;
  /** The expiry that the registry has moved a year ahead by itself; set in `auto_renew_grace` only. */
  readonly autoRenewedFrom: Date | null;
  readonly addGraceEndsAt: Date | null;
  /** What a deletion within the grace period (after creation or automatic renewal) gives back, in minor units. */
  readonly refundable: number;
  readonly transferLocked: boolean;
  readonly transfer: PendingTransfer | null;
  readonly authCode: StoredAuthCode | null;
  readonly nameservers: readonly string[];
  readonly glue: readonly GlueHost[];
  /** Null where the EPP front registered the name: it keeps contacts of its own. */
  readonly registrant: Registrant | null;
  /** Null where no EPP front has touched the name. */
  readonly details: RegistrationDetails | null;
}

/** What registrars keep with a name over EPP that plays no part in its life. Times are epoch milliseconds. */
export interface RegistrationDetails {
  /** The id of the registrant's contact. */
  readonly registrant: string | null;
  readonly contacts: readonly { readonly type: string; readonly id: string }[];
  /** Set by the sponsor: `clientHold` and its like, but for `clientTransferProhibited`, which is `transferLocked`. */
  readonly statuses: readonly string[];
  readonly ds: readonly DelegationSigner[];
  readonly updatedBy: string | null;
  readonly updatedAt: number | null;
  /** When a restore was asked for whose report is awaited (RFC 3915). */
  readonly restoreRequestedAt: number | null;
  /** The last transfer that was asked for, whatever became of it. */
  readonly transfer: TransferRecord | null;
}

export interface DelegationSigner {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  /** Upper-case hexadecimal. */
  readonly digest: string;
}

export interface TransferRecord {
  readonly gaining: string;
  readonly losing: string;
  readonly requestedAt: number;
  /** `pending` becomes `serverApproved` at `actionAt` unless somebody acts before. */
  readonly state: 'pending' | 'clientApproved' | 'clientRejected' | 'clientCancelled';
  readonly actionAt: number;
}

export interface PendingTransfer {
  readonly gaining: string;
  readonly endsAt: Date;
}

export interface StoredAuthCode {
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly expiresAt: Date;
}

/** A line in a registrar's books. */
export interface Charge {
  readonly registrar: string;
  readonly at: Date;
  readonly kind: 'register' | 'renew' | 'auto_renew' | 'restore' | 'transfer' | 'refund';
  readonly name: string;
  readonly years: number;
  /** Minor units of `PRICE_LIST_CURRENCY`; negative for refunds. */
  readonly amount: number;
  /** The command that caused it; null where time did. */
  readonly transactionId: string | null;
}

/** A message for a registrar's poll queue. */
export interface Notice {
  readonly registrar: string;
  readonly at: Date;
  readonly kind: NoticeKind;
  readonly name: string;
  readonly text: string;
}

export type NoticeKind =
  'changed' | 'transfer_requested' | 'transfer_ended' | 'transferred_in' | 'transferred_out' | 'deleted';

/** What a command or the passing of time leaves behind. */
export interface Outcome {
  /** Undefined where the name is free again. */
  readonly registration: Registration | undefined;
  readonly charges: readonly Charge[];
  readonly notices: readonly Notice[];
}
