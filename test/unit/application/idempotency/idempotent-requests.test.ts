import { createSecretKey } from 'node:crypto';
import {
  IdempotentRequests,
  type StoredResponse,
  type RequestRun,
} from '../../../../src/application/idempotency/idempotent-requests';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const REQUEST = { accountId: 'acc_1', key: 'key', fingerprint: 'a'.repeat(64) };
const ANSWER: StoredResponse = { status: 200, headers: { 'zone-version': '7' }, body: { auth_code: 'secret' } };

describe('requests with an Idempotency-Key', () => {
  let around: UseCaseContext;
  let requests: IdempotentRequests;

  beforeEach(() => {
    around = new UseCaseContext();
    const secrets = new AesSecretBox(createSecretKey(Buffer.alloc(32, 1)));
    requests = new IdempotentRequests(
      around.storage,
      secrets,
      around.ids,
      around.clock,
      around.log,
      {
        waitMs: 0,
        leaseMs: 15_000,
        alone: false,
      },
      around.quotas,
    );
  });

  const begun = async (): Promise<RequestRun> => {
    const run = await requests.begin(REQUEST);
    if (!('holder' in run)) throw new TypeError('was answered already');
    return run;
  };

  it('get the stored response again, which is stored encrypted', async () => {
    await requests.complete(await begun(), ANSWER);

    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
    expect(JSON.stringify([...around.storage.tables.idempotencyRecords.values()])).not.toContain('secret');
  });

  it('are stored before they run, with the id reserved for their operation', async () => {
    const { operationId } = await begun();

    expect([...around.storage.tables.idempotencyRecords.values()]).toMatchObject([{ operationId, response: null }]);
  });

  it('are rejected if the key belongs to another request, even one that is still running', async () => {
    await begun();

    await expect(requests.begin({ ...REQUEST, fingerprint: 'b'.repeat(64) })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('are rejected while the first one is running', async () => {
    await begun();

    await expect(requests.begin(REQUEST)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
      retryAfterSeconds: 1,
    });
  });

  it('run again with the same operation id if the first run stored no response', async () => {
    const first = await begun();
    await requests.release(first);

    const second = await begun();

    expect(second).toMatchObject({ operationId: first.operationId, repeated: true });
    expect(first.repeated).toBe(false);
  });

  it('run again after the lease of the first run has expired, whose late response is not stored', async () => {
    const first = await begun();
    around.clock.advance({ ms: 15_000 });

    const second = await begun();
    await expect(requests.complete(first, { ...ANSWER, status: 500 })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
    await requests.complete(second, ANSWER);

    expect(second.operationId).toBe(first.operationId);
    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
  });

  it('keep the response that was stored with the change after the lease has expired, because a repetition may have got it', async () => {
    const run = await begun();
    await around.storage.run((stores) => requests.storeWithChange(stores, run, ANSWER, { isFinal: false }));
    around.clock.advance({ ms: 15_000 });
    const repeated = await requests.begin(REQUEST);

    await expect(requests.complete(run, { ...ANSWER, headers: { 'zone-published': 'true' } })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });

    expect(repeated).toEqual(ANSWER);
    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
  });

  it('change nothing if the response would be too long to be stored', async () => {
    const run = await begun();
    const long = { ...ANSWER, body: 'x'.repeat(8 * 1024 * 1024) };

    await expect(around.storage.run((stores) => requests.storeWithChange(stores, run, long))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('could not be stored'),
    });
  });

  it('get the response that was stored with their change after their run has ended', async () => {
    const run = await begun();
    await around.storage.run((stores) => requests.storeWithChange(stores, run, ANSWER, { isFinal: false }));

    await expect(requests.begin(REQUEST)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    await requests.release(run);

    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
  });

  it('get a final response as soon as it is committed with their change, and it counts against the daily quota', async () => {
    const run = await begun();
    const counted = jest.spyOn(around.quotas, 'count');

    const bytes = await around.storage.run((stores) => requests.storeWithChange(stores, run, ANSWER));
    const repeated = await requests.begin(REQUEST);
    requests.end(run, bytes);

    expect(repeated).toEqual(ANSWER);
    expect(counted.mock.calls).toEqual([['acc_1', 'stored responses', bytes]]);
    expect(bytes).toBeGreaterThan(350);
  });

  it('get the final response of the first run, even if it says more than the one that was stored with the change', async () => {
    const run = await begun();
    await around.storage.run((stores) =>
      requests.storeWithChange(stores, run, { ...ANSWER, headers: { 'zone-published': 'false' } }, { isFinal: false }),
    );
    await requests.complete(run, { ...ANSWER, headers: { 'zone-published': 'true' } });

    expect(await requests.begin(REQUEST)).toEqual({ ...ANSWER, headers: { 'zone-published': 'true' } });
  });

  it('change nothing if another run has taken over', async () => {
    const first = await begun();
    around.clock.advance({ ms: 15_000 });
    await begun();

    await expect(around.storage.run((stores) => requests.storeWithChange(stores, first, ANSWER))).rejects.toMatchObject(
      {
        code: 'IDEMPOTENCY_KEY_IN_USE',
      },
    );
  });

  it('run again if the response describes no change and is too long to be stored', async () => {
    await requests.complete(await begun(), { ...ANSWER, body: 'x'.repeat(8 * 1024 * 1024) });

    expect(await requests.begin(REQUEST)).toMatchObject({ repeated: true });
  });

  it('are new requests after 24 hours', async () => {
    const first = await begun();
    await requests.complete(first, ANSWER);
    around.clock.advance({ days: 1 });

    const second = await begun();

    expect(second.repeated).toBe(false);
    expect(second.operationId).not.toBe(first.operationId);
  });
});
