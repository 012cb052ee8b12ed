import type { DeadLetter, DeadLetterReader } from '../application/ports/registry/message-queues';
import { ValidationError } from '../domain/shared/validation-error';
import { table, type CommandSpec } from './command-spec';

export const MESSAGE_USAGE = `  message list                          lists the latest hundred registry messages that could not be processed
                                        (dead letters): time, registry and id
  message show REGISTRY ID              prints such a message as JSON, including secrets`;

const MAX_LISTED = 100;
/** Characters that control a terminal or reverse its text. JSON already escapes U+0000 to U+001F. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

export const MESSAGE_COMMANDS: Readonly<Record<string, CommandSpec<{ readonly deadLetters: DeadLetterReader }>>> = {
  'message list': {
    required: [],
    optional: [],
    prepare:
      () =>
      async ({ deadLetters }) => {
        const all = (await deadLetters.latest(MAX_LISTED)).map(presentFacts);
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
        const letter = await deadLetters.find(registry, id);
        if (!letter) throw ValidationError.of('id', `is not the id of a stored message from ${registry}`);
        const shown = { ...presentFacts(letter), message: JSON.parse(letter.message) as unknown };
        return { json: shown, text: JSON.stringify(shown, undefined, 2).replace(UNPRINTABLE, escapeCharacter) };
      },
  },
};

function presentFacts({ registry, messageId, receivedAt }: DeadLetter) {
  return { registry, id: messageId, received_at: receivedAt.toISOString() };
}

/** Keeps the line breaks of the formatted JSON. */
function escapeCharacter(character: string): string {
  if (character === '\n') return character;
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
