import { inject, injectable } from 'inversify';
import { LeasedLoop } from '../../leased-loop';
import { Outage } from '../../outage';
import { AliasReader } from '../../ports/dns/alias-repository';
import { AliasResolver } from '../../ports/dns/alias-resolver';
import { Leases } from '../../ports/storage/leases';
import { Clock } from '../../ports/system/clock';
import { Log } from '../../ports/system/log';
import { PublishAddresses } from './publish-addresses';
import { RefreshTargets } from './refresh-targets';

const CHECK_EVERY_MS = 1_000;

/** Keeps the addresses of ALIAS records up to date, in one process at a time. */
@injectable()
export class AliasFollower {
  private readonly loop: LeasedLoop;

  constructor(
    @inject(AliasReader) aliases: AliasReader,
    @inject(AliasResolver) private readonly resolver: AliasResolver,
    @inject(RefreshTargets) private readonly refreshTargets: RefreshTargets,
    @inject(PublishAddresses) private readonly publishAddresses: PublishAddresses,
    @inject(Leases) leases: Leases,
    @inject(Clock) clock: Clock,
    @inject(Log) log: Log,
  ) {
    const task = {
      hasDue: () => aliases.hasDue(clock.now()),
      runDue: (stopping: AbortSignal) => this.runDue(stopping),
    };
    this.loop = new LeasedLoop(task, new Outage(log, 'following ALIAS records'), leases, 'aliases');
  }

  /** Does nothing if no resolver is configured. */
  start(): void {
    if (this.resolver.isConfigured) this.loop.start(CHECK_EVERY_MS);
  }

  /** Waits for the look-ups that are in progress. */
  async stop(): Promise<void> {
    await this.loop.stop();
  }

  /** Looks up and publishes whatever is due. Returns the running call, if any; throws nothing. */
  run(): Promise<void> {
    return this.loop.run();
  }

  private async runDue(stopping: AbortSignal): Promise<void> {
    let isMore = true;
    while (isMore && !stopping.aborted) {
      const hasPublished = await this.publishAddresses.execute(stopping);
      const hasRefreshed = await this.refreshTargets.execute(stopping);
      isMore = hasPublished || hasRefreshed;
    }
  }
}
