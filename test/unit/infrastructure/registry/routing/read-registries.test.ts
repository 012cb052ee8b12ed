import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readRegistries,
  type RegistryDefinition,
} from '../../../../../src/infrastructure/registry/routing/read-registries';
import { openRegistries } from '../../../../../src/infrastructure/registry/routing/open-registries';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import { loadConfig } from '../../../../../src/config';
import { RegistryUnavailable } from '../../../../../src/application/ports/registry/registry-errors';
import { SOME_TLDS } from '../../../../support/data/some-tlds';
import { ScriptedRegistry } from '../../../../support/fakes/scripted-registry';

const HOUR_MS = 3_600_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'namewright-registries-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function readAll(text: string, env: NodeJS.ProcessEnv = {}) {
  return readRegistries({ file: write('registries.yaml', text), currency: 'EUR', env });
}

function read(text: string, env: NodeJS.ProcessEnv = {}): readonly RegistryDefinition[] {
  const { definitions, issues } = readAll(text, env);
  expect(issues).toEqual([]);
  return definitions;
}

function issuesOf(text: string, env: NodeJS.ProcessEnv = {}): string[] {
  return readAll(text, env).issues.map(({ path, message }) => `${path.replace('registries.', '')} ${message}`.trim());
}

const withCds = (cds: string) =>
  `registries: { a: { adapter: epp, tlds: [com, net], rules: { com: { cds: ${cds} } } } }`;

describe('registries file', () => {
  it('has files with secrets that other users may read, but no certificates, named in a WARN at start', async () => {
    const settings = 'password: { file: open }, token: { file: private }, certificate: { file: open }';
    const open = write('open', 'secret');
    chmodSync(open, 0o644);
    chmodSync(write('private', 'secret'), 0o600);

    const [registry] = read(`registries: { a: { adapter: epp, tlds: [com], settings: { ${settings} } } }`);

    const log = new RecordingLog();
    const context = { clock: new MovableClock(), log, currency: 'EUR', mainDatabase: loadConfig({}).database };
    await expect(
      openRegistries([{ ...registry!, factory: () => Promise.reject(new Error('the registry is away')) }], context),
    ).rejects.toThrow('the registry is away');

    expect(log.entries).toEqual([
      {
        level: 'warn',
        facts: { registry: 'a', files: [open] },
        message: 'files with secrets are readable by other users (chmod 600)',
      },
    ]);
  });

  it('opens registries that are cleaned up every hour, and logs if one does not respond', async () => {
    jest.useFakeTimers();
    const log = new RecordingLog();
    const [registry] = read('registries: { a: { adapter: epp, tlds: [com] } }');
    let cleanUps = 0;
    const cleanUp = async () => {
      cleanUps += 1;
      if (cleanUps === 2) throw new RegistryUnavailable('no response');
    };
    const clock = new MovableClock();
    const port = new ScriptedRegistry(
      clock,
      SOME_TLDS.filter(({ suffix }) => suffix === 'com'),
    );
    const running = { port, cleanUp, close: async () => undefined };
    const context = { clock, log, currency: 'EUR', mainDatabase: loadConfig({}).database };
    const { close } = await openRegistries([{ ...registry!, factory: async () => running }], context);

    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    await close();
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    jest.useRealTimers();

    expect(cleanUps).toBe(2);
    expect(log.entries).toMatchObject([{ level: 'warn', facts: { registry: 'a' } }]);
  });

  it('defines adapter, settings, TLDs, rules, prices and limits of each registry', () => {
    const [registry] = read(`
registries:
  germany:
    adapter: epp
    settings: { host: epp.example, port: 700 }
    tlds: [de, com.de]
    rules: { de: { years: { min: 1, max: 1 }, periods: { add_grace: 0, auth_code: 30 } } }
    prices: { de: { registration: 4.59, renewal: '4.6', restore: 40 } }
    concurrency: 3
    queue: 7
    per_second: 20
    query_seconds: 0.5
    command_seconds: 60
    failures: 2
    retry_after_seconds: 10
    read_lag_seconds: 20
`);

    expect(registry).toEqual({
      name: 'germany',
      adapter: 'epp',
      readSecret: expect.any(Function),
      accounts: [],
      folder,
      settings: { host: 'epp.example', port: 700 },
      tlds: [
        {
          suffix: 'de',
          readLagSeconds: 20,
          years: { min: 1, max: 1 },
          periods: { addGrace: 0, authCode: 30 },
          price: {
            registration: { minor: 459, currency: 'EUR' },
            renewal: { minor: 460, currency: 'EUR' },
            restore: { minor: 4_000, currency: 'EUR' },
          },
        },
        { suffix: 'com.de', readLagSeconds: 20 },
      ],
      limits: {
        concurrency: 3,
        queue: 7,
        perSecond: 20,
        queryMs: 500,
        commandMs: 60_000,
        failures: 2,
        retryAfterMs: 10_000,
      },
    });
  });

  it('accepts separate terms for registrations and renewals, and fees of whole terms', () => {
    const [registry] = read(`
registries:
  islands:
    adapter: epp
    tlds: [ai]
    rules: { ai: { years: { min: 2, max: 10 }, renewal_years: { min: 1, max: 9 } } }
    prices: { ai: { registration: 70, renewal: 70, restore: 140, registration_terms: { 2: 120, 10: '500.5' } } }
`);

    expect(registry?.tlds).toMatchObject([
      {
        years: { min: 2, max: 10 },
        renewalYears: { min: 1, max: 9 },
        price: {
          terms: {
            registration: { 2: { minor: 12_000, currency: 'EUR' }, 10: { minor: 50_050, currency: 'EUR' } },
            renewal: {},
          },
        },
      },
    ]);
  });

  it('says what CDS records may do for a TLD', () => {
    expect(read(withCds('delayed'))[0]?.tlds).toEqual([{ suffix: 'com', cds: 'delayed' }, { suffix: 'net' }]);
    expect(issuesOf(withCds('authenticated'))).toEqual([
      'a.rules.com.cds needs DNSSEC_RESOLVER, a resolver that validates, for authenticated',
    ]);
    expect(issuesOf(withCds('authenticated'), { DNSSEC_RESOLVER: '127.0.0.1' })).toEqual([]);
    expect(issuesOf(withCds('always'))).toEqual(['a.rules.com.cds must be one of rollovers, delayed, authenticated']);
  });

  it('may be JSON', () => {
    expect(read(JSON.stringify({ registries: { a: { adapter: 'simulated', tlds: ['com'] } } }))).toHaveLength(1);
  });

  it('may leave out the price of a restore, which then has none', () => {
    const [registry] = read(
      'registries: { a: { adapter: epp, tlds: [com], prices: { com: { registration: 10, renewal: 11 } } } }',
    );

    expect(registry?.tlds[0]?.price).toEqual({
      registration: { minor: 1_000, currency: 'EUR' },
      renewal: { minor: 1_100, currency: 'EUR' },
    });
  });

  it('sets a read lag only where the adapter takes it', async () => {
    const [registry] = read('registries: { a: { adapter: epp, tlds: [com], read_lag_seconds: 20 } }');
    const clock = new MovableClock();
    const context = { clock, log: new RecordingLog(), currency: 'EUR', mainDatabase: loadConfig({}).database };
    const com = SOME_TLDS.filter(({ suffix }) => suffix === 'com');
    const open = (tlds: typeof com) =>
      openRegistries(
        [
          {
            ...registry!,
            factory: async () => ({ port: new ScriptedRegistry(clock, tlds), close: async () => undefined }),
          },
        ],
        context,
      );

    await expect(open(com)).rejects.toMatchObject({
      issues: [
        {
          path: 'REGISTRIES_FILE registries.a.read_lag_seconds',
          message: 'must be absent: the adapter does not take it',
        },
      ],
    });
    const { port, close } = await open(com.map((policy) => ({ ...policy, readLagSeconds: 20 })));
    await close();
    expect(port.policies()).toMatchObject([{ suffix: 'com', readLagSeconds: 20 }]);
  });

  it('reads prices from a file in the same folder', () => {
    write('prices.yaml', 'com: { registration: 10, renewal: 11, restore: 80 }');

    const [registry] = read('registries: { a: { adapter: epp, tlds: [com], prices: prices.yaml } }');

    expect(registry?.tlds[0]?.price?.renewal).toEqual({ minor: 1_100, currency: 'EUR' });
  });

  it('reads amounts with the decimals of the currency', () => {
    const file = write(
      'registries.yaml',
      'registries: { a: { adapter: epp, tlds: [com], prices: { com: { registration: 1500, renewal: 1600, restore: 9000 } } } }',
    );

    const { definitions } = readRegistries({ file, currency: 'JPY', env: {} });

    expect(definitions[0]?.tlds[0]?.price?.registration).toEqual({ minor: 1_500, currency: 'JPY' });
  });

  it('reads secrets from the environment and from files, without the last line break', () => {
    write('password', 'hunter2\n');

    const [registry] = read(
      'registries: { a: { adapter: epp, tlds: [com], settings: { password: { file: password }, tls: { key: { env: TLS_KEY } } } } }',
      { TLS_KEY: 'a key' },
    );

    expect(registry?.settings).toEqual({ password: 'hunter2', tls: { key: 'a key' } });
  });
});

describe('an invalid registries file', () => {
  it('has all issues reported at once with their paths', () => {
    const issues = issuesOf(`
registries:
  one:
    adapter: epp
    tlds: [com, .net]
    colour: blue
    queue: -1
  Two:
    tlds: []
`);

    expect(issues).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^one\.colour is not a known setting$/),
        expect.stringMatching(/^one\.queue must be >= 0$/),
        expect.stringMatching(/^one\.tlds\[1\] must match pattern/),
        'Two must be a name of up to 32 lower-case letters, digits and hyphens',
        'Two.adapter is missing',
        expect.stringMatching(/^Two\.tlds must NOT have fewer than 1 items$/),
      ]),
    );
    expect(issues).toHaveLength(6);
  });

  it('has the issues of each registry reported, and its valid registries read', () => {
    const { definitions, issues } = readAll(
      'registries: { a: { adapter: epp }, b: { adapter: epp, tlds: [com], settings: { token: x } }, c: { adapter: epp, tlds: [net] } }',
    );

    expect(issues.map(({ path }) => path)).toEqual(['registries.a.tlds', 'registries.b.settings.token']);
    expect(definitions.map(({ name }) => name)).toEqual(['c']);
  });

  it('has a TLD of two registries reported', () => {
    expect(issuesOf('registries: { a: { adapter: epp, tlds: [com] }, b: { adapter: epp, tlds: [net, com] } }')).toEqual(
      ['b.tlds[1] must be another TLD: com is assigned to a'],
    );
  });

  it.each([
    [
      'a rule for a TLD that the registry does not have',
      'rules: { net: {} }',
      'a.rules.net must be one of the TLDs of this registry',
    ],
    [
      'a range whose minimum is above its maximum',
      'rules: { com: { years: { min: 3, max: 2 } } }',
      'a.rules.com.years must be a range from a smaller to a greater number, at most 10',
    ],
    [
      'a renewal grace period longer than the auto-renew grace period',
      'rules: { com: { periods: { renewal_grace: 40, auto_renew_grace: 30 } } }',
      'a.rules.com.periods.renewal_grace must not be longer than auto_renew_grace, in which the registry refunds the added year: 40 > 30 days',
    ],
    [
      'an auto-renew grace period shorter than the default renewal grace period',
      'rules: { com: { periods: { auto_renew_grace: 20 } } }',
      'a.rules.com.periods.renewal_grace must not be longer than auto_renew_grace, in which the registry refunds the added year: 30 > 20 days',
    ],
    ['a read lag of more than an hour', 'read_lag_seconds: 3601', 'a.read_lag_seconds must be <= 3600'],
    ['a negative read lag', 'read_lag_seconds: -1', 'a.read_lag_seconds must be >= 0'],
    [
      'a restore price with three decimals',
      'prices: { com: { registration: 1, renewal: 1, restore: 1.005 } }',
      'a.prices.com.restore must be an amount with no more decimals than EUR has',
    ],
    [
      'a price with three decimals',
      'prices: { com: { registration: 1.005, renewal: 1, restore: 1 } }',
      'a.prices.com.registration must be an amount with no more decimals than EUR has',
    ],
    [
      'a range of renewal years whose minimum is above its maximum',
      'rules: { com: { renewal_years: { min: 3, max: 2 } } }',
      'a.rules.com.renewal_years must be a range from a smaller to a greater number, at most 10',
    ],
    [
      'a fee of a term with three decimals',
      'prices: { com: { registration: 1, renewal: 1, restore: 1, renewal_terms: { 2: 1.005 } } }',
      'a.prices.com.renewal_terms.2 must be an amount with no more decimals than EUR has',
    ],
    [
      'a price file that does not exist',
      'prices: nowhere.yaml',
      expect.stringMatching(/^a\.prices cannot be read: \/.*\/nowhere\.yaml \(ENOENT\)$/),
    ],
    [
      'a password in the file',
      'settings: { password: hunter2 }',
      'a.settings.password must be a reference, { env: NAME } or { file: PATH }: secrets do not belong in this file',
    ],
    [
      'an environment variable that is not set',
      'settings: { password: { env: NOT_SET } }',
      'a.settings.password refers to the environment variable NOT_SET, which is not set',
    ],
    [
      'a secret file that does not exist',
      'settings: { password: { file: nowhere } }',
      'a.settings.password refers to the file nowhere, which cannot be read (ENOENT)',
    ],
  ])('is rejected for %s', (_, line, issue) => {
    expect(issuesOf(`registries:\n  a:\n    adapter: epp\n    tlds: [com]\n    ${line}`)).toEqual([issue]);
  });

  it.each([
    ['invalid YAML', 'registries: {', /^is not valid YAML: line 1/],
    [
      'a duplicate name',
      'registries:\n  a: { adapter: epp, tlds: [com] }\n  a: { adapter: epp, tlds: [net] }',
      /^is not valid YAML: line 3 \(DUPLICATE_KEY\)/,
    ],
    [
      'exponential aliases',
      `a: &a [1, 1]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c]`,
      /^has too many aliases/,
    ],
    ['no registries', '', /^must be object$/],
  ])('is rejected for %s', (_, text, issue) => {
    expect(issuesOf(text)).toEqual([expect.stringMatching(issue)]);
  });

  it('is reported if it does not exist', () => {
    expect(readRegistries({ file: join(folder, 'nowhere.yaml'), currency: 'EUR', env: {} }).issues).toEqual([
      { path: '', message: `cannot be read: ${join(folder, 'nowhere.yaml')} (ENOENT)` },
    ]);
  });

  it('has issues without the values of secrets', () => {
    const issues = issuesOf('registries: { a: { adapter: epp, tlds: [com], settings: { password: hunter2 } } }');

    expect(issues).not.toEqual([]);
    expect(issues.join()).not.toContain('hunter2');
  });
});
