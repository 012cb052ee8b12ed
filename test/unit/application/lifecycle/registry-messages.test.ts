import { RegistryMessages } from '../../../../src/application/lifecycle/registry-messages';
import { QueueLeases } from '../../../../src/application/lifecycle/queue-leases';
import { RegistryRejected, RegistryUnavailable } from '../../../../src/application/ports/registry/registry-errors';
import type { RegistryMessage } from '../../../../src/application/ports/registry/registry-port';
import type { RegistryMessageQueue } from '../../../../src/application/ports/registry/registries';
import { StorageUnavailable } from '../../../../src/application/ports/storage/storage-unavailable';
import type { StoreName, Stores, UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { findLowBalances } from '../../../../src/http/dashboard/overview/attention-items';
import { OPERATOR_FEED } from '../../../../src/domain/access/events/account-event';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { OPERATION_SETTINGS } from '../../../support/use-cases/registration-scenario';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const about = (name: string, part: Partial<RegistryMessage> = {}): RegistryMessage => ({
  id: name,
  at: new Date('2026-02-28T00:00:00.000Z'),
  kind: 'changed',
  name: DomainName.fromState(name),
  text: 'Something happened',
  ...part,
});
/** What an adapter should never answer. */
const POISON = about('poison.com', { id: 'poison', text: undefined as unknown as string });

class Queue implements RegistryMessageQueue {
  readonly acknowledged: string[] = [];
  failure: Error | undefined;
  /** How many acknowledgements are taken and forgotten. */
  forgets = 0;

  constructor(
    readonly registry: string,
    private readonly messages: readonly RegistryMessage[],
    private readonly refused?: string,
  ) {}

  async poll(): Promise<RegistryMessage | undefined> {
    if (this.failure) throw this.failure;
    return this.messages.find(({ id }) => !this.acknowledged.includes(id));
  }

  async acknowledge(messageId: string): Promise<void> {
    if (messageId === this.refused) throw new RegistryRejected('policy', 'Parameter value policy error (2306)');
    if (this.forgets > 0) this.forgets -= 1;
    else this.acknowledged.push(messageId);
  }
}

/** A database that is away for its first unit of work. */
class Hiccup implements UnitOfWork<StoreName> {
  private isOver = false;

  constructor(private readonly storage: UnitOfWork<StoreName>) {}

  async run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    if (this.isOver) return this.storage.run(work);
    this.isOver = true;
    throw new StorageUnavailable();
  }
}

describe('messages of registries', () => {
  let around: UseCaseContext;
  const messagesOf = (...queues: RegistryMessageQueue[]) =>
    new RegistryMessages(
      around.storage,
      { queues: () => queues },
      leases(),
      around.clock,
      around.lifecycleClock,
      around.log,
    );
  const leases = () => new QueueLeases(around.storage.leases, OPERATION_SETTINGS);
  const due = (id: string) =>
    around.storage.tables.domains.get(id)?.dueAt?.getTime() === around.lifecycleClock.now().getTime();
  const told = () => around.log.entries.map(({ level, facts }) => [level, facts['registry'], facts['messageId']]);

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: 'one.com' });
    await around.givenDomain({ id: 'dom_2', name: 'two.com' });
  });

  it('become dead letters and are acknowledged if they cannot be processed, and the next ones are processed', async () => {
    await around.givenDomain({ id: 'dom_3', name: 'poison.com' });
    const queue = new Queue('one', [POISON, about('one.com')]);

    await messagesOf(queue).receive();

    expect(queue.acknowledged).toEqual(['poison', 'one.com']);
    expect(due('dom_1')).toBe(true);
    expect([...around.storage.tables.deadLetters.values()]).toMatchObject([
      { registry: 'one', messageId: 'poison', message: expect.stringContaining('poison.com') },
    ]);
    expect(told()).toEqual([['error', 'one', 'poison']]);
  });

  it('touch no domain if the registry does not serve the name for us, and a WARN says so', async () => {
    const { name: _name, ...rest } = about('one.com');
    const queue = new Queue('one', [{ ...rest, kind: 'other', foreignName: 'one.com' }]);

    await messagesOf(queue).receive();

    expect(queue.acknowledged).toEqual(['one.com']);
    expect(due('dom_1')).toBe(false);
    expect(around.log.entries).toMatchObject([{ level: 'warn', facts: { registry: 'one', name: 'one.com' } }]);
  });

  it('are logged as WARN if they warn of a low balance, and kept for the overview', async () => {
    const { name: _name, ...rest } = about('low');
    const queue = new Queue('one', [{ ...rest, kind: 'low_balance', text: 'Balance below 100.00' }]);

    await messagesOf(queue).receive();

    expect(queue.acknowledged).toEqual(['low']);
    expect(around.log.entries).toMatchObject([
      { level: 'warn', facts: { registry: 'one', text: 'Balance below 100.00' } },
    ]);
    const [kept] = around.storage.tables.deadLetters.values();
    expect(findLowBalances([kept!], new Date(0))).toEqual([
      { registry: 'one', text: 'Balance below 100.00', at: around.clock.now() },
    ]);
    expect(findLowBalances([kept!], new Date(around.clock.now().getTime() + 1))).toEqual([]);
  });

  it('are an event of the operator once if they warn of a low balance, even if they come again', async () => {
    const { name: _name, ...rest } = about('low');
    const queue = new Queue('one', [{ ...rest, kind: 'low_balance', text: 'Balance below 100.00' }]);
    queue.forgets = 1;

    await messagesOf(queue).receive();
    await messagesOf(queue).receive();

    expect(around.storage.tables.events.get(OPERATOR_FEED)).toEqual([
      {
        accountId: OPERATOR_FEED,
        at: around.clock.now(),
        actor: { kind: 'service' },
        domain: null,
        position: 1,
        type: 'registry.low_balance',
        data: {
          registry: 'one',
          message_id: 'low',
          text: 'Balance below 100.00',
          sent_at: '2026-02-28T00:00:00.000Z',
        },
      },
    ]);
  });

  it.each(['changed', 'low_balance'] as const)('schedule a check of every name in them: %s', async (kind) => {
    const names = ['unknown.com', 'two.com'].map((name) => DomainName.fromState(name));

    await messagesOf(new Queue('one', [about('one.com', { kind, furtherNames: names })])).receive();

    expect([due('dom_1'), due('dom_2')]).toEqual([true, true]);
    expect(around.auditEntries.map(({ domain }) => domain?.name)).toEqual(['one.com', 'two.com']);
  });

  it('are stored truncated if they cannot be parsed', async () => {
    const { name: _name, ...rest } = about('long');
    const queue = new Queue('one', [{ ...rest, kind: 'other', unreadable: '<'.repeat(1_000_000) }]);

    await messagesOf(queue).receive();

    expect([...around.storage.tables.deadLetters.values()][0]?.message.length).toBeLessThan(66_000);
  });

  it('a message that cannot be acknowledged does not block other registries and is logged once', async () => {
    const [stuck, other] = [new Queue('stuck', [about('one.com')], 'one.com'), new Queue('other', [about('two.com')])];
    const messages = messagesOf(stuck, other);

    await messages.receive();
    await messages.receive();

    expect(other.acknowledged).toEqual(['two.com']);
    expect(due('dom_1')).toBe(true);
    expect(told()).toEqual([['error', 'stuck', 'one.com']]);
    expect(around.auditEntries.map(({ domain }) => domain?.name)).toEqual(['one.com', 'two.com']);
  });

  it('are acknowledged again if they come again after their acknowledgement, and processed once', async () => {
    const queue = new Queue('one', [about('one.com'), about('two.com')]);
    queue.forgets = 1;

    await messagesOf(queue).receive();

    expect(queue.acknowledged).toEqual(['one.com', 'two.com']);
    expect(around.auditEntries).toHaveLength(2);
    expect(told()).toEqual([]);
  });

  it('are left for later if they come again after every acknowledgement, logged once and processed once', async () => {
    const queue = new Queue('one', [about('one.com')]);
    const messages = messagesOf(queue);
    queue.forgets = 5;

    await messages.receive();
    const meanwhile = 5 - queue.forgets;
    await messages.receive();
    await messages.receive();

    expect(meanwhile).toBe(2);
    expect(queue.acknowledged).toEqual(['one.com']);
    expect(around.auditEntries).toHaveLength(1);
    expect(told()).toEqual([['error', 'one', 'one.com']]);
  });

  it('are stored as received if their adapter cannot parse them, and the next ones are processed', async () => {
    const unreadable: RegistryMessage = {
      id: '7',
      at: new Date('2026-02-28T00:00:00.000Z'),
      kind: 'other',
      text: 'A message that cannot be read',
      unreadable: '<epp',
    };
    const queue = new Queue('one', [unreadable, about('one.com')]);

    await messagesOf(queue).receive();

    expect(queue.acknowledged).toEqual(['7', 'one.com']);
    expect([...around.storage.tables.deadLetters.values()].map(({ message }) => JSON.parse(message))).toMatchObject([
      { id: '7', unreadable: '<epp' },
    ]);
    expect(told()).toEqual([['error', 'one', '7']]);
    expect(JSON.stringify(around.log.entries)).not.toContain('<epp');
  });

  it('a registry that does not respond does not block others, and its outage is logged when it starts and ends', async () => {
    const [silent, other] = [new Queue('silent', []), new Queue('other', [about('two.com')])];
    const messages = messagesOf(silent, other);
    silent.failure = new RegistryUnavailable();

    await messages.receive();
    await messages.receive();
    silent.failure = undefined;
    await messages.receive();

    expect(other.acknowledged).toEqual(['two.com']);
    expect(told()).toEqual([
      ['warn', 'silent', undefined],
      ['info', 'silent', undefined],
    ]);
  });

  it('are neither kept nor acknowledged while nothing can be stored: they come again', async () => {
    const queue = new Queue('one', [about('one.com')]);
    const messages = messagesOf(queue);
    around.storage.goDown();
    await messages.receive();
    around.storage.comeUp();
    const meanwhile = [...queue.acknowledged];

    await messages.receive();

    expect(meanwhile).toEqual([]);
    expect(queue.acknowledged).toEqual(['one.com']);
    expect(around.storage.tables.deadLetters.size).toBe(0);
  });

  it('do not become dead letters if only the database failed, even for a moment', async () => {
    const queue = new Queue('one', [about('one.com')]);
    const messages = new RegistryMessages(
      new Hiccup(around.storage),
      { queues: () => [queue] },
      leases(),
      around.clock,
      around.lifecycleClock,
      around.log,
    );

    await messages.receive();
    const meanwhile = [...queue.acknowledged];
    await messages.receive();

    expect(meanwhile).toEqual([]);
    expect(around.storage.tables.deadLetters.size).toBe(0);
    expect(due('dom_1')).toBe(true);
  });

  it('are not acknowledged by a process that was frozen and lost its lease to another one', async () => {
    const queue = new Queue('one', [about('one.com'), about('two.com')]);
    const poll = queue.poll.bind(queue);
    jest.spyOn(queue, 'poll').mockImplementationOnce(async () => {
      const held = await around.storage.leases.find('poll one');
      await around.storage.leases.hold('poll one', 'other', held);
      return poll();
    });

    await messagesOf(queue).receive();

    expect(queue.acknowledged).toEqual([]);
    expect((await around.storage.leases.find('poll one'))?.owner).toBe('other');
  });

  it('are not acknowledged by a process that was frozen, even if the other one has read the queue and released it', async () => {
    const queue = new Queue('one', [about('one.com')]);
    const poll = queue.poll.bind(queue);
    jest.spyOn(queue, 'poll').mockImplementationOnce(async () => {
      const held = await around.storage.leases.find('poll one');
      await around.storage.leases.hold('poll one', 'other', held);
      await around.storage.leases.release('poll one', 'other');
      return poll();
    });

    await messagesOf(queue).receive();

    expect(queue.acknowledged).toEqual([]);
    expect((await around.storage.leases.find('poll one'))?.owner).toBe('');
  });

  it('do not hold back those of other registries if one is received for long, and are received once', async () => {
    const [slow, other] = [new Queue('slow', [about('one.com')]), new Queue('other', [about('two.com')])];
    const responses: ((message: undefined) => void)[] = [];
    const poll = jest.spyOn(slow, 'poll').mockReturnValueOnce(new Promise((resolve) => responses.push(resolve)));
    const messages = messagesOf(slow, other);
    const first = messages.receive();
    await new Promise(setImmediate);
    other.acknowledged.splice(0);

    const second = messages.receive();
    await new Promise(setImmediate);
    const acknowledged = [...other.acknowledged];
    for (const respond of responses) respond(undefined);
    await Promise.all([first, second]);

    expect(acknowledged).toEqual(['two.com']);
    expect(poll).toHaveBeenCalledTimes(1);
  });

  it('are not read while another process reads the queue, until the service stops', async () => {
    const queue = new Queue('one', [about('one.com')]);
    await around.storage.leases.hold('poll one', 'other');
    const stopping = new AbortController();

    const receiving = messagesOf(queue).receive(stopping.signal);
    stopping.abort();
    await receiving;

    expect(queue.acknowledged).toEqual([]);
  });

  it('are cut to the length of an audit entry', async () => {
    await messagesOf(new Queue('one', [about('one.com', { text: 'x'.repeat(1_000_000) })])).receive();

    expect(around.auditEntries.map(({ after }) => String(after['text']).length)).toEqual([1_000]);
  });
});
