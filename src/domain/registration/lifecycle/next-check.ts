const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;

export interface UnknownOutcome {
  readonly uncertainSince: Date;
  /** When the last attempt that may have been sent ended. */
  readonly lostAt: Date | null;
  /** How long the registry's reads may lag behind that attempt. */
  readonly readLagMs: number;
}

/**
 * When the registry is checked again after an unknown outcome. The wait grows with the time of uncertainty, and ends with the
 * read lag at the latest: from then on the command may be repeated. `jitter` is 0 to 1.
 */
export function nextCheckAt({ uncertainSince, lostAt, readLagMs }: UnknownOutcome, jitter: number, now: Date): Date {
  const uncertainMs = now.getTime() - uncertainSince.getTime();
  const wait = Math.min(Math.max(FIRST_WAIT_MS, uncertainMs), LONGEST_WAIT_MS) * (0.5 + jitter / 2);
  const lagMs = lostAt === null ? 0 : lostAt.getTime() + readLagMs - now.getTime();
  return new Date(now.getTime() + (lagMs > 0 ? Math.min(wait, lagMs) : wait));
}

/** Whether reads may not show the effect of a command yet that may have been sent until `lostAt`. */
export function mayLag(lostAt: Date | null, readLagMs: number, now: Date): boolean {
  return lostAt !== null && now.getTime() - lostAt.getTime() < readLagMs;
}
