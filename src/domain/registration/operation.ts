import type { Actor } from '../access/actor';
import type { ErrorCode } from '../shared/error-code';
import type { Money } from '../shared/money';
import type { Registrant } from './registrant';

/** What an operation that has a price cost: what was charged, or the price agreed where that is not known. */
export function costOf({ charged }: Pick<OperationState, 'charged'>, { price }: { readonly price: Money }): Money {
  return charged ?? price;
}

/** What a registry is asked for, with what it takes to ask again. No secrets. */
export type OperationRequest =
  | { readonly kind: 'register'; readonly years: number; readonly price: Money }
  | { readonly kind: 'renew'; readonly years: number; readonly price: Money; readonly currentExpiry?: string }
  | { readonly kind: 'set_nameservers'; readonly hosts: readonly string[] }
  | { readonly kind: 'set_registrant'; readonly registrant: Registrant }
  | { readonly kind: 'set_transfer_lock'; readonly locked: boolean }
  | { readonly kind: 'issue_auth_code' }
  | { readonly kind: 'withdraw_auth_code' }
  | { readonly kind: 'restore'; readonly price: Money }
  /** In the add grace period on the account's wish; after the renewal grace period by the service itself. */
  | { readonly kind: 'delete'; readonly within: 'add_grace' | 'any_time' };
export type OperationKind = OperationRequest['kind'];
export type RequestOf<K extends OperationKind> = Extract<OperationRequest, { kind: K }>;

/** `uncertain`: the registry was asked and its answer is not known; it is looked at before anything is repeated. */
export type OperationStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'uncertain';

export interface OperationState {
  readonly id: string;
  readonly accountId: string;
  readonly domainId: string;
  /** Who asked for it. */
  readonly actor: Actor;
  readonly request: OperationRequest;
  readonly status: OperationStatus;
  /** Attempts begun so far, also those of which nothing was sent. */
  readonly attempts: number;
  /** The id that the current attempt is known by at the registry; stored before it is sent. */
  readonly transactionId: string;
  readonly nextAttemptAt: Date;
  /** Who runs it, and until when nobody else may. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  /** Since when it has not been known whether an attempt took effect; null where that is known. */
  readonly uncertainSince: Date | null;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  /** What the registry charged, where its response said so; null where it did not or the response was lost. */
  readonly charged: Money | null;
  /** What a success has to hand over to whoever asked, sealed, and when it is erased at the latest. */
  readonly handover: { readonly sealed: string; readonly until: Date } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;
/** However often a person asks. */
const MIN_CHECK_INTERVAL_MS = 5_000;
/** From then on a person should look. */
const LONG_UNCERTAIN_MS = 10 * 60_000;

/**
 * The operation that may run next on a domain, of all that are `unfinished` there in the order asked for: the first,
 * unless another still runs under its lease or the first waits for its next attempt.
 */
export function nextToRun(unfinished: readonly Operation[], now: Date): Operation | undefined {
  const [first] = unfinished;
  return first?.isDue(now) && !unfinished.some((operation) => operation.isLeased(now)) ? first : undefined;
}

/** A change at a registry: stored before it is attempted, finished together with what it changed. */
export class Operation {
  private constructor(private state: OperationState) {}

  /** `last` is what waits on the domain last so far: the order asked for holds even where clocks disagree. */
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

  isLeased(now: Date): boolean {
    const { status, leaseUntil } = this.state;
    return status === 'running' && leaseUntil !== null && leaseUntil > now;
  }

  isDue(now: Date): boolean {
    return this.state.nextAttemptAt <= now;
  }

  /** Whether the attempt that `transactionId` names still runs under this owner's lease. */
  isHeldBy(leaseOwner: string, transactionId: string): boolean {
    return (
      this.state.status === 'running' &&
      this.state.leaseOwner === leaseOwner &&
      this.state.transactionId === transactionId
    );
  }

  /** Whether it is unknown if an attempt took effect: its answer was lost, or whoever ran it is gone. */
  isInDoubt(now: Date): boolean {
    const { status } = this.state;
    return status === 'uncertain' || (status === 'running' && (this.mayHaveTakenEffect || !this.isLeased(now)));
  }

  /** Begins an attempt under a lease. The attempt has a transaction id of its own, so that no registry sees one twice. */
  begin(leaseOwner: string, leaseUntil: Date, now: Date): void {
    const attempts = this.state.attempts + 1;
    const wasAbandoned = this.state.status === 'running';
    const uncertainSince = this.state.uncertainSince ?? (wasAbandoned ? now : null);
    this.change(
      {
        status: 'running',
        attempts,
        transactionId: transactionIdOf(this.state.id, attempts),
        leaseOwner,
        leaseUntil,
        uncertainSince,
      },
      now,
    );
  }

  /** Fixes the expiry that a renewal quotes, so that every repetition quotes the same. */
  quoteExpiry(currentExpiry: Date, now: Date): void {
    const { request } = this.state;
    if (request.kind !== 'renew' || request.currentExpiry !== undefined) return;
    this.change({ request: { ...request, currentExpiry: currentExpiry.toISOString() } }, now);
  }

  succeed(
    now: Date,
    { handover = null, charged = null }: Partial<Pick<OperationState, 'handover' | 'charged'>> = {},
  ): void {
    this.finish({ status: 'succeeded', error: null, handover, charged }, now);
  }

  fail(error: NonNullable<OperationState['error']>, now: Date): void {
    this.finish({ status: 'failed', error }, now);
  }

  /** The outcome is unknown: another look is due after a wait as long as the doubt has lasted, `jitter` (0 to 1) spreading the crowd. */
  doubt(error: NonNullable<OperationState['error']>, jitter: number, now: Date): void {
    const lasting = now.getTime() - (this.state.uncertainSince ?? now).getTime();
    const wait = Math.min(Math.max(FIRST_RETRY_MS, lasting), LAST_RETRY_MS) * (0.5 + jitter / 2);
    this.giveUp({ error, nextAttemptAt: new Date(now.getTime() + wait) }, now);
  }

  /** Nothing of this attempt was sent: what was known of the outcome before is known still, and nothing is sent before `until`. */
  postpone(error: NonNullable<OperationState['error']>, until: Date, now: Date): void {
    const status = this.mayHaveTakenEffect ? 'uncertain' : 'queued';
    this.change({ error, status, nextAttemptAt: until, leaseOwner: null, leaseUntil: null }, now);
  }

  /** Whoever runs it stops before there is an answer: another look is due at once, by anybody. */
  handBack(now: Date): void {
    this.giveUp({ nextAttemptAt: now }, now);
  }

  /** Makes the next attempt due now. Seconds to wait, and nothing is changed, if the last one is too recent; undefined if it is due. */
  hasten(now: Date): number | undefined {
    const waitMs = this.state.updatedAt.getTime() + MIN_CHECK_INTERVAL_MS - now.getTime();
    if (this.finished || this.isLeased(now) || this.isDue(now)) return undefined;
    if (waitMs > 0) return Math.ceil(waitMs / 1_000);
    this.change({ nextAttemptAt: now }, now);
    return undefined;
  }

  isUncertainForLong(now: Date): boolean {
    const { uncertainSince } = this.state;
    return uncertainSince !== null && now.getTime() - uncertainSince.getTime() >= LONG_UNCERTAIN_MS;
  }

  toState(): OperationState {
    return this.state;
  }

  private giveUp(part: Partial<OperationState>, now: Date): void {
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
    this.change({ ...outcome, uncertainSince: null, leaseOwner: null, leaseUntil: null, finishedAt: now }, now);
  }

  private change(part: Partial<OperationState>, now: Date): void {
    this.state = { ...this.state, ...part, updatedAt: now };
  }
}

/** EPP allows 3 to 64 characters (RFC 5730 trIDStringType); ours never repeat because ids and attempt numbers never do. */
function transactionIdOf(operationId: string, attempt: number): string {
  return `${operationId.replace('_', '-')}-${attempt}`;
}

/** The id of the operation that a transaction id was made for. */
export function operationOf(transactionId: string): string {
  return transactionId.replace(/-\d+$/, '').replace('-', '_');
}
