import { inject, injectable } from 'inversify';
import { Outage } from '../../../outage';
import { SigningReader } from '../../../ports/dns/signing-repository';
import { UnitOfWork } from '../../../ports/storage/unit-of-work';
import { LifecycleClock, type Clock } from '../../../ports/system/clock';
import { Log } from '../../../ports/system/log';
import { rowId } from './stored-rows';

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** Due RRsets that are looked at for their zones. */
const LOOKED_AT = 1_000;
/** About 100 ms of signing. */
const AT_ONCE = 500;

/**
 * Renews signatures seven days before they expire, in batches of a transaction each. What is due within a day is renewed as well, so that
 * a small zone gets one new serial and not many. Several processes may do this at once: a zone that another one holds is left to it.
 */
@injectable()
export class RefreshSignatures {
  private readonly outage: Outage;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    @inject(SigningReader) private readonly reader: SigningReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(LifecycleClock) private readonly clock: Clock,
    @inject(Log) log: Log,
  ) {
    this.outage = new Outage(log, 'renewing signatures');
  }

  start(): void {
    this.isStopping = false;
    this.timer = setTimeout(() => {
      this.running = this.runAndRepeat();
    }, EVERY_MS).unref();
  }

  /** Waits for the running batch. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Renews all signatures that are due. */
  async run(): Promise<void> {
    const now = this.clock.now();
    for (let count = 1; count > 0 && !this.isStopping;) {
      count = 0;
      for (const domainId of await this.reader.due(now, LOOKED_AT)) {
        if (this.isStopping) return;
        count += await this.renew(domainId, now);
      }
    }
  }

  private async runAndRepeat(): Promise<void> {
    try {
      await this.run();
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
    if (!this.isStopping) this.start();
  }

  /** Returns how many RRsets got new signatures. */
  private renew(domainId: string, now: Date): Promise<number> {
    return this.unitOfWork.run(async ({ signing, zones }) => {
      if (!(await zones.lockFree([domainId])).has(domainId)) return 0;
      const rows = await signing.expiring(domainId, new Date(now.getTime() + DAY_MS), AT_ONCE);
      if (!rows.some(({ refreshAt }) => refreshAt <= now)) return 0;
      await zones.raiseSerial(domainId, { expiring: rows.map(({ name, type }) => rowId(name, type)) });
      return rows.length;
    });
  }
}
