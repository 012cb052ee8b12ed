import { table, type CommandSpec } from './command-spec';

export const SECRET_KEY_USAGE = `  secret-key change FILE                seals with the key in FILE all that SECRET_KEY has sealed, while no process
                                        serves; afterwards FILE's key belongs into SECRET_KEY or SECRET_KEY_FILE
  secret-key lost                       the key that the database was sealed with is lost: takes the configured one
                                        from now on; what the former has sealed cannot be read any more`;

export interface SecretKeyServices {
  /** How many texts of each table are sealed with the key in `file` now, and how many did not open and stay as they were. */
  readonly rotateSecretKey: (
    file: string,
  ) => Promise<{ readonly sealed: Readonly<Record<string, number>>; readonly unreadable: number }>;
}

export const SECRET_KEY_COMMANDS: Readonly<Record<string, CommandSpec<SecretKeyServices>>> = {
  'secret-key change': {
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
  // Opening the database with `formerKeyIsLost` has done it.
  'secret-key lost': {
    required: [],
    optional: [],
    formerKeyIsLost: true,
    prepare: () => async () => ({ json: { replaced: true }, text: 'The database takes the configured key' }),
  },
};
