/** How much of us one registry gets to see, and how long it may keep us waiting. */
export interface RegistryLimits {
  /** Calls at a time. */
  readonly concurrency: number;
  /** Calls that wait for their turn; the next one is turned away. */
  readonly queue: number;
  /** Calls a second; no limit where absent. */
  readonly perSecond?: number;
  /** How long a question (check, price, info, poll) may take. */
  readonly queryMs: number;
  /** How long a command may take. */
  readonly commandMs: number;
  /** After so many failures in a row it is left alone … */
  readonly failures: number;
  /** … for this long, and twice as long after each trial that fails. */
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
