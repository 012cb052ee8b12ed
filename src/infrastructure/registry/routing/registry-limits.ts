/** Limits on the calls from this process to one registry; `perSecond` and an open circuit breaker may be shared with others. */
export interface RegistryLimits {
  /** Concurrent calls. */
  readonly concurrency: number;
  /** Calls that wait for their turn; further calls are rejected. */
  readonly queue: number;
  /** Calls per second; unlimited if absent. */
  readonly perSecond?: number;
  /** Time limit of a query (check, price, info, poll). */
  readonly queryMs: number;
  /** Time limit of a command. */
  readonly commandMs: number;
  /** Consecutive failures that open the circuit breaker. */
  readonly failures: number;
  /** How long the circuit breaker first stays open. Doubles after each failed trial call. */
  readonly retryAfterMs: number;
}

export const DEFAULT_LIMITS: RegistryLimits = {
  concurrency: 8,
  queue: 200,
  queryMs: 5_000,
  commandMs: 30_000,
  failures: 5,
  retryAfterMs: 1_000,
};
