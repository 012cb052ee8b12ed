import { token } from '../ports/inject';

/** Operator settings for operations; times in milliseconds. */
export interface OperationSettings {
  /** How long a request waits for its operation. */
  readonly waitMs: number;
  /** Lease time: how long after a crash other processes wait before they take over. */
  readonly leaseMs: number;
  /** Whether no other process uses the database, so that leases found at start belong to a killed process. */
  readonly alone: boolean;
}
export const OperationSettings = token<OperationSettings>('OperationSettings');
