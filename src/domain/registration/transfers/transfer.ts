import type { Actor } from '../../access/actor';
import type { ErrorCode } from '../../shared/error-code';
import { wholeYearsBetween } from '../../shared/time/calendar';
import type { Money } from '../../shared/money';
import { DomainName } from '../../shared/domain-name';
import { DomainStatusConflict } from '../../shared/domain-errors';
import { mayLag, nextCheckAt } from '../lifecycle/next-check';
import { idempotencyKeyOf, transactionIdOf, type LostAttempt } from '../operation';
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
type EndStatus = 'completed' | 'rejected' | 'cancelled' | 'expired';

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

/** What a registry reports about our pending request. */
export type RequestFacts = Pick<TransferState, 'requestedAt' | 'endsAt'> & { readonly charged?: Money | undefined };

/** A transfer of a name from another registrar to us: stored before it is requested, and then followed for days. */
export class Transfer {
  /** Set by `begin`. */
  private isReadOnly = false;
  private lagMs = 0;

  private constructor(private state: TransferState) {}

  static request({ name, ...intent }: NewTransfer, now: Date): Transfer {
    return new Transfer({
      ...intent,
      name: name.value,
      addedYears: null,
      status: 'queued',
      attempts: 0,
      transactionId: transactionIdOf(intent.id, 1),
      uncertainSince: null,
      lostAt: null,
      cancelRequestedAt: null,
      requestedAt: null,
      endsAt: null,
      charged: null,
      error: null,
      domainId: null,
      leaseOwner: null,
      leaseUntil: null,
      nextAttemptAt: now,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    });
  }

  static fromState(state: TransferState): Transfer {
    return new Transfer(state);
  }

  get id(): string {
    return this.state.id;
  }

  get name(): DomainName {
    return DomainName.fromState(this.state.name);
  }

  get status(): TransferStatus {
    return this.state.status;
  }

  get transactionId(): string {
    return this.state.transactionId;
  }

  get finished(): boolean {
    return this.state.finishedAt !== null;
  }

  /** Whether an earlier attempt to send the request may have taken effect. */
  get mayHaveTakenEffect(): boolean {
    return this.state.uncertainSince !== null;
  }

  /** The same in each attempt, for vendors with idempotency keys. In the format of transaction ids. */
  get idempotencyKey(): string {
    return idempotencyKeyOf(this.state.id);
  }

  /** Whether this attempt may not send the request, because an earlier one may have taken effect without being shown yet. */
  get mayOnlyRead(): boolean {
    return this.isReadOnly;
  }

  /** How long the registry's reads may lag behind this attempt. */
  get readLagMs(): number {
    return this.lagMs;
  }

  /** Whether an attempt may start: the next one is due, or the lease of the last one ran out. */
  isDue(now: Date): boolean {
    const dueAt = this.state.leaseUntil ?? this.state.nextAttemptAt;
    return dueAt !== null && dueAt <= now;
  }

  /** Whether `leaseOwner` still holds the lease of the attempt `transactionId`. */
  isLeasedBy(leaseOwner: string, transactionId: string): boolean {
    return this.state.leaseOwner === leaseOwner && this.state.transactionId === transactionId;
  }

  /**
   * Starts an attempt under a lease. After an abandoned one, it is unknown whether the request was sent.
   * @param readLagMs how long the registry's reads may lag behind a command
   */
  begin(leaseOwner: string, leaseUntil: Date, now: Date, readLagMs = 0): void {
    const attempts = this.state.attempts + 1;
    const mayHaveBeenSent = this.state.status === 'queued' && this.state.leaseOwner !== null;
    const uncertainSince = this.state.uncertainSince ?? (mayHaveBeenSent ? now : null);
    const lostAt = mayHaveBeenSent ? now : (this.state.lostAt ?? uncertainSince);
    this.lagMs = readLagMs;
    this.isReadOnly = mayLag(lostAt, readLagMs, now);
    this.change(
      {
        attempts,
        transactionId: transactionIdOf(this.state.id, attempts),
        uncertainSince,
        lostAt,
        leaseOwner,
        leaseUntil,
        nextAttemptAt: null,
      },
      now,
    );
  }

  /**
   * Asks for a cancellation. A request that was never sent is cancelled at once; otherwise the registry is asked to cancel it.
   * A repetition changes nothing. @throws DomainStatusConflict if the transfer has ended or is approved
   */
  requestCancellation(now: Date): void {
    const { status, leaseOwner, cancelRequestedAt } = this.state;
    if (status === 'cancelled' || (cancelRequestedAt && !this.finished)) return;
    if (status !== 'queued' && status !== 'pending')
      throw new DomainStatusConflict(`The transfer is ${status} and can no longer be cancelled`);
    const wasNeverSent = status === 'queued' && leaseOwner === null && !this.mayHaveTakenEffect;
    this.change({ cancelRequestedAt: now, nextAttemptAt: now }, now);
    if (wasNeverSent) this.end('cancelled', null, now);
  }

  /** The registry has accepted the request. The auth code is not needed any more. */
  accept({ requestedAt, endsAt, charged }: RequestFacts, nextAttemptAt: Date, now: Date): void {
    this.change(
      {
        ...this.released(nextAttemptAt),
        status: 'pending',
        sealedAuthCode: null,
        uncertainSince: null,
        lostAt: null,
        error: null,
        requestedAt: requestedAt ?? this.state.requestedAt,
        endsAt: endsAt ?? this.state.endsAt,
        charged: charged ?? this.state.charged,
      },
      now,
    );
  }

  /** The registry reports the transfer complete before the name is ours. */
  approve({ charged }: Pick<RequestFacts, 'charged'>, nextAttemptAt: Date, now: Date): void {
    this.change(
      {
        ...this.released(nextAttemptAt),
        status: 'approved',
        sealedAuthCode: null,
        uncertainSince: null,
        lostAt: null,
        cancelRequestedAt: null,
        error: null,
        charged: charged ?? this.state.charged,
      },
      now,
    );
  }

  /** The registry refused to cancel it, so it goes on. */
  refuseCancellation(error: TransferError, nextAttemptAt: Date, now: Date): void {
    this.change({ ...this.released(nextAttemptAt), cancelRequestedAt: null, error }, now);
  }

  /** `expiresAt`: the expiry afterwards; undefined if the registry may not show it yet. */
  complete(
    domainId: string,
    { charged, expiresAt }: Pick<RequestFacts, 'charged'> & { readonly expiresAt?: Date | undefined },
    now: Date,
  ): void {
    const { formerExpiry } = this.state;
    const addedYears = formerExpiry && expiresAt ? wholeYearsBetween(formerExpiry, expiresAt) : null;
    this.change({ domainId, addedYears, charged: charged ?? this.state.charged }, now);
    this.end('completed', null, now);
  }

  end(status: EndStatus, error: TransferError | null, now: Date): void {
    this.change(
      {
        status,
        error,
        leaseOwner: null,
        leaseUntil: null,
        sealedAuthCode: null,
        registrant: null,
        uncertainSince: null,
        lostAt: null,
        nextAttemptAt: null,
        finishedAt: now,
      },
      now,
    );
  }

  /** The attempt sent no command, or only read the state. */
  postpone(error: TransferError | null, nextAttemptAt: Date, now: Date): void {
    this.change({ ...this.released(nextAttemptAt), error }, now);
  }

  /** The response to the request was lost. Schedules a check of the registry (`nextCheckAt`). */
  markOutcomeUnknown(
    error: TransferError,
    jitter: number,
    now: Date,
    { isSent = true, readLagMs = 0 }: LostAttempt = {},
  ): void {
    const lostAt = isSent ? now : this.state.lostAt;
    const uncertainSince = this.state.uncertainSince ?? now;
    const nextAttemptAt = nextCheckAt({ uncertainSince, lostAt, readLagMs }, jitter, now);
    this.change({ ...this.released(nextAttemptAt), error, uncertainSince, lostAt }, now);
  }

  /** Makes the next attempt due now, because the registry sent a message about the name. */
  expedite(now: Date): void {
    if (!this.finished) this.state = { ...this.state, nextAttemptAt: now };
  }

  toState(): TransferState {
    return this.state;
  }

  /** What called for another attempt during this one counts: this one may have read older facts. */
  private released(nextAttemptAt: Date): Pick<TransferState, 'leaseOwner' | 'leaseUntil' | 'nextAttemptAt'> {
    return { leaseOwner: null, leaseUntil: null, nextAttemptAt: this.state.nextAttemptAt ?? nextAttemptAt };
  }

  private change(part: Partial<TransferState>, now: Date): void {
    this.state = { ...this.state, ...part, updatedAt: now };
  }
}
