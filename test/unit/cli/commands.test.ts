import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import { UsageError } from '../../../src/cli/usage-error';
import type { SecretKeyServices } from '../../../src/cli/topics/secret-key-commands';
import type { UserServices } from '../../../src/cli/topics/user-commands';
import { openAccount } from '../../../src/domain/access/account';
import { ApiKey } from '../../../src/domain/access/api-key';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { dnsServices } from '../../support/use-cases/dns-services';
import { RandomKeys } from '../../../src/infrastructure/system/random/random-keys';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const ACCOUNT = openAccount('acc_1', 'Acme', NOW);
const TOKEN = new RandomKeys('nw').next();
const CREATED_TOKEN = new RandomKeys('nw').next();

function services(): Omit<
  CommandServices,
  | Exclude<keyof UserServices, 'accounts'>
  | keyof SecretKeyServices
  | 'registrar'
  | 'operations'
  | 'doctor'
  | 'dnssec'
  | 'connect'
  | 'readEvents'
> {
  const key = ApiKey.issue(TOKEN, { accountId: ACCOUNT.id, name: 'deploy', scope: 'READ' }, NOW);
  const createdKey = ApiKey.issue(CREATED_TOKEN, { accountId: ACCOUNT.id, name: 'certbot', scope: 'READ' }, NOW);
  return {
    accounts: { find: async (id) => (id === ACCOUNT.id ? ACCOUNT : undefined), all: async () => [ACCOUNT] },
    apiKeys: {
      find: async (keyId) => (keyId === TOKEN.keyId ? key : undefined),
      expiring: async function* () {},
      ofAccount: async () => [key],
      page: async (_account, _filter, _limit, after) => (after ? [] : [key]),
    },
    changeAccountSettings: { execute: async ({ settings }) => ({ ...ACCOUNT, ...settings }) },
    createAccount: { execute: async ({ name }) => ({ ...ACCOUNT, name }) },
    issueApiKey: {
      execute: async ({ accountId, name, scope = 'ADMIN', limits, expiresAt }) => ({
        key: ApiKey.issue(TOKEN, { accountId, name, scope, limits, expiresAt }, NOW),
        text: TOKEN.toText('nw'),
      }),
      executeTsig: async ({ accountId, name, scope = 'ADMIN', limits }) => ({
        key: ApiKey.issue(TOKEN, { accountId, name, scope, limits, tsig: { sealedSecret: 'sealed' } }, NOW),
        text: `hmac-sha256:0123:${limits?.names?.join() ?? ''}`,
      }),
    },
    dns: dnsServices(),
    findCreatedKeys: { execute: async () => [createdKey] },
    revokeApiKey: {
      execute: async () => {
        key.revoke(NOW);
        return key;
      },
    },
    deadLetters: { latest: async () => [], find: async () => undefined },
    migrated: [],
    importSqlite: async () => ({ accounts: 1, domains: 20 }),
    currency: 'EUR',
    programs: { url: 'https://names.example.com', apis: ['dyndns'] },
  };
}

const run = (...argv: string[]) => runOn(services(), ...argv);

async function runOn(given: ReturnType<typeof services>, ...argv: string[]): Promise<string> {
  const command = parseCommand(argv);
  if (command.kind === 'help') throw new Error('help was asked for');
  return command.run(given as CommandServices);
}

describe('the operator’s command line', () => {
  it('prints the id of a new account alone', async () => {
    expect(await run('account', 'create', '--name', 'Acme')).toBe('acc_1');
  });

  it('prints a TSIG key in the format of nsupdate -y, with its limits', async () => {
    const command = ['key', 'create-tsig', '--account', 'acc_1', '--name', 'router'];

    expect(await run(...command)).toBe('hmac-sha256:0123:');
    expect(await run(...command, '--record', 'home', '--record', '*.LAN')).toBe('hmac-sha256:0123:home,*.lan');
    expect(() => parseCommand([...command, '--scope', 'ADMIN'])).toThrow(ValidationError);
    expect(() => parseCommand([...command, '--type', 'SOA'])).toThrow(ValidationError);
  });

  it('limits a key to what its options name', async () => {
    const command = ['key', 'create', '--account', 'acc_1', '--name', 'shop', '--scope', 'WRITE', '--json'];
    const limits = ['--domain', 'example.com', '--action', 'renew', '--network', '192.0.2.0/24', '--per-day', '12.5'];

    expect(
      JSON.parse(await run(...command, ...limits, '--unused-after', '30', '--expires', '2027-01-31T12:00:00Z')),
    ).toMatchObject({
      limits: {
        domains: ['example.com'],
        actions: ['renew'],
        networks: ['192.0.2.0/24'],
        unused_after: 30,
        spend: { per_day: 12.5, currency: 'EUR' },
      },
      expires_at: '2027-01-31T12:00:00.000Z',
    });
    expect(JSON.parse(await run(...command, '--propose'))).toMatchObject({ limits: { propose: true } });
    expect(JSON.parse(await run(...command))).toMatchObject({ limits: null, expires_at: null });
    expect(() => parseCommand([...command, '--action', 'sell'])).toThrow(ValidationError);
    expect(() => parseCommand([...command, '--network', 'home'])).toThrow(ValidationError);
    expect(() => parseCommand([...command, '--expires', 'tomorrow'])).toThrow(UsageError);
    expect(() => parseCommand([...command, '--per-order', 'ten'])).toThrow(UsageError);
  });

  it('prints a key for a purpose with the configuration of the program', async () => {
    const command = ['--account', 'acc_1', '--name', 'attic', '--domain', 'example.com', '--record', 'attic'];

    const text = await run('key', 'create-for', 'router', ...command);

    expect(text.startsWith(`${TOKEN.toText('nw')}\n\n# Router`)).toBe(true);
    expect(text).toContain('https://names.example.com/nic/update?hostname=attic.example.com&');
    expect(await run('key', 'create-for', 'certificates', ...command)).toContain('dns_rfc2136_server');
    expect(JSON.parse(await run('key', 'create-for', 'certificates', ...command, '--json'))).toMatchObject({
      algorithm: 'hmac-sha256',
      limits: { domains: ['example.com'], names: ['_acme-challenge.attic'], types: ['TXT'] },
    });
    await expect(run('key', 'create-for', 'cluster', ...command)).rejects.toThrow(ValidationError);
    await expect(run('key', 'create-for', 'router', ...command, '--domain', 'a.com')).rejects.toThrow(ValidationError);
  });

  it('prints how many rows each table has got', async () => {
    expect(await run('import-sqlite', 'data/namewright.db')).toBe('1\taccounts\n20\tdomains');
    expect(() => parseCommand(['import-sqlite'])).toThrow('import-sqlite requires FILE');
    expect(() => parseCommand(['dns', 'secondary', 'add'])).toThrow('dns secondary add requires NAME and ADDRESS');
    expect(() => parseCommand(['dns', 'secondary', 'add', 'ns1'])).toThrow('dns secondary add requires ADDRESS');
  });

  it('says which migrations were run, or that there was nothing to do', async () => {
    const behind = { ...services(), migrated: ['InitialSchema1', 'AuditLog2'] };

    expect(await runOn(behind, 'migrate')).toBe(
      'The database schema is now up to date. Migrations that were run:\nInitialSchema1\nAuditLog2',
    );
    expect(await runOn(behind, 'migrate', '--json')).toBe('{"migrated":["InitialSchema1","AuditLog2"]}');
    expect([await run('migrate'), await run('migrate', '--json')]).toEqual([
      'The database schema is already up to date',
      '{"migrated":[]}',
    ]);
  });

  it('changes the settings of an account', async () => {
    expect(
      JSON.parse(await run('account', 'change', '--account', 'acc_1', '--members-may-transfer', 'yes', '--json')),
    ).toMatchObject({ id: 'acc_1', members_may_transfer: true, controls_sandbox: false });
    expect(
      JSON.parse(await run('account', 'change', '--account', 'acc_1', '--controls-sandbox', 'yes', '--json')),
    ).toMatchObject({ members_may_transfer: false, controls_sandbox: true });
  });

  it('trusts an account, and no longer', async () => {
    expect(JSON.parse(await run('account', 'trust', '--account', 'acc_1', '--json'))).toMatchObject({ trusted: true });
    expect(await run('account', 'trust', '--account', 'acc_1')).toBe('acc_1 is trusted');
    expect(JSON.parse(await run('account', 'distrust', '--account', 'acc_1', '--json'))).toMatchObject({
      trusted: false,
    });
    await expect(run('account', 'trust')).rejects.toThrow('account trust requires --account');
  });

  it('prints a new key alone', async () => {
    expect(await run('key', 'create', '--account', 'acc_1', '--name', 'deploy', '--scope', 'READ')).toBe(
      TOKEN.toText('nw'),
    );
  });

  it('issues keys of the scope that is asked for, and none without one', async () => {
    await expect(run('key', 'create', '--account', 'acc_1', '--name', 'deploy')).rejects.toThrow(
      'key create requires --scope',
    );
    expect(
      JSON.parse(await run('key', 'create', '--account', 'acc_1', '--name', 'deploy', '--scope=ADMIN', '--json')),
    ).toMatchObject({ scope: 'ADMIN', account_id: 'acc_1', key_id: TOKEN.keyId });
    expect(
      JSON.parse(await run('key', 'create', '--account', 'acc_1', '--name', 'deploy', '--scope=READ', '--json')),
    ).toMatchObject({ scope: 'READ' });
  });

  it('lists accounts and keys a line each', async () => {
    expect(await run('account', 'list')).toBe('acc_1\t2026-03-01T12:00:00.000Z\tAcme');
    expect(await run('key', 'list', '--account', 'acc_1')).toBe(
      `${TOKEN.keyId}\tREAD\tactive\t2026-03-01T12:00:00.000Z\tdeploy`,
    );
  });

  it('lists a page of keys', async () => {
    expect(await run('key', 'list', '--account', 'acc_1', '--limit', '1')).toContain(TOKEN.keyId);
    expect(await run('key', 'list', '--account', 'acc_1', '--after', TOKEN.keyId)).toBe('');
    await expect(run('key', 'list', '--account', 'acc_1', '--after', 'another-key-')).rejects.toMatchObject({
      issues: [{ path: 'after' }],
    });
    expect(() => parseCommand(['key', 'list', '--account', 'acc_1', '--limit', '0'])).toThrow(
      '--limit must be a positive number',
    );
  });

  it('lists no secret and no digest', async () => {
    const listed = await run('--json', 'key', 'list', '--account', 'acc_1');

    expect(listed).toContain(TOKEN.keyId);
    expect(listed).not.toContain(TOKEN.digest());
    expect(listed).not.toContain(TOKEN.toText('').slice(-43));
  });

  it('lists no keys of an account that does not exist', async () => {
    await expect(run('key', 'list', '--account', 'acc_2')).rejects.toThrow(ValidationError);
  });

  it('revokes by key id, and names the active keys that were created with the key', async () => {
    expect(JSON.parse(await run('key', 'revoke', TOKEN.keyId, '--json'))).toMatchObject({
      state: 'revoked',
      revoked_at: NOW.toISOString(),
      created_keys: [CREATED_TOKEN.keyId],
    });
    expect(await run('key', 'revoke', TOKEN.keyId)).toBe(
      `${TOKEN.keyId} was revoked\n${CREATED_TOKEN.keyId}, created with it, still works`,
    );
  });

  it('takes options before, within and after the command', async () => {
    expect(JSON.parse(await run('--json', 'account', '--name', 'Acme', 'create'))).toEqual({
      id: 'acc_1',
      name: 'Acme',
      created_at: NOW.toISOString(),
      members_may_transfer: false,
      controls_sandbox: false,
      trusted: false,
    });
  });

  it('prints help for every command', () => {
    expect(parseCommand(['--help'])).toEqual({ kind: 'help' });
    expect(parseCommand(['key', 'create', '--help'])).toEqual({ kind: 'help' });
  });

  it.each([
    [[]],
    [['domain', 'list']],
    [['account']],
    [['constructor']],
    [['account', 'create']],
    [['account', 'create', '--name']],
    [['account', 'create', '--nmae', 'x']],
    [['account', 'create', '--name', 'x', '--name', 'y']],
    [['account', 'list', '--name', 'x']],
    [['account', 'list', 'all']],
    [['account', 'change', '--account', 'a']],
    [['account', 'change', '--account', 'a', '--members-may-transfer', 'maybe']],
    [['key', 'create', '--name', 'x', '--scope', 'READ']],
    [['key', 'create', '--account', 'a', '--name', 'x']],
    [['key', 'create', '--account', 'a', '--name', 'x', '--scope', 'ROOT']],
    [['key', 'create-for', '--account', 'a', '--name', 'x', '--domain', 'example.com']],
    [['key', 'revoke']],
    [['key', 'revoke', 'a', 'b']],
    [['dns', 'tsig']],
    [['dns', 'tsig', 'create']],
    [['dns', 'tsig', 'create', 'a', '--signs']],
    [['dns', 'secondary', 'add', 'a']],
    [['dns', 'secondary', 'add', 'a', '192.0.2.1', 'b']],
    [['dns', 'knot-config', 'a']],
    [['migrate', 'down']],
    [['migrate', '--json=yes']],
  ])('does not understand %j, and says so before it opens anything', (argv) => {
    expect(() => parseCommand(argv)).toThrow(UsageError);
  });

  it.each([
    [['account', 'create', '--name', ' ']],
    [['account', 'create', '--name', 'x'.repeat(101)]],
    [['key', 'create', '--account', 'a', '--name', 'two\nlines', '--scope', 'READ']],
  ])('refuses the name in %j before it opens anything', (argv) => {
    expect(() => parseCommand(argv)).toThrow(ValidationError);
  });
});
