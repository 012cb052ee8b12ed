/** The share of one of `processes` in what a registry allows to an account; at least one, or the process could do nothing. */
export function shareOf(allowed: number, processes: number): number {
  return Math.max(1, Math.floor(allowed / processes));
}
