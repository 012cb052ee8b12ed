import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable } from '../ports/inject';
import { LeasedLoop } from '../shared/leases/leased-loop';
import { healthEvents } from '../audit/health-events';
import { Outage } from '../shared/outage';
import { HealthReader, type CheckedDomain, type DomainToCheck } from '../ports/health/health-repository';
import { DomainReader } from '../ports/registration/domain-repository';
import { Leases } from '../ports/storage/replicas';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, Log } from '../ports/system';
import { settleAll } from '../shared/settle-all';
import type { SharedLookups } from './bounded-probe';
import { HealthSettings } from './health-settings';
import { InspectDomain } from './inspect-domain';

const CHECK_EVERY_MS = 60_000;
const DOMAINS_AT_ONCE = 200;
const CONCURRENT_CHECKS = 16;
/** Results are stored together, because each transaction costs more than its rows. */
const RESULTS_AT_ONCE = 20;
/** Bounds the memory. */
const MAX_SHARED_LOOKUPS = 500;

/** What the monitor reads and writes. */
@injectable()
export class HealthStores {
  constructor(
    @inject(HealthReader) readonly health: HealthReader,
    @inject(DomainReader) readonly domains: Pick<DomainReader, 'find'>,
    @inject(UnitOfWork) readonly unitOfWork: UnitOfWork<'events' | 'health'>,
    @inject(Leases) readonly leases: Leases,
  ) {}
}

/** Checks all domains in the background at a limited rate, in one process at a time. */
@injectable()
export class HealthMonitor extends LeasedLoop {
  private readonly shared: SharedLookups = new Map();
  private nextCheckAt = 0;

  constructor(
    @inject(HealthStores) private readonly stores: HealthStores,
    @inject(InspectDomain) private readonly inspect: Pick<InspectDomain, 'execute'>,
    @inject(HealthSettings) private readonly settings: HealthSettings,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    super(stores.leases, 'health', CHECK_EVERY_MS, new Outage(log, 'checking the health of domains'));
  }

  /** Does nothing if the checks in the background are off. */
  override start(): void {
    if (this.settings.checksPerMinute > 0) super.start();
  }

  protected async hasDue(): Promise<boolean> {
    return (await this.due(1)).length > 0;
  }

  protected async runDue(stopping: AbortSignal): Promise<void> {
    // Each check may wait for its turn, and Node warns of more than ten.
    setMaxListeners(CONCURRENT_CHECKS, stopping);
    let isMore = true;
    while (isMore && !stopping.aborted) {
      const due = await this.due(DOMAINS_AT_ONCE);
      await this.checkAll(due, stopping);
      isMore = due.length === DOMAINS_AT_ONCE;
    }
    this.shared.clear();
  }

  private due(limit: number): Promise<readonly DomainToCheck[]> {
    return this.stores.health.due(new Date(this.clock.now().getTime() - this.settings.intervalMs), limit);
  }

  private async checkAll(due: readonly DomainToCheck[], stopping: AbortSignal): Promise<void> {
    const waiting = [...due];
    let checked: CheckedDomain[] = [];
    const store = async (): Promise<void> => {
      const results = checked;
      checked = [];
      if (results.length === 0) return;
      await this.stores.unitOfWork.run(async ({ events, health }) =>
        events.append(...healthEvents(await health.save(results))),
      );
    };
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await this.waitForTurn(stopping);
        if (stopping.aborted) return;
        const found = await this.check(next);
        if (found) checked.push(found);
        if (checked.length >= RESULTS_AT_ONCE) await store();
      }
    };
    await settleAll(Array.from({ length: CONCURRENT_CHECKS }, worker));
    await store();
  }

  /** A domain that cannot be checked does not hold up the others: it is due again when its next result would be. */
  private async check({ id, accountId }: DomainToCheck): Promise<CheckedDomain | undefined> {
    try {
      const domain = await this.stores.domains.find(accountId, id);
      if (!domain) return undefined;
      if (this.shared.size > MAX_SHARED_LOOKUPS) this.shared.clear();
      const options = { asksRegistry: false, shared: this.shared };
      return { domainId: id, report: await this.inspect.execute(domain.toState(), options) };
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      this.log.error({ err: error, domainId: id }, 'the health of a domain could not be checked');
      await this.stores.unitOfWork.run(({ health }) => health.postpone(id, this.clock.now()));
      return undefined;
    }
  }

  private async waitForTurn(stopping: AbortSignal): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, this.nextCheckAt);
    this.nextCheckAt = turn + 60_000 / this.settings.checksPerMinute;
    if (turn > now) await sleep(turn - now, undefined, { ref: false, signal: stopping }).catch(() => undefined);
  }
}
