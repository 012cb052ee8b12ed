import type { Actor } from '../../access/actor';
import type { DomainName } from '../../shared/domain-name';
import type { ErrorCode } from '../../shared/error-code';
import type { Money } from '../../shared/money';
import type { Registrant } from '../registrant';

const TRANSFER_STATUSES = [
  /** Stored; the registry has not accepted the request yet, or its response was lost. */
  'queued',
  /** Accepted by the registry; the present registrar can approve or reject it. */
  'pending',
  /** The registry reports it complete, and the name is not ours yet. */
  'approved',
  'completed',
  /** By the registry, or by the present registrar. */
  'rejected',
  'cancelled',
  /** It never reached the registry, or the registry no longer reports it. */
  'expired',
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

export interface TransferError {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface TransferState {
  readonly id: string;
  readonly accountId: string;
  readonly actor: Actor;
  readonly name: string;
  /** Ordered years, which the transfer adds to the expiry. */
  readonly years: number;
  /** The expiry before the transfer, without an automatic renewal that a transfer undoes; null if the registry does not show it. */
  readonly formerExpiry: Date | null;
  /** Whole years that the completed transfer added: 0 at the ten-year limit. Null before, or if unknown. */
  readonly addedYears: number | null;
  /** The agreed price of the transfer. */
  readonly price: Money;
  /** Null once the transfer has ended: then the domain has it. */
  readonly registrant: Registrant | null;
  readonly autoRenew: boolean;
  readonly status: TransferStatus;
  /** Sealed; null once the registry has accepted the request, or the transfer has ended. */
  readonly sealedAuthCode: string | null;
  /** Attempts so far, to send the request or to read its state. */
  readonly attempts: number;
  /** Client transaction id of the current attempt; stored before a command is sent. */
  readonly transactionId: string;
  /** Since when the outcome of the request has been unknown; null if it is known. */
  readonly uncertainSince: Date | null;
  /** When the last attempt that may have sent the request ended without a known outcome. The registry's reads may lag behind it. */
  readonly lostAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  /** When the registry accepted the request, and when it ends without a decision. */
  readonly requestedAt: Date | null;
  readonly endsAt: Date | null;
  /** What the registry charged, if its response said so. */
  readonly charged: Money | null;
  /** Why it ended without the domain, or why the last attempt failed. */
  readonly error: TransferError | null;
  /** The domain that it became. */
  readonly domainId: string | null;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  /** When the next attempt is due; null during an attempt, unless something called for another one, and after the end. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

export type NewTransfer = Pick<TransferState, 'id' | 'accountId' | 'actor' | 'years' | 'price' | 'autoRenew'> & {
  readonly name: DomainName;
  readonly registrant: Registrant;
  readonly sealedAuthCode: string;
  readonly formerExpiry: Date | null;
};
