import { inject, injectable } from '../ports/inject';
import { ExclusiveLease } from '../shared/leases/exclusive-lease';
import { OperationSettings } from '../shared/operation-settings';
import { Leases } from '../ports/storage/replicas';
import { sleepUnless } from '../shared/sleep-unless';

/** With the interval at which other processes check the queue, a killed holder is replaced within 30 seconds. */
const MAX_TIMEOUT_MS = 10_000;
const RETRY_EVERY_MS = 1_000;
const CONFIRMATIONS_PER_TIMEOUT = 4;

/** The lease on the message queue of a registry: EPP's poll returns a message to every process until one acknowledges it. */
class QueueLease {
  private readonly lease: ExclusiveLease;

  constructor(
    leases: Leases,
    registry: string,
    private readonly timeoutMs: number,
  ) {
    this.lease = new ExclusiveLease(leases, `poll ${registry}`, timeoutMs);
  }

  /** Waits for the lease, then runs `work` and releases it. Runs nothing if `stopping` is aborted first. */
  async runWhileHeld(stopping: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!(await this.lease.hold())) {
      await sleepUnless(stopping, Math.min(RETRY_EVERY_MS, this.timeoutMs));
      if (stopping.aborted) return;
    }
    const confirming = setInterval(
      () => void this.lease.confirm().catch(() => undefined),
      this.timeoutMs / CONFIRMATIONS_PER_TIMEOUT,
    );
    try {
      await work();
    } finally {
      clearInterval(confirming);
      await this.lease.release();
    }
  }

  /** Confirms the lease. False if another process has taken it over since, because this one was frozen, even if it is free again. */
  isHeld(): Promise<boolean> {
    return this.lease.confirm();
  }
}

/** One lease for each registry. With one process on the database, none is needed: a restart must not wait for its former lease. */
@injectable()
export class QueueLeases {
  private readonly leases = new Map<string, QueueLease>();

  constructor(
    @inject(Leases) private readonly stored: Leases,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {}

  of(registry: string): Pick<QueueLease, 'runWhileHeld' | 'isHeld'> {
    if (this.settings.alone) return UNSHARED;
    const lease =
      this.leases.get(registry) ??
      new QueueLease(this.stored, registry, Math.min(MAX_TIMEOUT_MS, this.settings.leaseMs));
    this.leases.set(registry, lease);
    return lease;
  }
}

const UNSHARED: Pick<QueueLease, 'runWhileHeld' | 'isHeld'> = {
  runWhileHeld: (_stopping, work) => work(),
  isHeld: async () => true,
};
