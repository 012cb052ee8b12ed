import { inject, injectable } from 'inversify';
import { ExclusiveLease } from '../../exclusive-lease';
import { Outage } from '../../outage';
import { AliasReader } from '../../ports/dns/alias-repository';
import { AliasResolver } from '../../ports/dns/alias-resolver';
import { Leases } from '../../ports/storage/leases';
import { Clock } from '../../ports/system/clock';
import { Log } from '../../ports/system/log';
import { PublishAddresses } from './publish-addresses';
import { RefreshTargets } from './refresh-targets';

const CHECK_EVERY_MS = 1_000;
const CONFIRM_EVERY_MS = 5_000;

/** Keeps the addresses of ALIAS records up to date, in one process at a time. All state is stored, so that another one continues. */
@injectable()
export class AliasFollower {
  private readonly lease: ExclusiveLease;
  private readonly outage: Outage;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(AliasResolver) private readonly resolver: AliasResolver,
    @inject(RefreshTargets) private readonly refreshTargets: RefreshTargets,
    @inject(PublishAddresses) private readonly publishAddresses: PublishAddresses,
    @inject(Leases) leases: Leases,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) log: Log,
  ) {
    this.lease = new ExclusiveLease(leases, 'aliases');
    this.outage = new Outage(log, 'following ALIAS records');
  }

  /** Does nothing if no resolver is configured. */
  start(): void {
    if (this.resolver.isConfigured) this.timer = setInterval(() => void this.run(), CHECK_EVERY_MS).unref();
  }

  /** Waits for the look-ups that are in progress. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Looks up and publishes whatever is due. Returns the running call, if any; throws nothing. */
  run(): Promise<void> {
    return (this.running ??= this.runDue().finally(() => (this.running = undefined)));
  }

  private async runDue(): Promise<void> {
    try {
      if ((await this.aliases.hasDue(this.clock.now())) && (await this.lease.hold())) await this.runUnderLease();
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
  }

  private async runUnderLease(): Promise<void> {
    const { signal } = this.stopping;
    const confirming = setInterval(() => {
      this.lease.hold().catch((error: unknown) => this.outage.failed(error));
    }, CONFIRM_EVERY_MS);
    try {
      let isMore = true;
      while (isMore && !signal.aborted) {
        const hasPublished = await this.publishAddresses.execute(signal);
        const hasRefreshed = await this.refreshTargets.execute(signal);
        isMore = hasPublished || hasRefreshed;
      }
    } finally {
      clearInterval(confirming);
      await this.lease.release();
    }
  }
}
