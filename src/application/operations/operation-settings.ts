/** What the operator configures about operations. Times are in milliseconds. */
export interface OperationSettings {
  /** How long a request waits for its operation. */
  readonly waitMs: number;
  /** How long a registry may take for one call; its outcome counts as unknown afterwards. */
  readonly callMs: number;
  /** How long what a killed process held stays out of reach. */
  readonly leaseMs: number;
  /** Calls under way at the registry at one time, for each process. */
  readonly concurrency: number;
  /** Whether no other process shares the database: what runs at start is then what a killed one left. */
  readonly alone: boolean;
}
export const OperationSettings = Symbol('OperationSettings');
