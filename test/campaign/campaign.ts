/** A long proof: kills, restarts or large tables. CI runs it at `ciSize`; `npm run campaign -- NAME SIZE` runs it at any size. */
export interface Campaign {
  readonly name: string;
  /** What one unit of size is, in the plural: kills, restarts, rows. */
  readonly unit: string;
  readonly ciSize: number;
  /** The size that the acceptance figures ask for. */
  readonly fullSize: number;
  /** Equal seeds make equal choices; the order of events between processes still differs. */
  run(size: number, seed: number): Promise<CampaignResult>;
}

export interface CampaignResult {
  /** One line of figures. */
  readonly summary: string;
  /** What went wrong, a line each. Empty: the campaign passed. */
  readonly failures: readonly string[];
  /** Aims of time and speed that were missed. They are failures at full size only, on a quiet machine; a small run prints them. */
  readonly missed?: readonly string[];
}
