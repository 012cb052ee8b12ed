/** How long the notifier waits for secondaries, in milliseconds. A campaign shortens them, to have an hour in seconds. */
export interface NotifyTimes {
  /** Between queries whether a secondary serves a change. */
  readonly maxCheckInterval: number;
  readonly maxRenotifyInterval: number;
  /** Between queries whether an unreachable secondary answers again. */
  readonly probeInterval: number;
  /** A zone that a secondary has not served for this long no longer delays the stored progress. */
  readonly ignorePendingAfter: number;
  /** Between comparisons of all zones: a safety net for changes that polling missed. */
  readonly fullComparisonInterval: number;
  /** Between polls that overlap by `maxClockSkew`. */
  readonly longOverlapInterval: number;
  readonly saveInterval: number;
  /** `changed_at` is the time of a write on the writer's clock: a commit can become visible this much later. */
  readonly maxClockSkew: number;
}

export const NOTIFY_TIMES: NotifyTimes = {
  maxCheckInterval: 30_000,
  maxRenotifyInterval: 60_000,
  probeInterval: 2_000,
  ignorePendingAfter: 3_600_000,
  fullComparisonInterval: 600_000,
  longOverlapInterval: 10_000,
  saveInterval: 10_000,
  maxClockSkew: 120_000,
};
