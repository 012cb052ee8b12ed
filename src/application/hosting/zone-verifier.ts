import { inject, injectable } from '../ports/inject';
import { DomainReader, type UnregisteredName } from '../ports/registration/domain-repository';
import { Leases } from '../ports/storage/replicas';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { LifecycleClock, Log } from '../ports/system';
import { LeasedLoop } from '../shared/leases/leased-loop';
import { isHosted } from '../../domain/registration/domain-status';
import { CleanUpEndedZone } from './clean-up-ended-zone';
import { BootstrapSignals } from './bootstrap-signals';
import { FillReverseZone } from './fill-reverse-zone';
import { RecordReader } from '../ports/dns/zone-queries';
import { KeepDelegation } from './keep-delegation';
import { AskDelegation } from './ask-delegation';
import { Outage } from '../shared/outage';
import { settleAll } from '../shared/settle-all';
import { VerifyZone } from './verify-zone';

const CHECK_EVERY_MS = 30_000;
const ZONES_AT_ONCE = 200;
/** A check waits for slow nameservers, so several run at once. */
const CONCURRENT_CHECKS = 8;

/**
 * In the background, in one process at a time: looks for the proofs of unverified zones, keeps zones above in step, asks parents, and
 * cleans up after zones that have ended.
 */
@injectable()
export class ZoneVerifier extends LeasedLoop {
  private readonly checkOutage: Outage;

  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'dueUnregistered'>,
    @inject(VerifyZone) private readonly verifyZone: Pick<VerifyZone, 'verifyDue'>,
    @inject(AskDelegation) private readonly askDelegation: Pick<AskDelegation, 'execute' | 'postpone'>,
    @inject(KeepDelegation) private readonly keepDelegation: Pick<KeepDelegation, 'execute'>,
    @inject(BootstrapSignals) private readonly signals: Pick<BootstrapSignals, 'keep'>,
    @inject(FillReverseZone) private readonly fillReverseZone: Pick<FillReverseZone, 'execute'>,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'facts'>,
    @inject(CleanUpEndedZone) private readonly cleanUp: Pick<CleanUpEndedZone, 'execute'>,
    @inject(Leases) leases: Leases,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
    @inject(Log) log: Log,
  ) {
    super(leases, 'zone-verification', CHECK_EVERY_MS, new Outage(log, 'reading hosted zones that are due'));
    this.checkOutage = new Outage(log, 'verifying zones');
  }

  protected async hasDue(): Promise<boolean> {
    return (await this.due(1)).length > 0;
  }

  /** A zone that was checked is due later, so each turn has others. */
  protected async runDue(stopping: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !stopping.aborted;) {
      const waiting = [...(await this.due(ZONES_AT_ONCE))];
      isMore = waiting.length === ZONES_AT_ONCE;
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next && !stopping.aborted; next = waiting.shift()) await this.verify(next);
      };
      await settleAll(Array.from({ length: CONCURRENT_CHECKS }, worker));
    }
  }

  private async verify(zone: UnregisteredName): Promise<void> {
    try {
      if (isHosted(zone.status)) await this.check(zone);
      else {
        await this.cleanUp.execute(zone);
        await this.signals.keep(zone);
      }
      this.checkOutage.recordSuccess();
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      this.checkOutage.recordFailure(error);
      await this.askDelegation.postpone(zone);
    }
  }

  private async check(zone: UnregisteredName): Promise<void> {
    await this.verifyZone.verifyDue(zone);
    await this.keepDelegation.execute(zone);
    await this.signals.keep(zone);
    const isFirst = (await this.records.facts([zone.id])).get(zone.id)?.delegation === undefined;
    if (isFirst) await this.fillReverseZone.execute(zone);
    await this.askDelegation.execute(zone);
  }

  private due(limit: number): Promise<readonly UnregisteredName[]> {
    return this.domains.dueUnregistered(this.clock.now(), limit);
  }
}
