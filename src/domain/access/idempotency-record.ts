/** A request with an Idempotency-Key, stored so that a repetition has no second effect. */
export interface IdempotencyRecordState {
  readonly accountId: string;
  readonly key: string;
  /** Distinguishes different requests with the same key. */
  readonly fingerprint: string;
  /** Reserved for the operation of the request, so that a repetition finds it. */
  readonly operationId: string;
  /** The run that has the lease, and until when. */
  readonly holder: string | null;
  readonly heldUntil: Date | null;
  /** The encrypted response; null if none is stored. */
  readonly answer: string | null;
  readonly expiresAt: Date;
}

const KEPT_MS = 24 * 60 * 60_000;

export class IdempotencyRecord {
  private constructor(private state: IdempotencyRecordState) {}

  static begin(
    request: Pick<IdempotencyRecordState, 'accountId' | 'key' | 'fingerprint' | 'operationId'>,
    now: Date,
  ): IdempotencyRecord {
    return new IdempotencyRecord({
      ...request,
      holder: null,
      heldUntil: null,
      answer: null,
      expiresAt: new Date(now.getTime() + KEPT_MS),
    });
  }

  static fromState(state: IdempotencyRecordState): IdempotencyRecord {
    return new IdempotencyRecord(state);
  }

  get operationId(): string {
    return this.state.operationId;
  }

  get answer(): string | null {
    return this.state.answer;
  }

  isSame(fingerprint: string): boolean {
    return this.state.fingerprint === fingerprint;
  }

  isOver(now: Date): boolean {
    return this.state.expiresAt <= now;
  }

  isHeld(now: Date): boolean {
    return this.state.heldUntil !== null && this.state.heldUntil > now;
  }

  isHeldBy(holder: string): boolean {
    return this.state.holder === holder;
  }

  hold(holder: string, heldUntil: Date): void {
    this.state = { ...this.state, holder, heldUntil };
  }

  /** What it changes is committed with this answer: whatever comes, it is not carried out again. Its holder may still better the answer. */
  settle(answer: string): void {
    this.state = { ...this.state, answer };
  }

  keep(answer: string): void {
    this.settle(answer);
    this.release();
  }

  /** Its answer is not worth keeping: the next repetition is carried out, unless the request was settled. */
  release(): void {
    this.state = { ...this.state, holder: null, heldUntil: null };
  }

  toState(): IdempotencyRecordState {
    return this.state;
  }
}
