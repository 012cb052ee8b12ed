import { differencesFound, balanceLow } from '../../../src/application/audit/registry-events';
import { EventWaits } from '../../../src/application/events/event-waits';
import { EventsRemoved, ReadEvents } from '../../../src/application/events/read-events';
import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import { UsageError } from '../../../src/cli/usage-error';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { InMemoryStorage } from '../../support/fakes/in-memory/in-memory-storage';
import { MovableClock } from '../../support/fakes/movable-clock';
import { RecordingLog } from '../../support/fakes/recording-log';
import { SequentialIds } from '../../support/fakes/sequential-ids';
import { assertValid, pointerTo } from '../../support/http/openapi';

const AT = new Date('2026-02-01T12:00:00.000Z');
const DIFFERENCE = {
  name: 'lost.com',
  kind: 'missing there',
  accountId: 'acc_1',
  domainId: 'dom_1',
  ours: 'active',
  theirs: 'unregistered',
} as const;

describe('the command for events', () => {
  const storage = new InMemoryStorage(new SequentialIds(), new MovableClock());
  const readEvents = new ReadEvents(storage.eventFeed, new EventWaits(storage.eventFeed, new RecordingLog()));
  const run = async (...argv: string[]): Promise<string> => {
    const command = parseCommand(argv);
    if (command.kind === 'help') throw new Error('help was asked for');
    return command.run({ readEvents } as Partial<CommandServices> as CommandServices);
  };
  const shown = async (...argv: string[]) =>
    JSON.parse(await run('event', 'list', '--json', ...argv)) as { readonly id: string; readonly type: string }[];

  beforeAll(() =>
    storage.run(async ({ events }) => {
      const reconciliation = { registry: 'one', finishedAt: AT, compared: 9, listed: true, differences: 1 };
      await events.append(
        balanceLow('one', { id: '7', kind: 'low_balance', at: AT, text: 'Balance \u009b2J low' }, AT),
        ...differencesFound(reconciliation, [DIFFERENCE]),
        { accountId: 'acc_1', at: AT, actor: { kind: 'service' }, type: 'domain.changed', domain: null, data: {} },
      );
    }),
  );

  it('lists those of the operator, oldest first, as the OpenAPI document describes them', async () => {
    const events = await shown();

    expect(events.map(({ type }) => type)).toEqual(['registry.low_balance', 'registry.difference']);
    for (const event of events) {
      expect(event).toMatchObject({ account: 'operator', actor: 'service' });
      const schema = ['post', 'requestBody', 'content', 'application/json', 'schema'];
      assertValid(pointerTo('webhooks', event.type, ...schema), event);
    }
  });

  it('prints one a line, without terminal control characters', async () => {
    const [first, second, ...others] = (await run('event', 'list')).split('\n');

    expect(first).toMatch(
      /^2026-02-01T12:00:00.000Z\tevt_[0-9a-z]{18}\tregistry.low_balance\t\{.*Balance \\u009b2J low/,
    );
    expect(second).toMatch(/\tregistry.difference\t\{.*"name":"lost.com"/);
    expect(others).toEqual([]);
  });

  it('continues after an event, with a limit, and lists those of an account', async () => {
    const [first] = await shown('--limit', '1');

    expect((await shown('--after', first?.id ?? '')).map(({ type }) => type)).toEqual(['registry.difference']);
    expect((await shown('--account', 'acc_1')).map(({ type }) => type)).toEqual(['domain.changed']);
  });

  it('refuses an id that is none, a limit that is none, and an event of another feed', async () => {
    expect(() => parseCommand(['event', 'list', '--after', 'x'])).toThrow(ValidationError);
    expect(() => parseCommand(['event', 'list', '--limit', '1001'])).toThrow(ValidationError);
    expect(() => parseCommand(['event', 'list', '--scope', 'READ'])).toThrow(UsageError);
    await expect(run('event', 'list', '--after', 'evt_other0000000000001')).rejects.toThrow(EventsRemoved);
  });
});
