import { token } from '../inject';

export interface Readiness {
  /** @throws StorageSlow if it can be read, but takes over a second to write; StorageUnavailable while it cannot be reached or takes no writes */
  check(): Promise<void>;
  /** How long the last write has taken, or the present one, if that is longer. Absent before the first one. */
  readonly writeMs?: number | undefined;
}
export const Readiness = token<Readiness>('Readiness');
