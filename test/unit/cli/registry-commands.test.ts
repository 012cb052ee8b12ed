import { readFileSync } from 'node:fs';
import { UsageError } from '../../../src/cli/usage-error';
import { parseRegistryCommand, REGISTRY_USAGE } from '../../../src/cli/topics/registry-commands';
import { WIRE_FAULTS } from '../../../src/infrastructure/registry/sandbox/epp-server/wire-faults';

const parse = (line: string) => parseRegistryCommand(line === '' ? [] : line.split(' '));

describe('the command line of the sandbox registry', () => {
  it('listens on loopback by default', () => {
    expect(parse('')).toEqual({
      kind: 'serve',
      options: {
        folder: 'data/registry',
        port: 7_000,
        host: '127.0.0.1',
        personality: 'rfc',
        maxSessions: 20,
        idleMs: 600_000,
      },
    });
  });

  it.each([
    ['serve --port 0 --hosts attributes', { kind: 'serve' }],
    [
      'serve --dns 127.0.0.1:5300',
      { options: { dns: { endpoint: { address: '127.0.0.1', port: 5_300 }, nameserver: '127.0.0.1' } } },
    ],
    [
      '--dns ::1 --dns-nameserver 127.0.0.2',
      { options: { dns: { endpoint: { address: '::1', port: 53 }, nameserver: '127.0.0.2' } } },
    ],
    ['--personality eurid', { options: { personality: 'eurid' } }],
    ['registrar list', { kind: 'list' }],
    ['registrar set acme', { kind: 'set', registrar: 'acme' }],
    ['advance 400', { kind: 'advance', days: 400 }],
    ['fault clear', { kind: 'clear' }],
    [
      'fault drop_after --target com --times 2',
      { kind: 'fault', fault: { kind: 'drop_after', target: 'com', times: 2, milliseconds: 1_000 } },
    ],
    ['--help', { kind: 'help' }],
  ])('understands %s', (line, command) => {
    expect(parse(line)).toMatchObject(command);
  });

  it.each([
    'sell',
    'serve twice',
    'registrar set',
    'registrar set ab',
    'registrar set acme now',
    'advance',
    'advance -1',
    'fault',
    'fault fire',
    '--port 65536',
    '--hosts none',
    '--personality denim',
    '--dns localhost',
    '--dns-nameserver 127.0.0.2',
    '--dns 127.0.0.1 --dns-nameserver ns1',
    '--color blue',
  ])('refuses %s', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });

  it('has each of its faults explained in the guide', () => {
    const guide = readFileSync('docs/sandbox-registry.md', 'utf8');

    for (const fault of WIRE_FAULTS) expect(guide).toContain(`| \`${fault}\` |`);
  });

  it('explains every option', () => {
    for (const option of [
      'folder',
      'port',
      'host',
      'personality',
      'hosts',
      'max-sessions',
      'idle-seconds',
      'target',
      'times',
      'milliseconds',
      'help',
    ])
      expect(REGISTRY_USAGE).toContain(`--${option} `);
  });
});
