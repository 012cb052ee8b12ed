import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import { ExclusiveLease } from '../exclusive-lease';
import { Outage } from '../outage';
import { HealthReader, type CheckedDomain, type DomainToCheck } from '../ports/health/health-repository';
import { DomainReader } from '../ports/registration/domain-repository';
import { Leases } from '../ports/storage/leases';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system/clock';
import { Log } from '../ports/system/log';
import { settleAll } from '../settle-all';
import type { SharedLookups } from './bounded-probe';
import { HealthSettings } from './health-settings';
import { InspectDomain } from './inspect-domain';

const WALK_EVERY_MS = 60_000;
/** Reading the list of domains may take this part of the time: a fiftieth. */
const REST = 50;
const CONFIRM_EVERY_MS = 5_000;
const DOMAINS_AT_ONCE = 200;
const CONCURRENT_CHECKS = 16;
/** Results are stored together, because each transaction costs more than its rows. */
const RESULTS_AT_ONCE = 20;
/** Bounds the memory. */
const MOST_SHARED = 500;

/** What the monitor reads and writes. */
@injectable()
export class HealthStores {
  constructor(
    @inject(HealthReader) readonly health: HealthReader,
    @inject(DomainReader) readonly domains: Pick<DomainReader, 'find'>,
    @inject(UnitOfWork) readonly unitOfWork: UnitOfWork,
    @inject(Leases) readonly leases: Leases,
  ) {}
}

/** Checks all domains in the background at a limited rate, in one process at a time. All state is stored, so that another one continues. */
@injectable()
export class HealthMonitor {
  private readonly lease: ExclusiveLease;
  private readonly outage: Outage;
  private readonly stopping = new AbortController();
  private readonly shared: SharedLookups = new Map();
  private nextCheckAt = 0;
  private restsUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    @inject(HealthStores) private readonly stores: HealthStores,
    @inject(InspectDomain) private readonly inspect: Pick<InspectDomain, 'execute'>,
    @inject(HealthSettings) private readonly settings: HealthSettings,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    // Each check may wait for its turn, and Node warns of more than ten.
    setMaxListeners(CONCURRENT_CHECKS, this.stopping.signal);
    this.lease = new ExclusiveLease(stores.leases, 'health');
    this.outage = new Outage(log, 'checking the health of domains');
  }

  /** Does nothing if the checks in the background are off. */
  start(): void {
    if (this.settings.checksPerMinute === 0) return;
    const runRested = (): void => {
      if (performance.now() >= this.restsUntil) void this.run();
    };
    this.timer = setInterval(runRested, WALK_EVERY_MS).unref();
  }

  /** Waits for the checks that are in progress. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Checks every domain whose last result is too old. Returns the running call, if any; throws nothing. */
  run(): Promise<void> {
    return (this.running ??= this.checkDue().finally(() => (this.running = undefined)));
  }

  private async checkDue(): Promise<void> {
    try {
      if (await this.lease.hold()) await this.checkUnderLease();
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
  }

  private async checkUnderLease(): Promise<void> {
    const confirming = setInterval(() => {
      this.lease.hold().catch((error: unknown) => this.outage.failed(error));
    }, CONFIRM_EVERY_MS);
    let readingMs = 0;
    try {
      let afterId: string | undefined;
      do {
        const startedAt = performance.now();
        const page = await this.stores.health.walk(DOMAINS_AT_ONCE, afterId);
        readingMs += performance.now() - startedAt;
        await this.checkAll(page.filter((domain) => this.isDue(domain)));
        afterId = page.length < DOMAINS_AT_ONCE ? undefined : page.at(-1)?.id;
      } while (afterId !== undefined && !this.stopping.signal.aborted);
    } finally {
      clearInterval(confirming);
      this.restsUntil = performance.now() + readingMs * REST;
      this.shared.clear();
      await this.lease.release();
    }
  }

  private isDue({ checkedAt }: DomainToCheck): boolean {
    return checkedAt === null || this.clock.now().getTime() - checkedAt.getTime() >= this.settings.intervalMs;
  }

  private async checkAll(due: readonly DomainToCheck[]): Promise<void> {
    const waiting = [...due];
    let checked: CheckedDomain[] = [];
    const store = async (): Promise<void> => {
      const results = checked;
      checked = [];
      if (results.length > 0) await this.stores.unitOfWork.run(({ health }) => health.save(results));
    };
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await this.waitForTurn();
        if (this.stopping.signal.aborted) return;
        const found = await this.check(next);
        if (found) checked.push(found);
        if (checked.length >= RESULTS_AT_ONCE) await store();
      }
    };
    await settleAll(Array.from({ length: CONCURRENT_CHECKS }, worker));
    await store();
  }

  /** A domain that cannot be checked does not hold up the others. */
  private async check({ id, accountId }: DomainToCheck): Promise<CheckedDomain | undefined> {
    try {
      const domain = await this.stores.domains.find(accountId, id);
      if (!domain) return undefined;
      if (this.shared.size > MOST_SHARED) this.shared.clear();
      const options = { asksRegistry: false, shared: this.shared };
      return { domainId: id, report: await this.inspect.execute(domain.toState(), options) };
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      this.log.error({ err: error, domainId: id }, 'the health of a domain could not be checked');
      return undefined;
    }
  }

  private async waitForTurn(): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, this.nextCheckAt);
    this.nextCheckAt = turn + 60_000 / this.settings.checksPerMinute;
    if (turn > now)
      await sleep(turn - now, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
  }
}
