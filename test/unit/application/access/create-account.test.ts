import { CreateAccount } from '../../../../src/application/access/create-account';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('creating an account', () => {
  let around: UseCaseContext;
  const create = (name: string) =>
    new CreateAccount(around.storage.accounts, around.storage, around.ids, around.clock).execute({
      actor: OPERATOR,
      name,
    });

  beforeEach(() => {
    around = new UseCaseContext();
  });

  it('trims the name', async () => {
    const account = await create('  Söhne & Co. 🦆 ');

    expect(account).toEqual({
      id: account.id,
      name: 'Söhne & Co. 🦆',
      createdAt: around.clock.now(),
      membersMayTransfer: false,
      controlsSandbox: false,
      isTrusted: true,
      approvalRules: null,
    });
    expect(await around.storage.accounts.all()).toEqual([account]);
  });

  it('gives accounts with the same name different ids', async () => {
    const [one, other] = [await create('Same'), await create('Same')];

    expect(one.id).not.toBe(other.id);
    expect(await around.storage.accounts.all()).toHaveLength(2);
  });

  it('trusts the first account, and no other', async () => {
    const accounts = [await create('First'), await create('Second'), await create('Third')];

    expect(accounts.map(({ isTrusted }) => isTrusted)).toEqual([true, false, false]);
  });

  it('records who created the account', async () => {
    const { id } = await create('Ours');

    expect(around.auditEntries).toMatchObject([
      { accountId: id, actor: OPERATOR, action: 'account.created', subject: id, after: { name: 'Ours' } },
    ]);
  });

  it('creates one account if the database repeats the transaction', async () => {
    around.storage.repeatEveryUnit();

    await create('Ours');

    expect(await around.storage.accounts.all()).toHaveLength(1);
    expect(around.auditEntries).toHaveLength(1);
  });

  it.each(['', '   ', 'x'.repeat(101), 'line\nbreak', 'nul\u0000'])(
    'refuses the name %j, and opens nothing',
    async (name) => {
      await expect(create(name)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'name' }] });

      expect(await around.storage.accounts.all()).toEqual([]);
      expect(around.auditEntries).toEqual([]);
    },
  );
});
