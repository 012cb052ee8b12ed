import type { DeadLetter, DeadLetterReader } from '../application/ports/registry/dead-letters';
import { ValidationError } from '../domain/shared/validation-error';
import { table, type CommandSpec } from './command-spec';

export const MESSAGE_USAGE = `  message list                          the latest hundred messages of registries that could not be acted upon:
                                        when they came, from which registry, and their ids
  message show REGISTRY ID              prints such a message as JSON, the whole of it, secrets included`;

const MOST_LISTED = 100;
/** What moves a terminal's cursor or turns its text around; JSON escapes the first thirty-two by itself. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

export const MESSAGE_COMMANDS: Readonly<Record<string, CommandSpec<{ readonly deadLetters: DeadLetterReader }>>> = {
  'message list': {
    required: [],
    optional: [],
    prepare:
      () =>
      async ({ deadLetters }) => {
        const all = (await deadLetters.latest(MOST_LISTED)).map(presentFacts);
        return {
          json: all,
          text: table(
            all.map(({ received_at, registry, id }) => [received_at, registry, id.replace(UNPRINTABLE, ' ')]),
          ),
        };
      },
  },
  'message show': {
    required: [],
    optional: [],
    operands: ['REGISTRY', 'ID'],
    prepare:
      (_options, registry = '', id = '') =>
      async ({ deadLetters }) => {
        const kept = await deadLetters.find(registry, id);
        if (!kept) throw ValidationError.of('id', `is of no message that was kept of ${registry}`);
        const shown = { ...presentFacts(kept), message: JSON.parse(kept.message) as unknown };
        return { json: shown, text: JSON.stringify(shown, undefined, 2).replace(UNPRINTABLE, escaped) };
      },
  },
};

function presentFacts({ registry, messageId, receivedAt }: DeadLetter) {
  return { registry, id: messageId, received_at: receivedAt.toISOString() };
}

/** The line breaks are those of the layout. */
function escaped(character: string): string {
  if (character === '\n') return character;
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
