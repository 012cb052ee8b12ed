import { ExclusiveLease } from './exclusive-lease';
import type { Outage } from './outage';
import type { Leases } from './ports/storage/leases';

const CONFIRM_EVERY_MS = 5_000;

/** Repeats background work in one process at a time. All state is stored, so that another process continues. */
export abstract class LeasedLoop {
  private readonly lease: ExclusiveLease;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    leases: Leases,
    name: string,
    private readonly everyMs: number,
    protected readonly outage: Outage,
  ) {
    this.lease = new ExclusiveLease(leases, name);
  }

  start(): void {
    this.timer = setInterval(() => void this.run(), this.everyMs).unref();
  }

  /** Interrupts the work that is in progress, and waits for its end. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Does the due work, unless another process does. Returns the running call, if any; never throws. */
  run(): Promise<void> {
    return (this.running ??= this.runIfDue().finally(() => (this.running = undefined)));
  }

  /** Whether anything is due. Called without the lease. */
  protected abstract hasDue(): Promise<boolean>;

  /** Does the due work. `stopping` is aborted when the process ends. */
  protected abstract runDue(stopping: AbortSignal): Promise<void>;

  private async runIfDue(): Promise<void> {
    try {
      if ((await this.hasDue()) && (await this.lease.hold())) await this.runUnderLease();
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
      await this.runDue(this.stopping.signal);
    } finally {
      clearInterval(confirming);
      await this.lease.release();
    }
  }
}
