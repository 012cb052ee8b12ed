import { ExclusiveLease } from './exclusive-lease';
import type { Outage } from './outage';
import type { Leases } from './ports/storage/leases';

const CONFIRM_EVERY_MS = 5_000;

/** Work that is due again and again. */
export interface DueTask {
  /** Whether anything is due. Called without the lease. */
  hasDue(): Promise<boolean>;
  /** Does what is due. `stopping` is aborted when the process ends. */
  runDue(stopping: AbortSignal): Promise<void>;
}

/** Repeats background work in one process at a time. All state is stored, so that another process continues. */
export class LeasedLoop {
  private readonly lease: ExclusiveLease;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly task: DueTask,
    private readonly outage: Outage,
    leases: Leases,
    name: string,
  ) {
    this.lease = new ExclusiveLease(leases, name);
  }

  start(everyMs: number): void {
    this.timer = setInterval(() => void this.run(), everyMs).unref();
  }

  /** Interrupts the work that is in progress, and waits for its end. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Does what is due. Returns the running call, if any; throws nothing. */
  run(): Promise<void> {
    return (this.running ??= this.runIfDue().finally(() => (this.running = undefined)));
  }

  private async runIfDue(): Promise<void> {
    try {
      if ((await this.task.hasDue()) && (await this.lease.hold())) await this.runUnderLease();
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
  }

  private async runUnderLease(): Promise<void> {
    const confirming = setInterval(() => {
      this.lease.hold().catch((error: unknown) => this.outage.failed(error));
    }, CONFIRM_EVERY_MS);
    try {
      await this.task.runDue(this.stopping.signal);
    } finally {
      clearInterval(confirming);
      await this.lease.release();
    }
  }
}
