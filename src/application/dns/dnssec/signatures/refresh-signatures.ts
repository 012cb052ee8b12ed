import { inject, injectable } from 'inversify';
import { LeasedLoop } from '../../../leased-loop';
import { Outage } from '../../../outage';
import { SigningReader } from '../../../ports/dns/signing/signing-repository';
import { Leases } from '../../../ports/storage/leases';
import { UnitOfWork } from '../../../ports/storage/unit-of-work';
import { StorageUnavailable } from '../../../ports/storage/storage-unavailable';
import { LifecycleClock, type Clock } from '../../../ports/system/clock';
import { Log } from '../../../ports/system/log';
import { rowId } from './stored-rows';

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** Due RRsets whose zones are read at once. */
const DUE_AT_ONCE = 1_000;
/** About 100 ms of signing. */
const AT_ONCE = 500;
/** With more zones that fail, the cause is not the zones. */
const MAX_FAILED = 1_000;
const MAX_NAMED = 10;

/**
 * Renews signatures seven days before they expire, in batches of a transaction each, in one process at a time. What is due within a
 * day is renewed as well, so that a small zone gets one new serial and not many. A zone that a request holds is left to the next run.
 */
@injectable()
export class RefreshSignatures extends LeasedLoop {
  constructor(
    @inject(SigningReader) private readonly reader: SigningReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Leases) leases: Leases,
    @inject(LifecycleClock) private readonly clock: Clock,
    @inject(Log) log: Log,
  ) {
    super(leases, 'signatures', EVERY_MS, new Outage(log, 'renewing signatures'));
  }

  protected async hasDue(): Promise<boolean> {
    return (await this.reader.due(this.clock.now(), 1)).length > 0;
  }

  /** A zone whose signatures cannot be renewed, because its key cannot be read for example, does not hold up the others. */
  protected async runDue(stopping: AbortSignal): Promise<void> {
    const failed = new Map<string, unknown>();
    for (let count = 1; count > 0;) {
      count = 0;
      const now = this.clock.now();
      for (const domainId of await this.reader.due(now, DUE_AT_ONCE, [...failed.keys()])) {
        if (stopping.aborted) return;
        try {
          count += await this.renew(domainId, now);
        } catch (error) {
          if (error instanceof StorageUnavailable || failed.size === MAX_FAILED) throw error;
          failed.set(domainId, error);
          count += 1;
        }
      }
    }
    if (failed.size === 0) return;
    const [cause] = failed.values();
    const named = [...failed.keys()].slice(0, MAX_NAMED).join(', ');
    throw new Error(`the signatures of ${failed.size} zones cannot be renewed: ${named}`, { cause });
  }

  /** Returns how many RRsets got new signatures. */
  private renew(domainId: string, now: Date): Promise<number> {
    return this.unitOfWork.run(async ({ signing, zones }) => {
      if (!(await zones.lockFree([domainId])).has(domainId)) return 0;
      const rows = await signing.expiring(domainId, new Date(now.getTime() + DAY_MS), AT_ONCE);
      if (!rows.some(({ refreshAt }) => refreshAt <= now)) return 0;
      // Former versions of the service left the rows of zones that they no longer signed.
      if (!(await signing.find(domainId))) await signing.clear(domainId);
      else await zones.raiseSerial(domainId, { expiring: rows.map(({ name, type }) => rowId(name, type)) });
      return rows.length;
    });
  }
}
