import { inject, injectable } from '../ports/inject';
import { levelOf } from '../shared/level-of';
import { Outage } from '../shared/outage';
import { OperationWaits } from '../operations/operation-waits';
import { LifecycleClock, Log } from '../ports/system';
import { DomainReader, type NamedDomain } from '../ports/registration/domain-repository';
import { DueWork } from './due-work';
import { DomainSync } from './domain-sync';
import { RegistryMessages } from './registry-messages';

const CHECK_EVERY_MS = 1_000;
const RECEIVE_EVERY_MS = 15_000;
const BATCH_SIZE = 200;
const CONCURRENT_CHECKS = 8;
const MAX_STARTED = 500;
/** More transitions than a domain can make at one instant. */
const MAX_ROUNDS = 20;

/** Runs due checks of domains and receives registry messages. */
@injectable()
export class LifecycleSync {
  private timers: readonly NodeJS.Timeout[] = [];
  private checking: Promise<number> | undefined;
  private receiving: Promise<void> | undefined;
  private stopping = new AbortController();
  /** Ids of operations that recent checks started; `runDue` waits for them. */
  private readonly started: string[] = [];
  private readonly storageOutage: Outage;

  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(DomainSync) private readonly domainSync: DomainSync,
    @inject(RegistryMessages) private readonly messages: RegistryMessages,
    @inject(DueWork) private readonly dueWork: DueWork,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
    @inject(Log) private readonly log: Log,
  ) {
    this.storageOutage = new Outage(log, 'reading due domains');
  }

  start(): void {
    this.stopping = new AbortController();
    this.timers = [
      setInterval(() => void this.checkDue(), CHECK_EVERY_MS),
      setInterval(() => void this.receive(), RECEIVE_EVERY_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    this.stopping.abort();
    await Promise.all([this.checking, this.receiving]);
  }

  /** Runs everything that is due and waits for the resulting operations. Work that fails stays due; no error is thrown. */
  async runDue(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.receiving;
      await this.receive();
      const others = await this.dueWork.runDue();
      await this.checking;
      const found = await this.checkDue();
      const operationIds = this.started.splice(0);
      await Promise.all(operationIds.map((id) => this.waits.wait(id).catch(() => undefined)));
      if (others + found + operationIds.length === 0) return;
    }
  }

  /** When the next check of any domain, or other work at a time of the lifecycle clock, is due. */
  async nextDueAt(): Promise<Date | undefined> {
    const [domain, other] = [await this.domains.nextDueAt(), await this.dueWork.nextDueAt()];
    return domain && other ? new Date(Math.min(domain.getTime(), other.getTime())) : (domain ?? other);
  }

  /** Waits for earlier calls, too: a registry has one run at a time, and a long one does not hold back the others. */
  private receive(): Promise<void> {
    return (this.receiving = this.messages.receive(this.stopping.signal));
  }

  /** One run at a time, so that a caller does not return before a running check is done; returns the running one, if any. */
  private checkDue(): Promise<number> {
    return (this.checking ??= this.runDueChecks().finally(() => (this.checking = undefined)));
  }

  /** Returns how many domains were due. */
  private async runDueChecks(): Promise<number> {
    const waiting = [...(await this.due())];
    const found = waiting.length;
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) this.started.push(...(await this.sync(next)));
    };
    await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, worker));
    this.started.splice(0, Math.max(0, this.started.length - MAX_STARTED));
    return found;
  }

  private async due(): Promise<readonly NamedDomain[]> {
    try {
      const found = await this.domains.due(this.clock.now(), BATCH_SIZE);
      this.storageOutage.recordSuccess();
      return found;
    } catch (error) {
      this.storageOutage.recordFailure(error);
      return [];
    }
  }

  private async sync(domain: NamedDomain): Promise<readonly string[]> {
    try {
      return await this.domainSync.sync(domain);
    } catch (error) {
      this.log[levelOf(error)]({ err: error, domainId: domain.id }, 'the check of a domain failed and is retried');
      return [];
    }
  }
}
