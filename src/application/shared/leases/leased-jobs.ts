import { LeasedLoop } from './leased-loop';
import type { Outage } from '../outage';
import type { Leases } from '../../ports/storage/replicas';
import { sleepUnless } from '../sleep-unless';

const CHECK_EVERY_MS = 1_000;
const JOBS_AT_ONCE = 20;

/** Runs stored jobs in the background, in one process at a time. After a crash, another one continues them where they were. */
export abstract class LeasedJobs<Job extends { readonly id: string }> extends LeasedLoop {
  constructor(leases: Leases, name: string, outage: Outage) {
    super(leases, name, CHECK_EVERY_MS, outage);
  }

  /** In turns, so that the jobs of one account do not hold up those of others. */
  protected abstract unfinished(limit: number): Promise<readonly Job[]>;

  /** Continues the job until it is finished, waits for something, or `stopping` is aborted. */
  protected abstract continue(job: Job, stopping: AbortSignal): Promise<void>;

  protected async hasDue(): Promise<boolean> {
    return (await this.unfinished(1)).length > 0;
  }

  /** While jobs are running, new ones start, and those that wait or have failed start again. */
  protected async runDue(stopping: AbortSignal): Promise<void> {
    const active = new Map<string, Promise<void>>();
    const failures: unknown[] = [];
    const fail = (error: unknown): void => {
      failures.push(error);
      this.outage.recordFailure(error);
    };
    const startJobs = async (): Promise<void> => {
      for (const job of await this.unfinished(JOBS_AT_ONCE)) {
        if (active.has(job.id)) continue;
        const running = this.continue(job, stopping)
          .catch(fail)
          .finally(() => active.delete(job.id));
        active.set(job.id, running);
      }
    };
    await startJobs();
    while (active.size > 0) {
      const all = Promise.all(active.values());
      await (stopping.aborted ? all : Promise.race([all, sleepUnless(stopping, CHECK_EVERY_MS)]));
      if (active.size > 0 && !stopping.aborted) await startJobs().catch(fail);
    }
    if (failures.length > 0) throw failures[0];
  }
}
