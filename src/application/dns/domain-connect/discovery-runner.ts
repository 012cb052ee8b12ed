import { inject, injectable } from '../../ports/inject';
import { LeasedLoop } from '../../shared/leases/leased-loop';
import { Outage } from '../../shared/outage';
import { Leases } from '../../ports/storage/replicas';
import { Log } from '../../ports/system';
import { ConnectSettings } from './connect-settings';
import { PublishDiscovery } from './publish-discovery';

const CHECK_EVERY_MS = 300_000;

/** Follows the delegations of zones and the setting of the installation, in one process at a time. */
@injectable()
export class DiscoveryRunner extends LeasedLoop {
  private isFirst = true;

  constructor(
    @inject(PublishDiscovery) private readonly discovery: PublishDiscovery,
    @inject(ConnectSettings) private readonly settings: ConnectSettings,
    @inject(Leases) leases: Leases,
    @inject(Log) log: Log,
  ) {
    super(leases, 'discovery', CHECK_EVERY_MS, new Outage(log, 'publishing discovery records'));
  }

  override start(): void {
    super.start();
    void this.run();
  }

  /** After Domain Connect was switched off, the records go once. */
  protected async hasDue(): Promise<boolean> {
    return this.isFirst || this.settings.url !== undefined;
  }

  protected async runDue(stopping: AbortSignal): Promise<void> {
    await this.discovery.execute(stopping);
    // One that was interrupted goes on at the next check, also while Domain Connect is off.
    if (!stopping.aborted) this.isFirst = false;
  }
}
