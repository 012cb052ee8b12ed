import { inject, injectable } from 'inversify';
import { levelOf } from '../level-of';
import { Outage } from '../outage';
import { OperationWaits } from '../operations/operation-waits';
import { LifecycleClock, type Clock } from '../ports/system/clock';
import { DomainReader, type NamedDomain } from '../ports/registration/domain-repository';
import { Log } from '../ports/system/log';
import { DomainSync } from './domain-sync';
import { RegistryMessages } from './registry-messages';

const LOOK_EVERY_MS = 1_000;
const RECEIVE_EVERY_MS = 15_000;
const DOMAINS_AT_A_TIME = 200;
const LOOKS_AT_ONCE = 8;
const OPERATIONS_REMEMBERED = 500;
/** A life has no more stations than that at one instant. */
const MAX_ROUNDS = 20;

/** Follows the lives of domains by itself: by what is due, and by what registries tell. What is not due is never looked at. */
@injectable()
export class LifecycleSync {
  private timers: readonly NodeJS.Timeout[] = [];
  private looking: Promise<number> | undefined;
  private receiving: Promise<void> | undefined;
  /** The operations that came of the last looks: whoever settles waits for them, too. */
  private readonly begun: string[] = [];
  private readonly storageOutage: Outage;

  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(DomainSync) private readonly domainLook: DomainSync,
    @inject(RegistryMessages) private readonly messages: RegistryMessages,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(LifecycleClock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    this.storageOutage = new Outage(log, 'domains that are due');
  }

  start(): void {
    this.timers = [
      setInterval(() => void this.look(), LOOK_EVERY_MS),
      setInterval(() => void this.receive(), RECEIVE_EVERY_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    await Promise.all([this.looking, this.receiving]);
  }

  /** Does everything that is due by now, and waits for the operations that come of it. What cannot be done for now stays due, and fails nobody. */
  async settle(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.receiving;
      await this.receive();
      await this.looking;
      const found = await this.look();
      const begun = this.begun.splice(0);
      await Promise.all(begun.map((id) => this.waits.wait(id).catch(() => undefined)));
      if (found + begun.length === 0) return;
    }
  }

  /** When a domain is to be looked at next, in the time in which domains live. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.domains.nextDueAt();
  }

  /** One at a time; answers what is under way, where something is. */
  private receive(): Promise<void> {
    return (this.receiving ??= this.messages.receive().finally(() => (this.receiving = undefined)));
  }

  /** One at a time, so that nobody finds done what somebody else has only begun; answers what is under way, where something is. */
  private look(): Promise<number> {
    return (this.looking ??= this.lookOnce().finally(() => (this.looking = undefined)));
  }

  /** Answers how many were due. */
  private async lookOnce(): Promise<number> {
    const waiting = [...(await this.due())];
    const found = waiting.length;
    const looker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) this.begun.push(...(await this.lookAt(next)));
    };
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, looker));
    this.begun.splice(0, Math.max(0, this.begun.length - OPERATIONS_REMEMBERED));
    return found;
  }

  private async due(): Promise<readonly NamedDomain[]> {
    try {
      const found = await this.domains.due(this.clock.now(), DOMAINS_AT_A_TIME);
      this.storageOutage.succeeded();
      return found;
    } catch (error) {
      this.storageOutage.failed(error);
      return [];
    }
  }

  private async lookAt(domain: NamedDomain): Promise<readonly string[]> {
    try {
      return await this.domainLook.look(domain);
    } catch (error) {
      this.log[levelOf(error)](
        { err: error, domainId: domain.id },
        'a domain could not be looked at; it will be again',
      );
      return [];
    }
  }
}
