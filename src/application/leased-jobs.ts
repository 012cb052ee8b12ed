import { ExclusiveLease } from './exclusive-lease';
import { Outage } from './outage';
import type { Leases } from './ports/storage/leases';
import type { Log } from './ports/system/log';

const CHECK_EVERY_MS = 1_000;
const CONFIRM_EVERY_MS = 5_000;
const JOBS_AT_ONCE = 20;

export interface JobsToRun<Job> {
  /** The name of the lease. */
  readonly name: string;
  /** Subject of log messages: `importing names`. */
  readonly work: string;
  /** Oldest first. */
  readonly unfinished: (limit: number) => Promise<readonly Job[]>;
  /** Continues the job until it is finished, waits for something, or `stopping` is aborted. */
  readonly continue: (job: Job, stopping: AbortSignal) => Promise<void>;
}

/** Runs stored jobs in the background, in one process at a time. After a crash, another one continues them where they were. */
export class LeasedJobs<Job extends { readonly id: string }> {
  private readonly lease: ExclusiveLease;
  private readonly outage: Outage;
  private readonly active = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private confirming: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;
  private stopping = new AbortController();

  constructor(
    private readonly jobs: JobsToRun<Job>,
    leases: Leases,
    log: Log,
  ) {
    this.lease = new ExclusiveLease(leases, jobs.name);
    this.outage = new Outage(log, jobs.work);
  }

  start(): void {
    this.stopping = new AbortController();
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS).unref();
  }

  /** Waits for the calls that are in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await this.checking;
    await Promise.all(this.active.values());
  }

  /** Continues all unfinished jobs, and returns when they are finished or wait. Throws nothing. */
  async run(): Promise<void> {
    await this.check();
    await Promise.all(this.active.values());
  }

  private check(): Promise<void> {
    return (this.checking ??= this.startJobs().finally(() => (this.checking = undefined)));
  }

  private async startJobs(): Promise<void> {
    try {
      const waiting = (await this.jobs.unfinished(JOBS_AT_ONCE)).filter(({ id }) => !this.active.has(id));
      if (waiting.length > 0 && (await this.lease.hold()))
        for (const job of waiting) this.active.set(job.id, this.continue(job));
      if (this.active.size > 0) this.confirming ??= setInterval(() => void this.confirm(), CONFIRM_EVERY_MS).unref();
      else this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
  }

  private async continue(job: Job): Promise<void> {
    try {
      await this.jobs.continue(job, this.stopping.signal);
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
    this.active.delete(job.id);
    // A check that is in progress may be about to start another job under the same lease.
    await this.checking;
    if (this.active.size > 0 || !this.confirming) return;
    clearInterval(this.confirming);
    this.confirming = undefined;
    await this.lease.release().catch((error: unknown) => this.outage.failed(error));
  }

  private async confirm(): Promise<void> {
    await this.lease.hold().catch((error: unknown) => this.outage.failed(error));
  }
}
