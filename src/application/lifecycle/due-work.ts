import { token } from '../ports/inject';

/** Work besides the checks of domains that is due at a time of the lifecycle clock. */
export interface DueWork {
  /** Runs everything that is due, waits for it and returns how much it was. Work that fails is retried later. */
  runDue(): Promise<number>;
  /** Work that messages of a registry make due is not counted. */
  nextDueAt(): Promise<Date | undefined>;
}
export const DueWork = token<DueWork>('DueWork');
