/** What the operator configures about operations. Times are in milliseconds. */
export interface OperationSettings {
  /** How long a request waits for its operation. */
  readonly waitMs: number;
  /** How long what a killed process held stays out of reach. */
  readonly leaseMs: number;
  /** Whether no other process shares the database: what runs at start is then what a killed one left. */
  readonly alone: boolean;
}
export const OperationSettings = Symbol('OperationSettings');
