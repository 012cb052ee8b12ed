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
  readonly response: string | null;
  readonly expiresAt: Date;
}

/** How long a repeated request is recognized. */
export const IDEMPOTENCY_KEY_MS = 24 * 60 * 60_000;

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
      response: null,
      expiresAt: new Date(now.getTime() + IDEMPOTENCY_KEY_MS),
    });
  }

  static fromState(state: IdempotencyRecordState): IdempotencyRecord {
    return new IdempotencyRecord(state);
  }

  get operationId(): string {
    return this.state.operationId;
  }

  get response(): string | null {
    return this.state.response;
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

  /** Stores the final response and ends the run. */
  complete(response: string): void {
    this.state = { ...this.state, response };
    this.release();
  }

  /** Ends the run. Without a stored response, the next repetition runs again. */
  release(): void {
    this.state = { ...this.state, holder: null, heldUntil: null };
  }

  toState(): IdempotencyRecordState {
    return this.state;
  }
}
