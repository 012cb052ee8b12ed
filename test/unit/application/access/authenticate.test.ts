import { Authenticate, KeyUses } from '../../../../src/application/access/api-keys/authenticate';
import { RevokeApiKey } from '../../../../src/application/access/api-keys/revoke-api-key';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { CountingRateLimiter } from '../../../support/fakes/counting-rate-limiter';
import { givenAccount, issueApiKey, KEY_PREFIX } from '../../../support/use-cases/credentials';
import { RecordingLog } from '../../../support/fakes/recording-log';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const ADDRESS = '192.0.2.1';

describe('authentication', () => {
  let around: UseCaseContext;
  let text: string;
  let keyId: string;
  let failedPerMinute: number;
  let uses: KeyUses;
  let authenticate: (token: string | undefined, clientAddress?: string) => ReturnType<Authenticate['execute']>;

  beforeEach(async () => {
    around = new UseCaseContext();
    await givenAccount(around);
    const issued = await issueApiKey(around).execute({ ...OURS, name: 'A key', scope: 'WRITE' });
    [text, keyId] = [issued.text, issued.key.toState().keyId];
    failedPerMinute = 2;
    begin();
  });

  function begin(): void {
    uses = new KeyUses(around.storage, around.clock, new RecordingLog());
    const useCase = new Authenticate(
      around.storage.apiKeys,
      new CountingRateLimiter(failedPerMinute, around.clock),
      uses,
      around.clock,
      KEY_PREFIX,
    );
    authenticate = (token, clientAddress = ADDRESS) => useCase.execute({ token, clientAddress: () => clientAddress });
  }

  const fail = async (clientAddress?: string): Promise<string> => {
    const failure: unknown = await authenticate('no key', clientAddress).catch((error: unknown) => error);
    return (failure as Error).name;
  };

  it('returns the key’s account and scope', async () => {
    expect(await authenticate(text)).toMatchObject({ accountId: OURS.accountId, keyId, scope: 'WRITE' });
  });

  it.each<[string, (text: string) => string | undefined]>([
    ['no key', () => undefined],
    ['an empty text', () => ''],
    ['a text that is no key', () => 'Bearer'],
    ['a key with another prefix', (key) => key.replace('nw_', 'xx_')],
    ['a key with another id', (key) => key.replace('_live_k', '_live_x')],
    ['a key in other case', (key) => key.toUpperCase().replace('NW_LIVE', 'nw_live')],
    ['a key with another secret', (key) => `${key.slice(0, -1)}x`],
    ['a key that is cut short', (key) => key.slice(0, -1)],
    ['a key with something behind it', (key) => `${key} `],
  ])('refuses %s', async (_what, make) => {
    await expect(authenticate(make(text))).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  });

  it('refuses a key from the moment it is revoked', async () => {
    await authenticate(text);

    await new RevokeApiKey(around.storage, around.clock).execute({ actor: OPERATOR, keyId });

    await expect(authenticate(text)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  });

  it('refuses a key from the moment it expires', async () => {
    const { text: passing } = await issueApiKey(around).execute({
      ...OURS,
      name: 'Passing',
      expiresAt: addDays(around.clock.now(), 2),
    });
    around.clock.advance({ days: 1 });
    await authenticate(passing);

    around.clock.advance({ days: 1 });

    await expect(authenticate(passing)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  });

  it('writes the last use of all keys in one batch', async () => {
    await authenticate(text);
    expect((await around.storage.apiKeys.find(keyId))?.toState().lastUsedAt).toBeNull();

    await uses.write();

    expect((await around.storage.apiKeys.find(keyId))?.toState().lastUsedAt).toEqual(around.clock.now());
  });

  it('rejects a malformed key without reading the database', async () => {
    around.storage.goDown();

    await expect(authenticate('no key')).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    await expect(authenticate(text)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  describe('that fails too often', () => {
    it('is refused until the window ends, and says when that is', async () => {
      expect([await fail(), await fail()]).toEqual(['InvalidApiKey', 'InvalidApiKey']);
      around.clock.advance({ ms: 20_000 });

      await expect(authenticate('no key')).rejects.toMatchObject({
        code: 'RATE_LIMIT_EXCEEDED',
        retryAfterSeconds: 40,
      });

      around.clock.advance({ ms: 40_000 });
      expect(await fail()).toBe('InvalidApiKey');
    });

    it('costs other addresses nothing', async () => {
      for (let attempt = 0; attempt < 3; attempt += 1) await fail();

      expect(await fail('192.0.2.2')).toBe('InvalidApiKey');
    });

    it('does not keep a valid key from that address out', async () => {
      for (let attempt = 0; attempt < 3; attempt += 1) await fail();

      expect(await authenticate(text)).toMatchObject({ keyId });
    });

    it('is not increased by a valid key', async () => {
      for (let attempt = 0; attempt < 5; attempt += 1) await authenticate(text);

      expect(await fail()).toBe('InvalidApiKey');
    });

    it('is not limited if the limit is off', async () => {
      failedPerMinute = 0;
      begin();

      for (let attempt = 0; attempt < 5; attempt += 1) expect(await fail()).toBe('InvalidApiKey');
    });
  });
});
