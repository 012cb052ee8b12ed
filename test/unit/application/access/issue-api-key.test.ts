import { OPERATOR } from '../../../../src/domain/access/actor';
import { type Scope, ApiKeyToken } from '../../../../src/domain/access/api-key';
import { givenAccount, issueApiKey, KEY_PREFIX } from '../../../support/use-cases/credentials';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('issuing a key', () => {
  let around: UseCaseContext;
  const issue = (rest: Partial<{ accountId: string; name: string; scope: Scope }> = {}) =>
    issueApiKey(around).execute({ accountId: OURS.accountId, actor: OPERATOR, name: 'A key', ...rest });

  beforeEach(async () => {
    around = new UseCaseContext();
    await givenAccount(around);
  });

  it('returns a token that authenticates the key', async () => {
    const { key, text } = await issue({ scope: 'READ' });

    const token = ApiKeyToken.parse(text, KEY_PREFIX);
    const stored = await around.storage.apiKeys.find(key.toState().keyId);
    expect(stored?.toState()).toMatchObject({
      accountId: OURS.accountId,
      name: 'A key',
      scope: 'READ',
      createdAt: around.clock.now(),
      revokedAt: null,
    });
    expect(token && stored?.authenticates(token, around.clock.now())).toBe(true);
  });

  it('gives ADMIN if no scope is named', async () => {
    expect((await issue()).key.toState().scope).toBe('ADMIN');
  });

  it('does not store the secret', async () => {
    const { text } = await issue();

    const secret = text.split('.').at(-1);
    const everything = JSON.stringify([...around.storage.tables.apiKeys.values(), ...around.auditEntries]);
    expect(secret).toHaveLength(43);
    expect(everything).not.toContain(secret);
  });

  it('records its issuer, its name and its scope', async () => {
    const { key } = await issue({ scope: 'WRITE' });

    expect(around.auditEntries).toMatchObject([
      {
        accountId: OURS.accountId,
        actor: OPERATOR,
        action: 'key.created',
        subject: key.toState().keyId,
        before: {},
        after: { name: 'A key', scope: 'WRITE' },
      },
    ]);
  });

  it('issues the returned key if the database repeats the transaction', async () => {
    around.storage.repeatEveryUnit();

    const { key } = await issue();

    expect((await around.storage.apiKeys.ofAccount(OURS.accountId)).map((each) => each.toState())).toEqual([
      key.toState(),
    ]);
    expect(around.auditEntries).toHaveLength(1);
  });

  it.each([
    ['for an account that is not known', { accountId: 'acc_unknown' }, 'account'],
    ['without a name', { name: ' ' }, 'name'],
  ])('refuses one %s, and keeps nothing', async (_which, rest, field) => {
    await expect(issue(rest)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: field }] });

    expect(around.storage.tables.apiKeys.size).toBe(0);
    expect(around.auditEntries).toEqual([]);
  });
});
