import { KeyUses } from '../../../../src/application/access/api-keys/authenticate';
import { givenAccount, issueApiKey } from '../../../support/use-cases/credentials';
import { pass, stopTime } from '../../../support/use-cases/registration-scenario';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const WRITTEN_EVERY_MS = 30_000;

describe('the last use of keys', () => {
  let around: UseCaseContext;
  let uses: KeyUses;
  const issue = async () => (await issueApiKey(around).execute({ ...OURS, name: 'A key' })).key.toState().keyId;
  const lastUse = (keyId: string) => around.storage.tables.apiKeys.get(keyId)?.lastUsedAt;

  beforeEach(async () => {
    stopTime();
    around = new UseCaseContext();
    await givenAccount(around);
    uses = new KeyUses(around.storage, around.clock, around.log);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('is written for all keys together after a while', async () => {
    const [often, once, never] = [await issue(), await issue(), await issue()];
    const before = around.storage.tables;
    uses.record(once);
    const first = around.clock.now();
    around.clock.advance({ ms: 10 });
    uses.record(often);
    uses.record(often);
    const last = around.clock.now();

    const meanwhile = around.storage.tables;
    await pass(around, WRITTEN_EVERY_MS);

    expect(meanwhile).toBe(before);
    expect([lastUse(often), lastUse(once), lastUse(never)]).toEqual([last, first, null]);
  });

  it('is written at once when the process ends', async () => {
    const keyId = await issue();
    uses.record(keyId);

    await uses.write();

    expect(lastUse(keyId)).toEqual(around.clock.now());
  });

  it('is written again after the next use', async () => {
    const keyId = await issue();
    uses.record(keyId);
    await pass(around, WRITTEN_EVERY_MS);
    uses.record(keyId);
    const second = around.clock.now();

    await pass(around, WRITTEN_EVERY_MS);

    expect(lastUse(keyId)).toEqual(second);
  });

  it('is a warning if it cannot be written, and not an error', async () => {
    uses.record(await issue());
    around.storage.goDown();

    await pass(around, WRITTEN_EVERY_MS);

    expect(around.log.entries).toMatchObject([{ level: 'warn', facts: { keys: 1 } }]);
  });

  it('is written with the next ones if it could not be written', async () => {
    const [early, late] = [await issue(), await issue()];
    uses.record(early);
    const first = around.clock.now();
    around.storage.goDown();
    await pass(around, WRITTEN_EVERY_MS);
    around.storage.comeUp();
    uses.record(late);
    const second = around.clock.now();

    await pass(around, WRITTEN_EVERY_MS);

    expect([lastUse(early), lastUse(late)]).toEqual([first, second]);
  });
});
