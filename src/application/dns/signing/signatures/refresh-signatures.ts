import { inject, injectable } from '../../../ports/inject';
import { LeasedLoop } from '../../../shared/leases/leased-loop';
import { Outage } from '../../../shared/outage';
import { SigningReader } from '../../../ports/dns/signing-repository';
import { Leases } from '../../../ports/storage/replicas';
import { UnitOfWork } from '../../../ports/storage/unit-of-work';
import { StorageUnavailable } from '../../../ports/storage/storage-unavailable';
import { LifecycleClock, Log } from '../../../ports/system';
import { rowId } from './stored-rows';

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** Due RRsets whose zones are read at once. */
const DUE_AT_ONCE = 1_000;
/** About 100 ms of signing. */
const AT_ONCE = 500;
/** Zones that failed and are left out of a query; more of them are skipped after it. */
const MAX_EXCLUDED = 1_000;
/** The most due RRsets that are read to find a zone that did not fail. */
const MAX_DUE = 1_024_000;
const RETRY_MS = 60 * 60_000;
const MAX_NAMED = 10;

/**
 * Renews signatures seven days before they expire, in batches of a transaction each, in one process at a time. What is due within a
 * day is renewed as well, so that a small zone gets one new serial and not many. A zone that a request holds is left to the next run.
 */
@injectable()
export class RefreshSignatures extends LeasedLoop {
  /** Zones whose signatures could not be renewed, and when: they are tried again after an hour. */
  private readonly failed = new Map<string, number>();
  /** Why the first of them failed. */
  private cause: unknown;

  constructor(
    @inject(SigningReader) private readonly reader: SigningReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'signing' | 'zones'>,
    @inject(Leases) leases: Leases,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
    @inject(Log) log: Log,
  ) {
    super(leases, 'signatures', EVERY_MS, new Outage(log, 'renewing signatures'));
  }

  protected async hasDue(): Promise<boolean> {
    const now = this.clock.now();
    for (const [domainId, at] of this.failed)
      if (Math.abs(now.getTime() - at) >= RETRY_MS) this.failed.delete(domainId);
    if ((await this.reader.due(now, 1, this.excluded())).length > 0) return true;
    this.assertNoneFailed();
    return false;
  }

  /** A zone whose signatures cannot be renewed, because its key cannot be read for example, does not hold up the others. */
  protected async runDue(stopping: AbortSignal): Promise<void> {
    for (let limit = DUE_AT_ONCE; limit <= MAX_DUE;) {
      const now = this.clock.now();
      const due = await this.reader.due(now, limit, this.excluded());
      const untried = due.filter((domainId) => !this.failed.has(domainId));
      let count = 0;
      for (const domainId of untried) {
        if (stopping.aborted) return;
        count += await this.tryToRenew(domainId, now);
      }
      if (count > 0) continue;
      if (untried.length === due.length) break;
      limit *= 2;
    }
    this.assertNoneFailed();
  }

  private excluded(): readonly string[] {
    return [...this.failed.keys()].slice(0, MAX_EXCLUDED);
  }

  /** The work counts as failing until every zone that failed was tried again. */
  private assertNoneFailed(): void {
    const { size } = this.failed;
    if (size === 0) return;
    const named = [...this.failed.keys()].slice(0, MAX_NAMED).join(', ');
    throw new Error(`the signatures of ${size} zones cannot be renewed: ${named}`, { cause: this.cause });
  }

  /** Returns how many RRsets got new signatures, or 1 if the zone failed. */
  private async tryToRenew(domainId: string, now: Date): Promise<number> {
    try {
      return await this.renew(domainId, now);
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      if (this.failed.size === 0) this.cause = error;
      this.failed.set(domainId, now.getTime());
      return 1;
    }
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
