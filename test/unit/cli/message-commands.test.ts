import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { InMemoryStorage } from '../../support/fakes/in-memory/in-memory-storage';
import { MovableClock } from '../../support/fakes/movable-clock';
import { SequentialIds } from '../../support/fakes/sequential-ids';

const POISON = { id: '7', kind: 'other', unreadable: '<epp \u009b2J\u202e' };

async function run(...argv: string[]): Promise<string> {
  const command = parseCommand(argv);
  if (command.kind === 'help') throw new Error('help was asked for');
  const storage = new InMemoryStorage(new SequentialIds(), new MovableClock());
  for (const [day, message] of [POISON, { ...POISON, id: 'a\tb' }].entries()) {
    await storage.run(({ deadLetters }) =>
      deadLetters.keep({
        registry: 'one',
        messageId: message.id,
        message: JSON.stringify(message),
        receivedAt: new Date(Date.UTC(2026, 2, 1 + day)),
      }),
    );
  }
  return command.run({ deadLetters: storage.deadLetters } as Partial<CommandServices> as CommandServices);
}

describe('the commands for dead letters', () => {
  it('list them newest first, one a line, without their text', async () => {
    expect(await run('message', 'list')).toBe('2026-03-02T00:00:00.000Z\tone\ta b\n2026-03-01T00:00:00.000Z\tone\t7');
    expect(JSON.parse(await run('message', 'list', '--json'))).toEqual([
      { registry: 'one', id: 'a\tb', received_at: '2026-03-02T00:00:00.000Z' },
      { registry: 'one', id: '7', received_at: '2026-03-01T00:00:00.000Z' },
    ]);
  });

  it('show a whole message without terminal control characters', async () => {
    const shown = await run('message', 'show', 'one', '7');

    expect(JSON.parse(shown)).toEqual({
      registry: 'one',
      id: '7',
      received_at: '2026-03-01T00:00:00.000Z',
      message: POISON,
    });
    expect(shown).toContain('<epp \\u009b2J\\u202e');
    expect(JSON.parse(await run('message', 'show', 'one', '7', '--json'))).toEqual(JSON.parse(shown));
  });

  it('rejects an unknown message', async () => {
    await expect(run('message', 'show', 'another', '7')).rejects.toThrow(ValidationError);
  });
});
