import { inject, injectable } from 'inversify';
import { SERVICE } from '../../domain/access/actor';
import { Outage } from '../outage';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { RegistryMessage } from '../ports/registry/registry-port';
import { MessageQueues, type RegistryMessageQueue } from '../ports/registry/message-queues';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { Log } from '../ports/system/log';

const MESSAGES_AT_A_TIME = 500;
/** An acknowledgement may get lost at the registry, and then the message comes once more. */
const MOST_REPEATS = 1;
/** Of a long message the beginning is told; what is told is no reason to fail. */
const TEXT_TOLD = 1_000;
/** Of a message that is kept for a person. A frame may have a megabyte. */
const TEXT_KEPT = 65_536;

/**
 * What registries tell by themselves. A message leaves its queue only when what it means to us is committed; one that
 * cannot be acted upon is kept for a person and leaves its queue, too, and so does not keep those behind it.
 */
@injectable()
export class RegistryMessages {
  private readonly outages = new Map<string, Outage>();
  /** By registry, the message that it does not let us acknowledge, or tells again for all that: what it says has been committed. */
  private readonly stuck = new Map<string, string>();

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(MessageQueues) private readonly registries: MessageQueues,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Receives what waits, of all registries at once: each domain that is spoken of is due to be looked at. */
  async receive(): Promise<void> {
    await Promise.all(this.registries.queues().map((queue) => this.empty(queue)));
  }

  private async empty(queue: RegistryMessageQueue): Promise<void> {
    const outage =
      this.outages.get(queue.registry) ?? new Outage(this.log, 'messages of a registry', { registry: queue.registry });
    this.outages.set(queue.registry, outage);
    try {
      let [last, repeats]: [string | undefined, number] = [undefined, 0];
      for (let received = 0; received < MESSAGES_AT_A_TIME; received += 1) {
        const message = await queue.poll();
        if (!message) break;
        repeats = message.id === last ? repeats + 1 : 0;
        last = message.id;
        if (!(await this.take(queue, message, repeats))) break;
      }
      outage.succeeded();
    } catch (error) {
      outage.failed(error);
    }
  }

  /** Answers whether to go on to what comes after it. */
  private async take(queue: RegistryMessageQueue, message: RegistryMessage, repeats: number): Promise<boolean> {
    const isStuck = this.stuck.get(queue.registry) === message.id;
    if (!isStuck) this.stuck.delete(queue.registry);
    if (!isStuck && repeats === 0) await this.heedOrKeep(queue, message);
    if (repeats <= MOST_REPEATS) return this.acknowledge(queue, message);
    this.tellOfStuck(queue, message);
    return false;
  }

  private async heedOrKeep({ registry }: RegistryMessageQueue, message: RegistryMessage): Promise<void> {
    try {
      await this.heed(registry, message);
      if (message.kind === 'low_balance') await this.keep(registry, message);
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      await this.keep(registry, message);
      this.log.error(
        { err: error, registry, messageId: message.id },
        'a message of a registry could not be acted upon and is kept in dead_letters',
      );
    }
  }

  private async keep(registry: string, message: RegistryMessage): Promise<void> {
    await this.unitOfWork.run(({ deadLetters }) =>
      deadLetters.keep({
        registry,
        messageId: message.id,
        message: JSON.stringify(message, shortened),
        receivedAt: this.clock.now(),
      }),
    );
  }

  private async heed(
    registry: string,
    { kind, name, foreignName, text, at, unreadable }: RegistryMessage,
  ): Promise<void> {
    if (unreadable !== undefined) throw new Error("its registry's adapter cannot read it");
    const told = text.slice(0, TEXT_TOLD);
    if (foreignName !== undefined) {
      this.log.warn(
        { registry, name: foreignName, text: told, at },
        'a registry sent a message about a name that it does not serve for us: it is ignored',
      );
      return;
    }
    if (kind === 'low_balance') {
      this.log.warn({ registry, text: told, at }, 'a registry warns that our credit is running out: top it up');
      return;
    }
    if (!name) {
      this.log.info({ registry, kind, text: told, at }, 'a registry says');
      return;
    }
    await this.unitOfWork.run(async ({ audit, domains }) => {
      const domain = await domains.lockByName(name);
      if (!domain) return;
      const { id, accountId } = domain.toState();
      domain.schedule(this.lifecycleClock.now());
      await domains.save(domain);
      await audit.append({
        at: this.clock.now(),
        accountId,
        actor: SERVICE,
        action: 'domain.registry_message',
        domain: { id, name: name.value },
        subject: null,
        before: {},
        after: { kind, text: told },
      });
    });
  }

  /** Answers whether the registry has taken it back. */
  private async acknowledge(queue: RegistryMessageQueue, message: RegistryMessage): Promise<boolean> {
    try {
      await queue.acknowledge(message.id);
      return true;
    } catch (error) {
      if (!(error instanceof RegistryRejected)) throw error;
      this.tellOfStuck(queue, message, error);
      return false;
    }
  }

  /** One that the registry does not take back comes again, and is told of once. */
  private tellOfStuck(
    { registry }: RegistryMessageQueue,
    { id: messageId }: RegistryMessage,
    err?: RegistryRejected,
  ): void {
    if (this.stuck.has(registry)) return;
    this.stuck.set(registry, messageId);
    this.log.error(
      { err, registry, messageId },
      'a registry does not let a message be acknowledged, and tells nothing that came after it',
    );
  }
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, TEXT_KEPT) : value;
}
