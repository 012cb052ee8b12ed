/** A long test with kills, restarts or large tables. CI runs it at `ciSize`, `npm run campaign -- NAME SIZE` at any size. */
export interface Campaign {
  readonly name: string;
  /** The unit of `size`, in the plural: kills, restarts, rows. */
  readonly unit: string;
  /** Zero if CI does not run it, because it takes minutes of processor time: for releases, and for changes of what it proves. */
  readonly ciSize: number;
  /** The size for acceptance. */
  readonly fullSize: number;
  /** `seed` repeats the random choices, but not the order of events between processes. */
  run(size: number, seed: number): Promise<CampaignResult>;
}

export interface CampaignResult {
  /** The figures in one line. */
  readonly summary: string;
  /** One line per failure; empty if the campaign passed. */
  readonly failures: readonly string[];
  /** Missed performance aims: failures at full size, which needs a quiet machine, and warnings otherwise. */
  readonly missed?: readonly string[];
}
