/** What the service does by itself when its time has come, as far as it takes to let time go by. */
export interface DueWork {
  /** Does everything that is due by now, the registry's messages included, and waits for the operations that come of it. */
  settle(): Promise<void>;
  /** When something is due next, if anything ever is. */
  nextDueAt(): Promise<Date | undefined>;
}
export const DueWork = Symbol('DueWork');
