import { inject, injectable } from '../../ports/inject';
import { LeasedLoop } from '../../shared/leases/leased-loop';
import { Outage } from '../../shared/outage';
import { AliasReader, AliasResolver } from '../../ports/dns/alias-repository';
import { Leases } from '../../ports/storage/replicas';
import { Clock, Log } from '../../ports/system';
import { PublishAddresses } from './publish-addresses';
import { RefreshTargets } from './refresh-targets';

const CHECK_EVERY_MS = 1_000;

/** Keeps the addresses of ALIAS records up to date, in one process at a time. */
@injectable()
export class AliasFollower extends LeasedLoop {
  constructor(
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(AliasResolver) private readonly resolver: AliasResolver,
    @inject(RefreshTargets) private readonly refreshTargets: RefreshTargets,
    @inject(PublishAddresses) private readonly publishAddresses: PublishAddresses,
    @inject(Leases) leases: Leases,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) log: Log,
  ) {
    super(leases, 'aliases', CHECK_EVERY_MS, new Outage(log, 'following ALIAS records'));
  }

  /** Does nothing if no resolver is configured. */
  override start(): void {
    if (this.resolver.isConfigured) super.start();
  }

  protected hasDue(): Promise<boolean> {
    return this.aliases.hasDue(this.clock.now());
  }

  protected async runDue(stopping: AbortSignal): Promise<void> {
    let isMore = true;
    while (isMore && !stopping.aborted) {
      const hasPublished = await this.publishAddresses.execute(stopping);
      const hasRefreshed = await this.refreshTargets.execute(stopping);
      isMore = hasPublished || hasRefreshed;
    }
  }
}
