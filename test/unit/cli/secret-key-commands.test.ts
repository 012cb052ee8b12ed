import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import type { SecretKeyServices } from '../../../src/cli/topics/secret-key-commands';

const SERVICES: SecretKeyServices = {
  rotateSecretKey: async () => ({ sealed: { tsig_keys: 2, operations: 0 }, unreadable: 1 }),
};

async function run(...argv: string[]): Promise<string> {
  const command = parseCommand(argv);
  if (command.kind === 'help') throw new Error('help was asked for');
  return command.run(SERVICES as Partial<CommandServices> as CommandServices);
}

describe('the commands for the secret key', () => {
  it('print how many values are encrypted with the new key, and how many no key decrypts', async () => {
    expect(await run('secret-key', 'rotate', 'new.key')).toBe('2\ttsig_keys\n0\toperations\n1\tunreadable');
    expect(JSON.parse(await run('secret-key', 'rotate', 'new.key', '--json'))).toEqual({
      tsig_keys: 2,
      operations: 0,
      unreadable: 1,
    });
  });

  it('need a file that holds the new key', () => {
    expect(() => parseCommand(['secret-key', 'rotate'])).toThrow('secret-key rotate requires FILE');
  });

  it('open a database whose key is lost with `secret-key replace-lost` only', () => {
    expect(parseCommand(['secret-key', 'replace-lost'])).toMatchObject({ replaceLostKey: true });
    expect(parseCommand(['secret-key', 'rotate', 'new.key'])).toMatchObject({ replaceLostKey: false });
  });
});
