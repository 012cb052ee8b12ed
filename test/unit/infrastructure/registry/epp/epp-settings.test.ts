import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eppSettings,
  loadEppSettings,
  validateEppSettings,
} from '../../../../../src/infrastructure/registry/epp/epp-settings';
import { ConnectionLost } from '../../../../../src/infrastructure/registry/epp/session/connection-errors';
import { LoginRefused } from '../../../../../src/infrastructure/registry/epp/session/epp-session';
import { openAtFirst } from '../../../../../src/infrastructure/registry/epp/session/open-at-first';
import { SettingsRejected } from '../../../../../src/infrastructure/registry/settings-rejected';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import { rfc } from '../../../../../src/infrastructure/registry/epp/profiles/rfc';
import { CommandIds } from '../../../../../src/infrastructure/registry/epp/session/command-ids';
import { generateAuthCode } from '../../../../../src/infrastructure/registry/epp/objects/auth-code';

const REQUIRED = { host: 'epp.registry.example', client_id: 'namewright', password: 'secret-enough' };
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
const read = (settings: Record<string, unknown>) => eppSettings({ name: 'example', settings });

describe('settings of the EPP adapter', () => {
  it('have defaults for everything but host and credentials', () => {
    expect(read(REQUIRED)).toEqual({
      session: {
        registry: 'example',
        endpoint: { host: 'epp.registry.example', port: 700 },
        clientId: 'namewright',
        passwords: ['secret-enough'],
        timeouts: { connectMs: 10_000, greetingMs: 10_000, commandMs: 20_000 },
        profile: { objects: [], extensions: [], complete: expect.any(Function) },
      },
      furtherHosts: [],
      pool: {
        registry: 'example',
        maxSessions: 4,
        keepAliveMs: 60_000,
        lifetimeMs: 14_400_000,
        acquireTimeoutMs: 20_000,
      },
      profile: rfc,
      unsupported: ['registrar_renewal', 'hosted_zone', 'list'],
    });
  });

  it('are read from the registries file', () => {
    const settings = {
      ...REQUIRED,
      port: 7000,
      server_name: 'other',
      ca: PEM,
      certificate: PEM,
      private_key: PEM,
      private_key_passphrase: 'open',
      hosts: 'attributes',
      contacts: [],
      sessions: 16,
      keep_alive_seconds: 0.5,
      session_minutes: 30,
      connect_seconds: 1,
      greeting_seconds: 2,
      command_seconds: 3,
      names_per_check: 1,
      names_file: 'names.txt',
      dnssec: 'none',
      unsupported: ['add_grace', 'decide_transfer'],
    };

    expect(read(settings)).toMatchObject({
      session: {
        endpoint: { port: 7000, serverName: 'other', ca: PEM, certificate: PEM, key: PEM, passphrase: 'open' },
        timeouts: { connectMs: 1_000, greetingMs: 2_000, commandMs: 3_000 },
      },
      pool: { maxSessions: 16, keepAliveMs: 500, lifetimeMs: 1_800_000, acquireTimeoutMs: 3_000 },
      profile: { hosts: 'attribute', contacts: { roles: [] }, namesPerCheck: 1, dnssec: { form: 'none' } },
    });
  });

  it('are rejected with all issues at once, and without their values', () => {
    const invalid = {
      client_id: 'ab',
      password: 'short',
      port: 0,
      certificate: 'no-pem',
      hosts: 'nowhere',
      contacts: ['owner'],
      verify: false,
    };

    expect(() => read(invalid)).toThrow(
      expect.objectContaining({
        name: 'SettingsRejected',
        issues: expect.arrayContaining(
          ['host', 'client_id', 'password', 'port', 'certificate', 'hosts', 'contacts[0]', 'verify'].map((path) =>
            expect.objectContaining({ path }),
          ),
        ),
        message: expect.not.stringMatching(/short|no-pem|owner/),
      }),
    );
  });

  it('need both a client certificate and its private key, or neither', () => {
    expect(() => read({ ...REQUIRED, certificate: PEM })).toThrow(
      'private_key is missing: a client certificate needs its private key',
    );
    expect(() => read({ ...REQUIRED, private_key: PEM })).toThrow('certificate is missing');
  });
});

describe('clTRIDs of the commands of one call', () => {
  it('are derived from the stored transaction id, which the main command has', () => {
    const ids = new CommandIds('op-01k-1');

    expect([ids.additional(), ids.main(), ids.additional(), ids.main()].map(({ text }) => text)).toEqual([
      'op-01k-1-2',
      'op-01k-1',
      'op-01k-1-3',
      'op-01k-1-4',
    ]);
  });

  it('have at most 64 characters, also for the longest transaction id', () => {
    const ids = new CommandIds('x'.repeat(64));

    expect(ids.main().text).toBe('x'.repeat(64));
    expect(ids.additional().text).toMatch(/^[0-9a-f]{40}-2$/);
    expect(new CommandIds(`y${'x'.repeat(63)}`).additional().text).not.toBe(ids.additional().text);
  });
});

it('generates unique auth codes with upper-case and lower-case letters, digits and hyphens', () => {
  const codes = Array.from({ length: 500 }, generateAuthCode);

  expect(new Set(codes).size).toBe(500);
  for (const code of codes)
    expect(code).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z2-9][A-Za-z2-9-]{23}[A-Za-z2-9]$/);
});

const load = (settings: object, folder?: string) =>
  loadEppSettings({
    name: 'example',
    settings: { ...REQUIRED, ...settings },
    tlds: [{ suffix: 'com' }],
    ...(folder !== undefined && { folder }),
  });

const readModule = async (members: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-profile-'));
  writeFileSync(join(folder, 'own.cjs'), `module.exports = { ${members} };`);
  return load({ profile: './own.cjs' }, folder).finally(() => rmSync(folder, { recursive: true }));
};

const LOST = new ConnectionLost('cannot connect to the registry');
/** Opens a session at the hosts a, b and c, of which some fail. */
const opened = async (failures: Readonly<Record<string, Error>>) => {
  const tried: string[] = [];
  const open = async (host: string) => {
    tried.push(host);
    if (failures[host]) throw failures[host];
    return host;
  };
  const facts = { registry: 'example', log: new RecordingLog() };
  const result = await openAtFirst(['a', 'b', 'c'], open, facts).catch((error: unknown) => error);
  return { tried, result };
};

describe('several hosts', () => {
  it('are read in their order, with the address of this machine', () => {
    const { session, furtherHosts } = read({
      ...REQUIRED,
      host: ['a.example', 'b.example'],
      local_address: '192.0.2.1',
    });

    expect(session.endpoint).toMatchObject({ host: 'a.example', localAddress: '192.0.2.1' });
    expect(furtherHosts).toEqual(['b.example']);
  });

  it.each([[{ host: [] }], [{ host: ['a', 'a'] }], [{ local_address: 'eth0' }]])('are rejected: %j', (settings) => {
    expect(() => read({ ...REQUIRED, ...settings })).toThrow(SettingsRejected);
  });

  it.each([
    ['the first', {}, ['a'], 'a'],
    ['the first that can be reached', { a: LOST, b: LOST }, ['a', 'b', 'c'], 'c'],
    ['none, if none can be reached', { a: LOST, b: LOST, c: LOST }, ['a', 'b', 'c'], LOST],
  ])('are tried in order, and the session is with %s', async (_which, failures, tried, result) => {
    expect(await opened(failures)).toEqual({ tried, result });
  });

  it('are not tried after a refused login, which could lock the account', async () => {
    const refused = new LoginRefused('permanent', 2200, 'refused');

    expect(await opened({ a: refused })).toEqual({ tried: ['a'], result: refused });
  });
});

describe('settings of profiles', () => {
  it('replace those of the named profile one by one', async () => {
    const { profile, unsupported } = await load({
      profile: 'verisign',
      options: { sub_products: { com: 'dotTEST' } },
      contact_handles: { tech: 'OURS-1' },
      auth_codes: { withdraw: 'none' },
      ds: { maximum: 4 },
      time_zone: 'America/New_York',
    });

    expect(profile).toMatchObject({
      name: 'verisign',
      namesPerCheck: 13,
      options: { sub_products: { com: 'dotTEST' }, idn_languages: {} },
      contacts: { use: 'none', handles: { tech: 'OURS-1' } },
      authCodes: { create: 'random', issue: 'update', withdraw: 'none' },
      dnssec: { form: 'ds', maximum: 4 },
      timeZone: 'America/New_York',
    });
    expect(unsupported).toContain('withdraw_auth_code');
  });

  it('can say that the registry schedules no deletions', async () => {
    const { unsupported } = await load({ profile: 'sidn', scheduled_deletion: 'none' });

    expect(unsupported).toContain('registrar_renewal');
  });

  it.each([
    [{ profile: 'no-such-profile' }, 'profile'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ profile: 'verisign', options: { sub_products: { org: 'dotORG' } } }, 'options.sub_products.org'],
    [{ profile: 'centralnic', options: { idn_languages: { Klingon: 'tlh' } } }, 'options.idn_languages.Klingon'],
    [{ profile: 'centralnic', options: { idn_languages: { Latin: [] } } }, 'options.idn_languages.Latin'],
    [{ profile: 'verisign', options: { idn_languages: { Latin: ['GER', 'GER'] } } }, 'options.idn_languages.Latin'],
    [{ profile: 'verisign', options: { subproducts: { com: 'dotCOM' } } }, 'options.subproducts'],
    [{ options: { language: 'en' } }, 'options.language'],
    [{ profile: 'eurid', contact_handles: { tech: 'c1001' } }, 'contact_handles.billing'],
    [{ profile: 'dns-belgium', contact_handles: { billing: 'c1001' } }, 'contact_handles.tech'],
    [{ contact_handles: { tech: 'X' } }, 'contact_handles'],
    [{ auth_codes: { withdraw: 'info' } }, 'auth_codes.withdraw'],
    [{ profile: 'sidn', auth_codes: { withdraw: 'info' } }, 'auth_codes.withdraw'],
    [{ scheduled_deletion: 'command' }, 'scheduled_deletion'],
    [{ profile: 'verisign', scheduled_deletion: 'command' }, 'scheduled_deletion'],
    [{ delete_unrenewed_days: 5 }, 'delete_unrenewed_days'],
    [{ profile: 'sidn', delete_unrenewed_days: 5 }, 'delete_unrenewed_days'],
    [{ renewal: 'none', delete_unrenewed_days: 5, unsupported: ['delete'] }, 'delete_unrenewed_days'],
    [{ renewal: 'none', delete_unrenewed_days: 1 }, 'delete_unrenewed_days'],
  ])('are rejected with their path: %j', async (settings, path) => {
    const issues = await validateEppSettings({
      name: 'example',
      settings: { ...REQUIRED, ...settings },
      tlds: [{ suffix: 'com' }],
    });

    expect(issues).toEqual([expect.objectContaining({ path: expect.stringContaining(path) })]);
  });

  it("load the operator's own profile from a module beside the registries file", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-profile-'));
    writeFileSync(join(folder, 'own.cjs'), "module.exports = { name: 'own', hosts: 'attribute' };");

    const { profile } = await load({ profile: './own.cjs' }, folder).finally(() => rmSync(folder, { recursive: true }));

    expect(profile).toMatchObject({ name: 'own', hosts: 'attribute', contacts: rfc.contacts });
  });

  it.each([
    ["contacts: { ids: 'registry' }", { contacts: { ...rfc.contacts, ids: 'registry' } }],
    ["authCodes: { withdraw: 'none' }", { authCodes: { ...rfc.authCodes, withdraw: 'none' } }],
    ['transfers: { charged: false }', { transfers: { ...rfc.transfers, charged: false } }],
    ['dnssec: { maximum: 4 }', { dnssec: { form: 'ds', maximum: 4 } }],
  ])("fill in what the operator's own profile leaves out: %s", async (part, profile) => {
    expect((await readModule(`name: 'own', ${part}`)).profile).toMatchObject(profile);
  });

  it.each([
    ["unsupported: ['restoring']", 'profile.unsupported[0]'],
    ["contacts: { ids: 'theirs' }", 'profile.contacts.ids'],
    ["hosts: 'objects'", 'profile.hosts'],
    ['transfers: { period: undefined }', 'profile.transfers.period'],
    ["complete: 'frame'", 'profile.complete'],
    ['namesPerChecks: 5', 'profile.namesPerChecks'],
    ['contacts: { role: [] }', 'profile.contacts.role'],
    ['dnssec: { maximum: 0 }', 'profile.dnssec.maximum'],
    ['rules: { years: { min: 1 } }', 'profile.rules.years.max'],
    ['rules: { periods: { addGrace: -1 } }', 'profile.rules.periods.addGrace'],
    ['rules: { periods: { add_grace: 5 } }', 'profile.rules.periods.add_grace'],
    ["validate: () => { throw new Error('no options') }", 'options'],
    ["validate: () => 'wrong'", 'options'],
  ])("reject the operator's own profile with an invalid part: %s", async (part, path) => {
    await expect(readModule(`name: 'own', ${part}`)).rejects.toMatchObject({
      issues: [expect.objectContaining({ path })],
    });
  });

  it('are those of rfc without a profile', () => {
    expect(eppSettings({ name: 'example', settings: REQUIRED }).profile).toEqual(rfc);
  });
});
