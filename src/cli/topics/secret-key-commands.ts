import { table, type CommandSpec } from '../command-spec';

export const SECRET_KEY_USAGE = `  secret-key rotate FILE                encrypts all stored secrets again with the key in FILE; stop all processes first,
                                        then set SECRET_KEY or SECRET_KEY_FILE to the new key
  secret-key replace-lost               makes the configured key the database's key after the former one was lost;
                                        secrets encrypted with the former key cannot be read any more`;

export interface SecretKeyServices {
  /** Returns how many values per table were encrypted again, and how many could not be decrypted and were left unchanged. */
  readonly rotateSecretKey: (
    file: string,
  ) => Promise<{ readonly sealed: Readonly<Record<string, number>>; readonly unreadable: number }>;
}

export const SECRET_KEY_COMMANDS: Readonly<Record<string, CommandSpec<SecretKeyServices>>> = {
  'secret-key rotate': {
    required: [],
    optional: [],
    operands: ['FILE'],
    prepare:
      (_options, file = '') =>
      async ({ rotateSecretKey }) => {
        const { sealed, unreadable } = await rotateSecretKey(file);
        const counts = { ...sealed, unreadable };
        return { json: counts, text: table(Object.entries(counts).map(([name, count]) => [String(count), name])) };
      },
  },
  // Opening the database with `replaceLostKey` has already replaced the key.
  'secret-key replace-lost': {
    required: [],
    optional: [],
    replaceLostKey: true,
    prepare: () => async () => ({ json: { replaced: true }, text: 'The database now uses the configured key' }),
  },
};
