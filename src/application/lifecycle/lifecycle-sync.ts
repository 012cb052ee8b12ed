import { inject, injectable } from 'inversify';
import { levelOf } from '../level-of';
import { OperationWaits } from '../operations/operation-waits';
import { LifecycleClock, type Clock } from '../ports/system/clock';
import { DomainReader, type NamedDomain } from '../ports/registration/domain-repository';
import { Log } from '../ports/system/log';
import { DomainLook } from './domain-look';
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
  private looking: Promise<unknown> | undefined;
  private receiving: Promise<unknown> | undefined;
  /** The operations that came of the last looks: whoever settles waits for them, too. */
  private readonly begun: string[] = [];
  /** Told once, not every second, for as long as it lasts. */
  private sightless = false;

  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(DomainLook) private readonly domainLook: DomainLook,
    @inject(RegistryMessages) private readonly messages: RegistryMessages,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(LifecycleClock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  start(): void {
    const look = () => (this.looking ??= this.lookOnce().finally(() => (this.looking = undefined)));
    const receive = () => (this.receiving ??= this.receive().finally(() => (this.receiving = undefined)));
    this.timers = [setInterval(() => void look(), LOOK_EVERY_MS), setInterval(() => void receive(), RECEIVE_EVERY_MS)];
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
      await Promise.all([this.looking, this.receiving]);
      await this.receive();
      const found = await this.lookOnce();
      const begun = this.begun.splice(0);
      await Promise.all(begun.map((id) => this.waits.wait(id).catch(() => undefined)));
      if (found + begun.length === 0) return;
    }
  }

  /** When a domain is to be looked at next, in the time in which domains live. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.domains.nextDueAt();
  }

  private async receive(): Promise<void> {
    try {
      await this.messages.receive();
    } catch (error) {
      this.log[levelOf(error)]({ err: error }, 'messages of registries cannot be received for now');
    }
  }

  /** Answers how many were due. */
  private async lookOnce(): Promise<number> {
    const waiting = [...(await this.due())];
    const found = waiting.length;
    const looker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) this.begun.push(...(await this.look(next)));
    };
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, looker));
    this.begun.splice(0, Math.max(0, this.begun.length - OPERATIONS_REMEMBERED));
    return found;
  }

  private async due(): Promise<readonly NamedDomain[]> {
    try {
      const found = await this.domains.due(this.clock.now(), DOMAINS_AT_A_TIME);
      this.sightless = false;
      return found;
    } catch (error) {
      if (!this.sightless) this.log[levelOf(error)]({ err: error }, 'domains that are due cannot be looked up for now');
      this.sightless = true;
      return [];
    }
  }

  private async look(domain: NamedDomain): Promise<readonly string[]> {
    try {
      return await this.domainLook.look(domain);
    } catch (error) {
      this.log[levelOf(error)]({ err: error, domainId: domain.id }, 'a domain could not be looked at; it will be again');
      return [];
    }
  }
}
