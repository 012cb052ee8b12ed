import type { DeadLetter, DeadLetterReader } from '../../application/ports/registry/registries';
import { ValidationError } from '../../domain/shared/validation-error';
import { table, type CommandSpec } from '../command-spec';
import { printableJson, printableText } from '../printable';

export const MESSAGE_USAGE = `  message list                          lists the latest hundred registry messages that could not be processed
                                        (dead letters): time, registry and id
  message show REGISTRY ID              prints such a message as JSON, including secrets`;

const MAX_LISTED = 100;
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
          text: table(all.map(({ received_at, registry, id }) => [received_at, registry, printableText(id)])),
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
        return { json: shown, text: printableJson(JSON.stringify(shown, undefined, 2)) };
      },
  },
};

function presentFacts({ registry, messageId, receivedAt }: DeadLetter) {
  return { registry, id: messageId, received_at: receivedAt.toISOString() };
}
