import { OpenFirstAccount } from '../../../../src/application/access/open-first-account';
import { ApiKeyToken } from '../../../../src/domain/access/api-key';
import { givenAccount, KEY_PREFIX } from '../../../support/use-cases/credentials';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('opening the first account', () => {
  let around: UseCaseContext;
  const open = () =>
    new OpenFirstAccount(
      around.storage.accounts,
      around.storage,
      around.ids,
      around.keys,
      around.tokens,
      around.passwords,
      around.clock,
    ).execute();

  beforeEach(() => {
    around = new UseCaseContext();
  });

  it('gives an empty database one account with one ADMIN key, and returns its text', async () => {
    const text = (await open())?.key;

    const [account, ...others] = await around.storage.accounts.all();
    const [key, ...moreKeys] = await around.storage.apiKeys.ofAccount(account?.id ?? '');
    const token = ApiKeyToken.parse(text ?? '', KEY_PREFIX);
    expect([others, moreKeys]).toEqual([[], []]);
    expect(key?.toState().scope).toBe('ADMIN');
    expect(token && key?.authenticates(token, around.clock.now())).toBe(true);
  });

  it('creates an owner, too, whose password is returned and not stored in clear text', async () => {
    const first = await open();

    const [owner] = await around.storage.users.ofEmail(first?.email ?? '');
    const hash = owner?.toState().passwordHash ?? null;
    expect(owner?.toState().role).toBe('owner');
    expect(hash).not.toContain(first?.password);
    expect(await around.passwords.matches(first?.password ?? '', hash)).toBe(true);
  });

  it('records the service as the actor', async () => {
    await open();

    expect(around.auditEntries.map(({ actor, action }) => [actor.kind, action])).toEqual([
      ['service', 'account.created'],
      ['service', 'key.created'],
      ['service', 'user.invited'],
    ]);
  });

  it('happens once', async () => {
    await open();

    expect(await open()).toBeUndefined();
    expect(await around.storage.accounts.all()).toHaveLength(1);
  });

  it('happens once if several processes start at the same time', async () => {
    const answers = await Promise.all([open(), open(), open()]);

    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
    expect(await around.storage.accounts.all()).toHaveLength(1);
    expect(around.storage.tables.apiKeys.size).toBe(1);
  });

  it('adds nothing if an account exists, even one without keys', async () => {
    await givenAccount(around);

    expect(await open()).toBeUndefined();
    expect(around.storage.tables.accounts.size).toBe(1);
    expect(around.storage.tables.apiKeys.size).toBe(0);
  });
});
