import { ExclusiveLease } from './exclusive-lease';
import type { Outage } from '../outage';
import type { Leases } from '../../ports/storage/replicas';

const CONFIRM_EVERY_MS = 5_000;

/**
 * Repeats background work in one process at a time. All state is stored, so that another process continues. A process that was
 * frozen, and lost its lease meanwhile, ends its work: what it has read may have changed.
 */
export abstract class LeasedLoop {
  private readonly lease: ExclusiveLease;
  /** Of the work in progress. */
  private ending = new AbortController();
  private isStopping = false;
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
    this.isStopping = true;
    this.ending.abort();
    await this.running;
  }

  /** Does the due work, unless another process does. Returns the running call, if any; never throws. */
  run(): Promise<void> {
    return (this.running ??= this.runIfDue().finally(() => (this.running = undefined)));
  }

  /** Whether anything is due. Called without the lease. */
  protected abstract hasDue(): Promise<boolean>;

  /** Does the due work. `stopping` is aborted when the process ends or has lost the lease. */
  protected abstract runDue(stopping: AbortSignal): Promise<void>;

  private async runIfDue(): Promise<void> {
    try {
      if ((await this.hasDue()) && (await this.lease.hold())) await this.runUnderLease();
      this.outage.recordSuccess();
    } catch (error) {
      this.outage.recordFailure(error);
    }
  }

  private async runUnderLease(): Promise<void> {
    const ending = (this.ending = new AbortController());
    if (this.isStopping) ending.abort();
    const confirm = async (): Promise<void> => {
      try {
        if (!(await this.lease.confirm())) ending.abort();
      } catch (error) {
        this.outage.recordFailure(error);
      }
    };
    const confirming = setInterval(() => void confirm(), CONFIRM_EVERY_MS);
    try {
      await this.runDue(ending.signal);
    } finally {
      clearInterval(confirming);
      await this.lease.release();
    }
  }
}
