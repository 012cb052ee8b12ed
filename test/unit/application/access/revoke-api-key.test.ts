import { RevokeApiKey } from '../../../../src/application/access/api-keys/revoke-api-key';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { givenAccount, issueApiKey } from '../../../support/use-cases/credentials';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('revoking a key', () => {
  let around: UseCaseContext;
  let keyId: string;
  const issue = async () => (await issueApiKey(around).execute({ ...OURS, name: 'A key' })).key.toState().keyId;
  const revoke = (id = keyId) => new RevokeApiKey(around.storage, around.clock).execute({ actor: OPERATOR, keyId: id });
  const revokedAt = async (id: string) => (await around.storage.apiKeys.find(id))?.toState().revokedAt;

  beforeEach(async () => {
    around = new UseCaseContext();
    await givenAccount(around);
    keyId = await issue();
  });

  it('revokes that key from now on, and no other', async () => {
    const other = await issue();
    around.clock.advance({ days: 1 });

    await revoke();

    expect(await revokedAt(keyId)).toEqual(around.clock.now());
    expect(await revokedAt(other)).toBeNull();
  });

  it('records who revoked which key', async () => {
    await revoke();

    expect(around.auditEntries.at(-1)).toMatchObject({
      accountId: OURS.accountId,
      actor: OPERATOR,
      action: 'key.revoked',
      subject: keyId,
      before: { name: 'A key' },
      after: {},
    });
  });

  it('keeps the first time if it is repeated', async () => {
    const first = around.clock.now();
    await revoke();
    around.clock.advance({ days: 1 });

    await revoke();

    expect(await revokedAt(keyId)).toEqual(first);
  });

  it('refuses a key that is not known, and changes nothing', async () => {
    const before = around.storage.tables;

    await expect(revoke('unknown-key-')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'key' }],
    });

    expect(around.storage.tables).toEqual(before);
  });
});
