import type { Actor } from '../../access/actor';
import type { ErrorCode } from '../../shared/error-code';
import type { Money } from '../../shared/money';
import { mayLag, nextCheckAt } from '../lifecycle/next-check';
import type { OperationKind, OperationRequest } from './operation-request';
import { idempotencyKeyOf, transactionIdOf } from './transaction-id';

/** `uncertain`: the command was sent and its outcome is unknown. The registry is checked before the command is repeated. */
export type OperationStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'uncertain';

export interface OperationState {
  readonly id: string;
  readonly accountId: string;
  readonly domainId: string;
  readonly actor: Actor;
  readonly request: OperationRequest;
  readonly status: OperationStatus;
  /** Attempts so far, including those that sent nothing. */
  readonly attempts: number;
  /** Client transaction id of the current attempt; stored before the command is sent. */
  readonly transactionId: string;
  readonly nextAttemptAt: Date;
  /** The process that runs it, and until when its lease lasts. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  /** Since when the outcome of an attempt has been unknown; null if it is known. */
  readonly uncertainSince: Date | null;
  /** When the last attempt that may have been sent ended without a known outcome. The registry's reads may lag behind it. */
  readonly lostAt: Date | null;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  /** What the registry charged; null if its response did not say so or was lost. */
  readonly charged: Money | null;
  /** A sealed result for the waiting request (an auth code), and when it is erased at the latest. */
  readonly handover: { readonly sealed: string; readonly until: Date } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
  /** The span that requested it (W3C Trace Context). Absent without traces. */
  readonly traceParent?: string;
}

/** An attempt without a known outcome. */
export interface LostAttempt {
  /** Whether it may have sent its command; true if absent. */
  readonly isSent?: boolean;
  readonly readLagMs?: number;
}

/** Minimum time between checks that users request. */
const MIN_CHECK_INTERVAL_MS = 5_000;
/** After this time, the operator must check with the registry. */
const LONG_UNCERTAIN_MS = 10 * 60_000;

/**
 * Picks the next operation to run from the `unfinished` operations of a domain, in request order: the first one, unless
 * another is still running under its lease or the first is waiting for its next attempt.
 */
export function nextToRun(unfinished: readonly Operation[], now: Date): Operation | undefined {
  const [first] = unfinished;
  return first?.isDue(now) && !unfinished.some((operation) => operation.isLeased(now)) ? first : undefined;
}

/** A change at a registry: stored before it is attempted, finished in the transaction that stores its effect. */
export class Operation {
  /** Set by `begin`. */
  private isReadOnly = false;
  private lagMs = 0;

  private constructor(private state: OperationState) {}

  /** `last` is the domain's last queued operation. Operations keep request order even if process clocks differ. */
  static queue(
    intent: Pick<OperationState, 'id' | 'accountId' | 'domainId' | 'actor' | 'request'>,
    now: Date,
    last?: Operation,
  ): Operation {
    const createdAt = new Date(Math.max(now.getTime(), (last?.state.createdAt.getTime() ?? 0) + 1));
    return new Operation({
      ...intent,
      status: 'queued',
      attempts: 0,
      transactionId: transactionIdOf(intent.id, 1),
      nextAttemptAt: now,
      leaseOwner: null,
      leaseUntil: null,
      uncertainSince: null,
      lostAt: null,
      error: null,
      charged: null,
      handover: null,
      createdAt,
      updatedAt: now,
      finishedAt: null,
    });
  }

  static fromState(state: OperationState): Operation {
    return new Operation(state);
  }

  get id(): string {
    return this.state.id;
  }

  get actor(): Actor {
    return this.state.actor;
  }

  get request(): OperationRequest {
    return this.state.request;
  }

  get kind(): OperationKind {
    return this.state.request.kind;
  }

  get transactionId(): string {
    return this.state.transactionId;
  }

  get finished(): boolean {
    return this.state.status === 'succeeded' || this.state.status === 'failed';
  }

  /** Whether an attempt before the current one may have taken effect. */
  get mayHaveTakenEffect(): boolean {
    return this.state.uncertainSince !== null;
  }

  /** The same in each attempt, for vendors with idempotency keys. In the format of transaction ids. */
  get idempotencyKey(): string {
    return idempotencyKeyOf(this.state.id);
  }

  /** Whether this attempt may only read, because an earlier command may have taken effect without being shown yet. */
  get mayOnlyRead(): boolean {
    return this.isReadOnly;
  }

  /** How long the registry's reads may lag behind this attempt. */
  get readLagMs(): number {
    return this.lagMs;
  }

  isLeased(now: Date): boolean {
    const { status, leaseUntil } = this.state;
    return status === 'running' && leaseUntil !== null && leaseUntil > now;
  }

  isDue(now: Date): boolean {
    return this.state.nextAttemptAt <= now;
  }

  /** Whether `leaseOwner` still holds the lease of the attempt `transactionId`. */
  isLeasedBy(leaseOwner: string, transactionId: string): boolean {
    return (
      this.state.status === 'running' &&
      this.state.leaseOwner === leaseOwner &&
      this.state.transactionId === transactionId
    );
  }

  /** Whether the outcome is unknown, and no attempt began since `read`. */
  isUncertainSince(read: Operation): boolean {
    return this.state.status === 'uncertain' && this.state.transactionId === read.transactionId;
  }

  /** Whether it is unknown if an attempt took effect: its response was lost, or its process stopped. */
  isOutcomeUnknown(now: Date): boolean {
    const { status } = this.state;
    return status === 'uncertain' || (status === 'running' && (this.mayHaveTakenEffect || !this.isLeased(now)));
  }

  /**
   * Starts an attempt under a lease. Each attempt has a new transaction id, because registries must see each id once.
   * @param readLagMs how long the registry's reads may lag behind a command
   */
  begin(leaseOwner: string, leaseUntil: Date, now: Date, readLagMs = 0): void {
    const attempts = this.state.attempts + 1;
    const wasAbandoned = this.state.status === 'running';
    const uncertainSince = this.state.uncertainSince ?? (wasAbandoned ? now : null);
    const lostAt = wasAbandoned ? now : (this.state.lostAt ?? uncertainSince);
    const { request } = this.state;
    const isAccepted = 'accepted' in request && request.accepted;
    this.lagMs = readLagMs;
    this.isReadOnly = isAccepted || mayLag(lostAt, readLagMs, now);
    this.change(
      {
        status: 'running',
        attempts,
        transactionId: transactionIdOf(this.state.id, attempts),
        leaseOwner,
        leaseUntil,
        uncertainSince,
        lostAt,
      },
      now,
    );
  }

  /** Within its attempt, so nothing else of it changes. */
  extendLease(leaseUntil: Date): void {
    this.state = { ...this.state, leaseUntil };
  }

  /** Stores the current expiry that a renewal sends, so that every retry sends the same. */
  setCurrentExpiry(currentExpiry: Date, now: Date): void {
    const { request } = this.state;
    if (request.kind !== 'renew' || request.currentExpiry !== undefined) return;
    this.change({ request: { ...request, currentExpiry: currentExpiry.toISOString() } }, now);
  }

  /** Records that the registry has accepted a renewal and decides on it later. */
  markUndecided(now: Date): void {
    const { request } = this.state;
    if (request.kind === 'renew') this.change({ request: { ...request, undecided: true } }, now);
  }

  /** Records that the registry has accepted the command and does not show its effect yet. */
  markAccepted(now: Date): void {
    const { request } = this.state;
    if (request.kind === 'renew' || request.kind === 'restore')
      this.change({ request: { ...request, accepted: true } }, now);
  }

  /** Records that the registry may have another registrant than was ordered, and why. */
  markRegistrantRefused(reason: string, now: Date): void {
    const { request } = this.state;
    if (request.kind === 'register') this.change({ request: { ...request, registrantRefused: reason } }, now);
  }

  /** Records what a response said that it charged, before the outcome is known. */
  setCharged(charged: Money, now: Date): void {
    this.change({ charged }, now);
  }

  succeed(
    now: Date,
    { handover = null, charged = this.state.charged }: Partial<Pick<OperationState, 'handover' | 'charged'>> = {},
  ): void {
    this.finish({ status: 'succeeded', error: null, handover, charged }, now);
  }

  fail(error: NonNullable<OperationState['error']>, now: Date): void {
    this.finish({ status: 'failed', error, charged: null }, now);
  }

  /** Schedules a check of the registry (`nextCheckAt`). */
  markOutcomeUnknown(
    error: NonNullable<OperationState['error']>,
    jitter: number,
    now: Date,
    { isSent = true, readLagMs = 0 }: LostAttempt = {},
  ): void {
    const lostAt = isSent ? now : this.state.lostAt;
    const { uncertainSince } = this.state;
    const nextAttemptAt = nextCheckAt({ uncertainSince: uncertainSince ?? now, lostAt, readLagMs }, jitter, now);
    this.leaveUncertain({ error, lostAt, nextAttemptAt }, now);
  }

  /** This attempt sent nothing, so the outcome is as uncertain as before. The next attempt is at `until`. */
  postpone(error: NonNullable<OperationState['error']>, until: Date, now: Date): void {
    const status = this.mayHaveTakenEffect ? 'uncertain' : 'queued';
    this.change({ error, status, nextAttemptAt: until, leaseOwner: null, leaseUntil: null }, now);
  }

  /** Gives up the lease without an outcome, so that any process can check the registry immediately. */
  release(now: Date): void {
    this.leaveUncertain({ nextAttemptAt: now, lostAt: this.mayOnlyRead ? this.state.lostAt : now }, now);
  }

  /** Makes the next attempt due now. If the last one is too recent, changes nothing and returns the seconds to wait. */
  requestRetry(now: Date): number | undefined {
    const waitMs = this.state.updatedAt.getTime() + MIN_CHECK_INTERVAL_MS - now.getTime();
    if (this.finished || this.isLeased(now) || this.isDue(now)) return undefined;
    if (waitMs > 0) return Math.ceil(waitMs / 1_000);
    this.change({ nextAttemptAt: now }, now);
    return undefined;
  }

  isUncertainTooLong(now: Date): boolean {
    const { uncertainSince } = this.state;
    return uncertainSince !== null && now.getTime() - uncertainSince.getTime() >= LONG_UNCERTAIN_MS;
  }

  toState(): OperationState {
    return this.state;
  }

  private leaveUncertain(part: Partial<OperationState>, now: Date): void {
    this.change(
      {
        ...part,
        status: 'uncertain',
        uncertainSince: this.state.uncertainSince ?? now,
        leaseOwner: null,
        leaseUntil: null,
      },
      now,
    );
  }

  private finish(outcome: Pick<OperationState, 'status' | 'error'> & Partial<OperationState>, now: Date): void {
    this.change(
      { ...outcome, uncertainSince: null, lostAt: null, leaseOwner: null, leaseUntil: null, finishedAt: now },
      now,
    );
  }

  private change(part: Partial<OperationState>, now: Date): void {
    this.state = { ...this.state, ...part, updatedAt: now };
  }
}
