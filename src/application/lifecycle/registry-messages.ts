import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import type { EventFact } from '../../domain/access/events/account-event';
import type { DomainName } from '../../domain/shared/domain-name';
import { balanceLow } from '../audit/registry-events';
import { Outage } from '../shared/outage';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { RegistryMessage } from '../ports/registry/registry-port';
import { QueueLeases } from './queue-leases';
import { MessageQueues, type RegistryMessageQueue } from '../ports/registry/registries';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock, Log } from '../ports/system';

const BATCH_SIZE = 500;
/** A message comes again if its acknowledgment was lost. */
const MAX_REPEATS = 1;
/** Limit of a message text in logs and audit entries. */
const MAX_LOGGED_TEXT = 1_000;
/** Limit of each text in a dead letter; a frame can have a megabyte. */
const MAX_STORED_TEXT = 65_536;

/**
 * Receives registry messages (EPP poll). A message is acknowledged after its effect is committed. One that cannot be processed
 * is stored as a dead letter and acknowledged, so that it does not block the queue. One process at a time reads a queue.
 */
@injectable()
export class RegistryMessages {
  private readonly outages = new Map<string, Outage>();
  private readonly running = new Map<string, Promise<void>>();
  /** Per registry, the id of a message that cannot be acknowledged or comes again after it; its effect is committed. */
  private readonly stuck = new Map<string, string>();

  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'audit' | 'deadLetters' | 'domains' | 'events' | 'transfers'>,
    @inject(MessageQueues) private readonly registries: MessageQueues,
    @inject(QueueLeases) private readonly leases: QueueLeases,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Receives the messages of all registries; a registry whose messages are being received already is waited for. Each message about a domain schedules a check of that domain, or of the transfer that brings it. */
  async receive(stopping = new AbortController().signal): Promise<void> {
    await Promise.all(this.registries.queues().map((queue) => this.receiveOnceFrom(queue, stopping)));
  }

  private receiveOnceFrom(queue: RegistryMessageQueue, stopping: AbortSignal): Promise<void> {
    const { registry } = queue;
    const running =
      this.running.get(registry) ?? this.receiveFrom(queue, stopping).finally(() => this.running.delete(registry));
    this.running.set(registry, running);
    return running;
  }

  private async receiveFrom(queue: RegistryMessageQueue, stopping: AbortSignal): Promise<void> {
    const outage =
      this.outages.get(queue.registry) ??
      new Outage(this.log, 'receiving registry messages', { registry: queue.registry });
    this.outages.set(queue.registry, outage);
    try {
      await this.leases.of(queue.registry).runWhileHeld(stopping, () => this.drain(queue));
      outage.recordSuccess();
    } catch (error) {
      outage.recordFailure(error);
    }
  }

  private async drain(queue: RegistryMessageQueue): Promise<void> {
    let [last, repeats]: [string | undefined, number] = [undefined, 0];
    for (let received = 0; received < BATCH_SIZE; received += 1) {
      const message = await queue.poll();
      if (!message) return;
      repeats = message.id === last ? repeats + 1 : 0;
      last = message.id;
      if (!(await this.handle(queue, message, repeats))) return;
    }
  }

  /** Returns whether to poll for the next message. */
  private async handle(queue: RegistryMessageQueue, message: RegistryMessage, repeats: number): Promise<boolean> {
    const isStuck = this.stuck.get(queue.registry) === message.id;
    if (!isStuck) this.stuck.delete(queue.registry);
    if (!isStuck && repeats === 0) await this.processOrStore(queue, message);
    if (repeats <= MAX_REPEATS) return this.acknowledge(queue, message);
    this.logStuck(queue, message);
    return false;
  }

  private async processOrStore({ registry }: RegistryMessageQueue, message: RegistryMessage): Promise<void> {
    try {
      await this.process(registry, message);
      if (message.kind === 'low_balance')
        await this.store(registry, message, balanceLow(registry, message, this.clock.now()));
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      await this.store(registry, message);
      this.log.error(
        { err: error, registry, messageId: message.id },
        'a registry message could not be processed and was stored as a dead letter',
      );
    }
  }

  private async store(registry: string, message: RegistryMessage, event?: EventFact): Promise<void> {
    await this.unitOfWork.run(async ({ deadLetters, events }) => {
      const receivedAt = this.clock.now();
      const letter = { registry, messageId: message.id, message: JSON.stringify(message, truncate), receivedAt };
      const isNew = await deadLetters.keep(letter);
      if (isNew && event) await events.append(event);
    });
  }

  private async process(
    registry: string,
    { kind, name, furtherNames = [], foreignName, text, at, unreadable }: RegistryMessage,
  ): Promise<void> {
    if (unreadable !== undefined) throw new Error("the registry's adapter cannot parse the message");
    const shownText = text.slice(0, MAX_LOGGED_TEXT);
    if (foreignName !== undefined) {
      this.log.warn(
        { registry, name: foreignName, text: shownText, at },
        'a registry message is about a name that the registry does not serve for us and was ignored',
      );
    } else if (kind === 'low_balance') {
      this.log.warn({ registry, text: shownText, at }, 'the balance at a registry is low: top it up');
    } else if (!name) {
      this.log.info({ registry, kind, text: shownText, at }, 'registry message');
    }
    for (const each of [...(name ? [name] : []), ...furtherNames])
      await this.scheduleCheck(each, { kind, text: shownText });
  }

  /** Makes the domain, or the transfer that brings it, due at once. */
  private async scheduleCheck(name: DomainName, after: Pick<RegistryMessage, 'kind' | 'text'>): Promise<void> {
    await this.unitOfWork.run(async ({ audit, domains, transfers }) => {
      const domain = await domains.lockByName(name);
      if (!domain || domain.isHosted) {
        const transfer = await transfers.lockOpenByName(name);
        transfer?.expedite(this.lifecycleClock.now());
        if (transfer) await transfers.save(transfer);
        return;
      }
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
        after,
      });
    });
  }

  /** Returns whether the registry removed the message. Another process may be reading it if this one was frozen and lost its lease. */
  private async acknowledge(queue: RegistryMessageQueue, message: RegistryMessage): Promise<boolean> {
    if (!(await this.leases.of(queue.registry).isHeld())) return false;
    try {
      await queue.acknowledge(message.id);
      return true;
    } catch (error) {
      if (!(error instanceof RegistryRejected)) throw error;
      this.logStuck(queue, message, error);
      return false;
    }
  }

  /** Logs once per message, although it comes with every poll. */
  private logStuck(
    { registry }: RegistryMessageQueue,
    { id: messageId }: RegistryMessage,
    err?: RegistryRejected,
  ): void {
    if (this.stuck.has(registry)) return;
    this.stuck.set(registry, messageId);
    this.log.error(
      { err, registry, messageId },
      'a registry does not accept the acknowledgment of a message, which blocks all later messages: contact the registry',
    );
  }
}

function truncate(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, MAX_STORED_TEXT) : value;
}
