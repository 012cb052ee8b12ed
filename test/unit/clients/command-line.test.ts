import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { COMMANDS } from '../../../clients/cli/src/commands/commands.ts';
import { recordOf } from '../../../clients/cli/src/commands/dns/record-text.ts';
import { changeLines } from '../../../clients/cli/src/commands/dns/plan-text.ts';
import { findCommand, parse } from '../../../clients/cli/src/program/parse.ts';
import { accessOf, type Profiles } from '../../../clients/cli/src/program/profiles.ts';
import { referencePage } from '../../../clients/cli/src/reference.ts';
import { paintFor } from '../../../clients/cli/src/terminal/colors.ts';
import { printable, printableJson, printableLines } from '../../../clients/cli/src/terminal/printable.ts';
import { tableLines } from '../../../clients/cli/src/terminal/table.ts';

const parsed = (...words: string[]) => parse(findCommand(COMMANDS, words)!, words);

describe('the command line', () => {
  it('has a reference page that is written from the program', () => {
    const page = readFileSync(resolve(__dirname, '../../../docs/clients/cli.md'), 'utf8');

    // npm run docs:cli
    expect(page).toBe(referencePage(COMMANDS));
  });

  it('takes the longest command that the words begin with', () => {
    expect(parsed('keys').command.name).toBe('keys');
    expect(parsed('keys', 'create', 'monitoring').command.name).toBe('keys create');
    expect(parsed('records', 'add', 'a.com', 'www', 'A', '192.0.2.1', '192.0.2.2', '--ttl', '300')).toMatchObject({
      command: { name: 'records add' },
      args: ['a.com', 'www', 'A', '192.0.2.1', '192.0.2.2'],
      values: { ttl: '300' },
    });
  });

  it.each([
    [['renew'], 'NAME is missing'],
    [['renew', 'a.com', 'b.com'], 'b.com is one argument too many'],
    [['records', 'add', 'a.com', 'www', 'A'], 'CONTENT is missing'],
    [['renew', 'a.com', '--years'], "Option '--years <value>' argument missing"],
    [['renew', 'a.com', '--year', '1'], "Unknown option '--year'"],
  ])('refuses %p', (words, message) => {
    expect(() => parsed(...words)).toThrow(message);
  });

  it('reads the numbers of MX and SRV records before the name, and only of these', () => {
    expect(recordOf('MX', '10 mail.example.net')).toEqual({ priority: 10, content: 'mail.example.net' });
    expect(recordOf('SRV', '1 2 443 www.example.net')).toEqual({
      priority: 1,
      weight: 2,
      port: 443,
      content: 'www.example.net',
    });
    expect(recordOf('TXT', '10 years')).toEqual({ content: '10 years' });
  });
});

describe('the terminal output of the command line', () => {
  const ESCAPE = '\x1b[31mred\x9b\u202egnp.exe\r\n';

  it('escapes what would control the terminal or reverse its text', () => {
    expect(printable(ESCAPE)).toBe(String.raw`\u{1b}[31mred\u{9b}\u{202e}gnp.exe\u{d}\u{a}`);
    expect(printableLines('a\tb\x07\nc\r')).toBe('a\tb\\u{7}\nc\\u{d}');
    expect(tableLines(['A'], [[ESCAPE]])[1]).toBe(printable(ESCAPE));
  });

  it('escapes it in JSON so that a program reads the same text', () => {
    const value = { content: `${ESCAPE}\u{e0001}`, list: ['\x7f'] };

    const json = printableJson(value, 2);

    expect(json).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
    expect(JSON.parse(json)).toEqual(value);
  });

  it('escapes records in a plan', () => {
    const record = { id: 'rec_1', type: 'TXT', name: '@', content: ESCAPE, ttl: 300, priority: null, comment: '\x07' };
    const dated = { ...record, created_at: '', updated_at: '' } as never;

    const lines = changeLines({ added: [dated], changed: [], removed: [dated] }, (_color, text) => text);

    expect(lines).toEqual([
      `  - @ 300 TXT ${printable(ESCAPE)} ; \\u{7}`,
      `  + @ 300 TXT ${printable(ESCAPE)} ; \\u{7}`,
    ]);
  });

  it('aligns columns by what a character takes on the screen', () => {
    expect(
      tableLines(
        ['NAME', 'TTL'],
        [
          ['例え', '300'],
          ['é', '60'],
        ],
      ),
    ).toEqual(['NAME  TTL', '例え  300', 'é     60']);
  });

  it.each([
    ['a terminal', { isTTY: true, hasColors: () => true }, '\x1b[31mx\x1b[39m'],
    ['a terminal without colors, as with NO_COLOR', { isTTY: true, hasColors: () => false }, 'x'],
    ['a pipe', {}, 'x'],
  ])('has colors on a terminal that has them only: %s', (_what, stream, expected) => {
    expect(paintFor(stream as unknown as NodeJS.WritableStream, {})('red', 'x')).toBe(expected);
  });
});

describe('the key of a command', () => {
  const profiles = { all: () => ({ default: { url: 'https://a', key: 'a' }, b: { url: 'https://b', key: 'b' } }) };
  const access = (env: NodeJS.ProcessEnv, named?: string) => accessOf(env, named, profiles as unknown as Profiles);
  const ENVIRONMENT = { NAMEWRIGHT_URL: 'https://c', NAMEWRIGHT_API_KEY: 'c' };

  it('is that of the named profile, then of the environment, then of the default profile', () => {
    expect(access(ENVIRONMENT, 'b').key).toBe('b');
    expect(access(ENVIRONMENT).key).toBe('c');
    expect(access({ NAMEWRIGHT_PROFILE: 'b' }).key).toBe('b');
    expect(access({}).key).toBe('a');
  });

  it('is that of the profile if NAMEWRIGHT_URL alone is set, and names its service', () => {
    expect(access({ NAMEWRIGHT_URL: 'https://a' }).key).toBe('a');
    expect(access({ NAMEWRIGHT_URL: 'https://A/api/' })).toEqual({ url: 'https://a', key: 'a' });
    expect(access({ NAMEWRIGHT_URL: 'https://b', NAMEWRIGHT_PROFILE: 'b' }).key).toBe('b');
  });

  it('never goes to the URL of another', () => {
    expect(() => access({ NAMEWRIGHT_API_KEY: 'c' })).toThrow('NAMEWRIGHT_URL is not set');
    expect(() => access({ ...ENVIRONMENT, NAMEWRIGHT_URL: 'c.example.com' })).toThrow(
      'c.example.com is not a URL such as',
    );
    expect(() => access({ NAMEWRIGHT_URL: 'https://c' })).toThrow('NAMEWRIGHT_API_KEY is not set');
    expect(() => access({ NAMEWRIGHT_URL: 'https://b' })).toThrow('namewright login');
    expect(() => access({ NAMEWRIGHT_URL: 'https://a.example.com' })).toThrow('NAMEWRIGHT_API_KEY is not set');
    expect(() => access({ NAMEWRIGHT_URL: 'http://a' })).toThrow('NAMEWRIGHT_API_KEY is not set');
  });

  it('is missing with the command that stores one', () => {
    expect(() => access({}, 'c')).toThrow('namewright login --profile c');
  });
});
