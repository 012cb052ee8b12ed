import type { GlueHost } from '../../../../application/ports/registry/registry-port';
import type { DsRecord } from '../../../../domain/dns/delegation/ds-record';
import type { Registrant } from '../../../../domain/registration/registrant';

/** Lifecycle phases. Registrations and restores complete at once, so there is no pending phase of them. */
export type SimulatedPhase = 'registered' | 'auto_renew_grace' | 'redemption' | 'pending_delete';

/** The registry's record of a registered name. */
export interface Registration {
  readonly name: string;
  /** The sponsoring registrar, and the one that created the name. */
  readonly sponsor: string;
  readonly creator: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly phase: SimulatedPhase;
  /** When the phase ends without a command; null for `registered`, which ends at `expiresAt`. */
  readonly phaseEndsAt: Date | null;
  /** The expiry before the automatic renewal; set in `auto_renew_grace` only. */
  readonly autoRenewedFrom: Date | null;
  readonly addGraceEndsAt: Date | null;
  /** The refund of a deletion in the add or auto-renew grace period, in minor units. */
  readonly refundable: number;
  readonly transferLocked: boolean;
  readonly transfer: PendingTransfer | null;
  readonly authCode: StoredAuthCode | null;
  readonly nameservers: readonly string[];
  readonly glue: readonly GlueHost[];
  /** Null if registered over EPP, where the registrant is a contact object. */
  readonly registrant: Registrant | null;
  /** Null until an EPP command, a transfer or a change of the DS records. */
  readonly details: RegistrationDetails | null;
}

/** EPP data that does not affect the lifecycle. Times are epoch milliseconds. */
export interface RegistrationDetails {
  /** The id of the registrant's contact. */
  readonly registrant: string | null;
  readonly contacts: readonly { readonly type: string; readonly id: string }[];
  /** Client statuses, without `clientTransferProhibited`, which is `transferLocked`. */
  readonly statuses: readonly string[];
  readonly ds: readonly DsRecord[];
  readonly updatedBy: string | null;
  readonly updatedAt: number | null;
  /** When a restore was requested whose report is missing (RFC 3915). */
  readonly restoreRequestedAt: number | null;
  /** The latest requested transfer, pending or not. */
  readonly transfer: TransferRecord | null;
}

export const NO_DETAILS: RegistrationDetails = {
  registrant: null,
  contacts: [],
  statuses: [],
  ds: [],
  updatedBy: null,
  updatedAt: null,
  restoreRequestedAt: null,
  transfer: null,
};

export function detailsOf({ details }: Pick<Registration, 'details'>): RegistrationDetails {
  return details ?? NO_DETAILS;
}

export interface TransferRecord {
  readonly gaining: string;
  readonly losing: string;
  readonly requestedAt: number;
  /** The transfer status of RFC 5730. `pending` becomes `serverApproved` at `actionAt` without a decision. */
  readonly state: 'pending' | 'clientApproved' | 'clientRejected' | 'clientCancelled' | 'serverApproved';
  readonly actionAt: number;
  /** Of the request. */
  readonly transactionId: string;
  /** Charged to the gaining registrar on completion, in minor units. */
  readonly fee: number;
  /** The registrant after completion; the present one if null. Over EPP it is a contact object. */
  readonly registrant: Registrant | null;
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

/** A ledger entry of a registrar. */
export interface Charge {
  readonly registrar: string;
  readonly at: Date;
  readonly kind: 'register' | 'renew' | 'auto_renew' | 'restore' | 'transfer' | 'refund';
  readonly name: string;
  readonly years: number;
  /** Minor units of `PRICE_LIST_CURRENCY`; negative for refunds. */
  readonly amount: number;
  /** The command that caused it; null for a transition that time caused. */
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

/** The result of a command or a transition. */
export interface Outcome {
  /** Undefined if the name is no longer registered. */
  readonly registration: Registration | undefined;
  readonly charges: readonly Charge[];
  readonly notices: readonly Notice[];
}
