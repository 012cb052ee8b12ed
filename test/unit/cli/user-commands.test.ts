import { SetupLinkMails } from '../../../src/application/access/users/setup-link-mails';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { IssueSetupLink } from '../../../src/application/access/users/issue-setup-link';
import { ChangeRole } from '../../../src/application/access/users/change-role';
import { RevokeSetupLink } from '../../../src/application/access/users/revoke-setup-link';
import { RemoveFactors } from '../../../src/application/access/second-factor/remove-factors';
import { CountGrantedDomains } from '../../../src/application/portfolio/count-granted-domains';
import { ReadTeam } from '../../../src/application/access/users/read-team';
import { RemoveUser } from '../../../src/application/access/users/remove-user';
import { parseCommand, type CommandServices } from '../../../src/cli/commands';
import { UsageError } from '../../../src/cli/usage-error';
import type { UserServices } from '../../../src/cli/topics/user-commands';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { CountingRateLimiter } from '../../support/fakes/counting-rate-limiter';
import { givenAccount, issueApiKey, SECRET_BOX } from '../../support/use-cases/credentials';
import { givenPerson, givenSession } from '../../support/use-cases/people';
import { OURS, STRANGER, UseCaseContext } from '../../support/use-cases/use-case-context';

const ACCOUNT = ['--account', OURS.accountId] as const;
const SET_UP = 'https://names.example.com/set-up?token=';

let around: UseCaseContext;
const warnings: string[] = [];
beforeEach(async () => {
  warnings.length = 0;
  around = new UseCaseContext();
  await givenAccount(around);
});

function services(): UserServices {
  const { storage, ids, tokens, clock } = around;
  const unlimited = new CountingRateLimiter(0, clock);
  return {
    accounts: storage.accounts,
    users: storage.users,
    readTeam: new ReadTeam(storage.users, storage.setupLinks, storage.identities, storage.factors),
    inviteUser: new InviteUser(storage, ids, tokens, clock, new SetupLinkMails(ids, SECRET_BOX), unlimited),
    issueSetupLink: new IssueSetupLink(
      storage,
      tokens,
      clock,
      new SetupLinkMails(ids, SECRET_BOX),
      storage.users,
      unlimited,
    ),
    revokeSetupLink: new RevokeSetupLink(storage, clock),
    changeRole: new ChangeRole(storage, clock),
    removeFactors: new RemoveFactors(storage, 'none', { all: [] }, clock),
    removeUser: new RemoveUser(storage, clock),
    countGrantedDomains: new CountGrantedDomains(storage.domainQueries),
    showWarning: (line) => warnings.push(line),
    dashboardUrl: 'https://names.example.com',
  };
}

async function run(...argv: string[]): Promise<string> {
  const command = parseCommand(argv);
  if (command.kind === 'help') throw new Error('help was asked for');
  return command.run(services() as Partial<CommandServices> as CommandServices);
}

describe('the operator’s commands about people', () => {
  it('print the set-up link of a new person alone', async () => {
    expect(await run('user', 'create', ...ACCOUNT, '--email', 'Ada@Example.com', '--role', 'manager')).toMatch(
      /^https:\/\/names\.example\.com\/set-up\?token=\S{43}$/,
    );
  });

  it('warn of tags that no domain has, apart from the output', async () => {
    await around.givenDomain({ id: 'dom_1', tags: ['shop'] });
    const create = (email: string, ...tags: string[]) =>
      run('user', 'create', ...ACCOUNT, '--email', email, '--role', 'viewer', ...tags.flatMap((tag) => ['--tag', tag]));

    expect(await create('ada@example.com', 'shop')).toMatch(/^https:\S+$/);
    expect(warnings).toEqual([]);
    expect(await create('grace@example.com', 'shop', 'blog')).toMatch(/^https:\S+$/);
    expect(warnings).toEqual(['No domain has the tag blog. Check the spelling.']);
    await run('user', 'role', ...ACCOUNT, '--email', 'ada@example.com', '--role', 'viewer', '--tag', 'shpo');
    expect(warnings.slice(1)).toEqual([
      'No domain has the tag shpo: the user will see no domain until one has. Check the spelling.',
    ]);
  });

  it('return a new user as JSON, with the requested role', async () => {
    const created = JSON.parse(
      await run('user', 'create', ...ACCOUNT, '--email', 'Ada@Example.com', '--role', 'owner', '--json'),
    ) as object;

    expect(created).toEqual({
      id: expect.stringMatching(/^usr_/) as string,
      account_id: OURS.accountId,
      email: 'ada@example.com',
      role: 'owner',
      tags: null,
      setup_url: expect.stringContaining(SET_UP) as string,
      expires_at: '2026-06-04T00:00:00.000Z',
    });
    expect(
      JSON.parse(await run('user', 'create', ...ACCOUNT, '--email', 'bob@example.com', '--role', 'manager', '--json')),
    ).toMatchObject({ role: 'manager' });
  });

  it('limit a role to tags, and lift the limit', async () => {
    const bob = [...ACCOUNT, '--email', 'bob@example.com'];
    await run('user', 'create', ...bob, '--role', 'dns-editor', '--tag', 'shop', '--tag', 'blog');

    expect(await run('user', 'list', ...ACCOUNT)).toContain('dns-editor(blog,shop)\tinvited');
    expect(await run('user', 'role', ...bob, '--role', 'viewer')).toBe('bob@example.com is now viewer(blog,shop)');
    expect(await run('user', 'role', ...bob, '--role', 'viewer', '--tag', 'shop')).toBe(
      'bob@example.com is now viewer(shop)',
    );
    await expect(run('user', 'role', ...bob, '--role', 'viewer', '--tag', 'a', '--all-domains')).rejects.toThrow(
      'exclude each other',
    );
    expect(await run('user', 'role', ...bob, '--role', 'viewer', '--all-domains')).toBe(
      'bob@example.com is now viewer',
    );
  });

  it('prints another set-up link for a user of the account', async () => {
    const { email } = await givenPerson(around);

    expect(await run('user', 'link', ...ACCOUNT, '--email', email.toUpperCase())).toContain(SET_UP);
  });

  it('list the people of an account, oldest first, a line each', async () => {
    const { id, email } = await givenPerson(around);
    await givenPerson(around, { accountId: STRANGER.accountId });
    around.clock.advance({ days: 1 });
    await run('user', 'create', ...ACCOUNT, '--email', 'bob@example.com', '--role', 'manager');

    expect(await run('user', 'list', ...ACCOUNT)).toBe(
      `owner\tactive\t2026-06-01T00:00:00.000Z\t${email}\nmanager\tinvited\t2026-06-02T00:00:00.000Z\tbob@example.com`,
    );
    expect(JSON.parse(await run('user', 'list', ...ACCOUNT, '--json'))).toEqual([
      {
        id,
        account_id: OURS.accountId,
        email,
        role: 'owner',
        tags: null,
        state: 'active',
        created_at: '2026-06-01T00:00:00.000Z',
      },
      expect.objectContaining({ email: 'bob@example.com', role: 'manager', state: 'invited' }),
    ]);
  });

  it('list people who sign in with a provider and have no password as active', async () => {
    const { id: personId, email } = await givenPerson(around, { passwordHash: null });
    expect(await run('user', 'list', ...ACCOUNT)).toContain('owner\tinvited');

    const identity = { issuer: 'https://a.example', subject: '1', personId, name: 'A' };
    const at = around.clock.now();
    await around.storage.run(({ identities }) => identities.add({ ...identity, createdAt: at, lastUsedAt: null }));

    expect(await run('user', 'list', ...ACCOUNT)).toContain(`owner\tactive\t2026-06-01T00:00:00.000Z\t${email}`);
  });

  it('rejects an unknown account when listing users', async () => {
    await expect(run('user', 'list', '--account', STRANGER.accountId)).rejects.toThrow(ValidationError);
  });

  it('remove a person, and the audit log says that the operator did', async () => {
    const [{ id, email }, staying] = [await givenPerson(around), await givenPerson(around)];

    expect(await run('user', 'remove', ...ACCOUNT, '--email', ` ${email.toUpperCase()} `, '--json')).toBe(
      JSON.stringify({ id, email, removed: true, revoked_keys: [] }),
    );

    expect((await around.storage.users.ofAccount(OURS.accountId)).map((user) => user.id)).toEqual([staying.id]);
    expect(around.auditEntries).toMatchObject([
      { actor: { kind: 'operator' }, action: 'user.removed', subject: email },
    ]);
  });

  it('say who was removed', async () => {
    const { email } = await givenPerson(around, { role: 'manager' });

    expect(await run('user', 'remove', ...ACCOUNT, '--email', email)).toBe(`${email} was removed`);
  });

  it('revoke the keys that a removed person created, if asked to, and name them', async () => {
    const [{ id, email }] = [await givenPerson(around), await givenPerson(around)];
    const { key } = await issueApiKey(around).execute({ ...OURS, actor: { kind: 'user', id }, name: 'Theirs' });

    expect(await run('user', 'remove', ...ACCOUNT, '--email', email, '--revoke-keys')).toBe(
      `${email} was removed\n${key.toState().keyId} was revoked`,
    );

    expect(around.storage.tables.apiKeys.get(key.toState().keyId)?.revokedAt).toEqual(around.clock.now());
  });

  it('change a role, and revoke an open set-up link once', async () => {
    const [{ email }] = [await givenPerson(around), await givenPerson(around)];
    await run('user', 'role', ...ACCOUNT, '--email', email, '--role', 'manager');
    await run('user', 'link', ...ACCOUNT, '--email', email);

    expect(
      JSON.parse(await run('user', 'role', ...ACCOUNT, '--email', email, '--role', 'owner', '--json')),
    ).toMatchObject({ email, role: 'owner' });
    await run('user', 'link', ...ACCOUNT, '--email', email);

    expect(await run('user', 'revoke-link', ...ACCOUNT, '--email', email)).toBe(
      `The set-up link for ${email} was revoked`,
    );
    await expect(run('user', 'revoke-link', ...ACCOUNT, '--email', email)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('do not remove the last owner', async () => {
    const { email } = await givenPerson(around);

    await expect(run('user', 'remove', ...ACCOUNT, '--email', email)).rejects.toThrow(ValidationError);

    expect(await around.storage.users.ofEmail(email)).toHaveLength(1);
  });

  it.each(['link', 'revoke-link', 'remove'])(
    'user %s says that the account is unknown, rather than blame the e-mail',
    async (verb) => {
      await expect(run('user', verb, '--account', 'acc_unknown', '--email', 'ada@example.com')).rejects.toMatchObject({
        issues: [{ path: 'account', message: 'is not known' }],
      });
    },
  );

  it.each([
    ['link', 'is unknown', OURS.accountId, 'bob@example.com'],
    ['link', 'another account has', STRANGER.accountId, 'ada@example.com'],
    ['revoke-link', 'another account has', STRANGER.accountId, 'ada@example.com'],
    ['remove', 'is unknown', OURS.accountId, 'bob@example.com'],
    ['remove', 'another account has', STRANGER.accountId, 'ada@example.com'],
  ])('user %s rejects an e-mail that %s', async (verb, _case, account, email) => {
    await givenPerson(around, { email: 'ada@example.com' });
    await givenPerson(around);
    await around.storage.run(({ accounts }) =>
      accounts.add({
        id: STRANGER.accountId,
        name: 'Stranger',
        createdAt: around.clock.now(),
        membersMayTransfer: false,
        controlsSandbox: false,
        isTrusted: false,
        approvalRules: null,
      }),
    );

    await expect(run('user', verb, '--account', account, '--email', email)).rejects.toMatchObject({
      issues: [{ path: 'email' }],
    });

    expect(around.storage.tables.users.size).toBe(2);
  });

  it('remove the second factors of a user and end the sessions, but keep the password', async () => {
    const { id, email } = await givenPerson(around);
    await givenSession(around, id, 'a session');
    await around.storage.run(async ({ factors }) => {
      await factors.saveTotp({ userId: id, sealedSecret: 'sealed', lastStep: 1, createdAt: around.clock.now() });
      await factors.replaceRecoveryCodes(id, ['digest']);
    });

    expect(await run('user', 'reset-factors', ...ACCOUNT, '--email', email)).toBe(
      `The second factors of ${email} were removed`,
    );

    expect(await around.storage.factors.ofUser(id)).toEqual({ totp: undefined, passkeys: [], recoveryCodes: 0 });
    expect(around.storage.tables.sessions.size).toBe(0);
    expect([...around.storage.tables.audit.values()].at(-1)).toMatchObject({
      actor: { kind: 'operator' },
      action: 'user.factors_reset',
      subject: email,
    });
  });

  it.each([
    [['user']],
    [['user', 'create', ...ACCOUNT]],
    [['user', 'create', ...ACCOUNT, '--email', 'a@example.com']],
    [['user', 'role', ...ACCOUNT, '--email', 'a@example.com']],
    [['user', 'create', ...ACCOUNT, '--email', 'a@example.com', '--role', 'king']],
    [['user', 'list']],
    [['user', 'list', ...ACCOUNT, '--email', 'a@example.com']],
    [['user', 'remove', ...ACCOUNT]],
    [['user', 'remove', '--email', 'a@example.com']],
    [['user', 'remove', ...ACCOUNT, '--email', 'a@example.com', '--role', 'owner']],
  ])('do not understand %j', (argv) => {
    expect(() => parseCommand(argv)).toThrow(UsageError);
  });
});
