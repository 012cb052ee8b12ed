import { wholeYearsBetween } from '../../shared/time/calendar';
import { DomainName } from '../../shared/domain-name';
import { DomainStatusConflict } from '../../shared/domain-errors';
import { mayLag, nextCheckAt } from '../lifecycle/next-check';
import type { LostAttempt } from '../operations/operation';
import { idempotencyKeyOf, transactionIdOf } from '../operations/transaction-id';
import type { NewTransfer, TransferError, TransferState, TransferStatus } from './transfer-state';

type EndStatus = 'completed' | 'rejected' | 'cancelled' | 'expired';

/** What a registry reports about our pending request. */
export type RequestFacts = Pick<TransferState, 'requestedAt' | 'endsAt'> & {
  readonly charged?: NonNullable<TransferState['charged']> | undefined;
};

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
