import { createSecretKey } from 'node:crypto';
import {
  IdempotentRequests,
  type StoredResponse,
  type RequestRun,
} from '../../../../src/application/idempotency/idempotent-requests';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { Surroundings } from '../../../support/use-cases/surroundings';

const REQUEST = { accountId: 'acc_1', key: 'key', fingerprint: 'a'.repeat(64) };
const ANSWER: StoredResponse = { status: 200, headers: { 'zone-version': '7' }, body: { auth_code: 'secret' } };

describe('requests with an Idempotency-Key', () => {
  let around: Surroundings;
  let requests: IdempotentRequests;

  beforeEach(() => {
    around = new Surroundings();
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
      around.ceilings,
    );
  });

  const begun = async (): Promise<RequestRun> => {
    const run = await requests.begin(REQUEST);
    if (!('holder' in run)) throw new TypeError('was answered already');
    return run;
  };

  it('are answered as before, from what is stored sealed', async () => {
    await requests.keep(await begun(), ANSWER);

    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
    expect(JSON.stringify([...around.storage.tables.idempotencyRecords.values()])).not.toContain('secret');
  });

  it('are stored before anything is done, with the id of the operation to come', async () => {
    const { operationId } = await begun();

    expect([...around.storage.tables.idempotencyRecords.values()]).toMatchObject([{ operationId, answer: null }]);
  });

  it('are refused with another request, also while the first is running', async () => {
    await begun();

    await expect(requests.begin({ ...REQUEST, fingerprint: 'b'.repeat(64) })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('are put off while the first is running', async () => {
    await begun();

    await expect(requests.begin(REQUEST)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
      retryAfterSeconds: 1,
    });
  });

  it('go on under the same operation where the first left no answer', async () => {
    const first = await begun();
    await requests.release(first);

    const second = await begun();

    expect(second).toMatchObject({ operationId: first.operationId, repeated: true });
    expect(first.repeated).toBe(false);
  });

  it('go on when the process of the first has been silent for the time of a lease, and its late answer is not kept', async () => {
    const first = await begun();
    around.clock.advance({ ms: 15_000 });

    const second = await begun();
    await expect(requests.keep(first, { ...ANSWER, status: 500 })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
    await requests.keep(second, ANSWER);

    expect(second.operationId).toBe(first.operationId);
    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
  });

  it('keep what was settled once the lease has lapsed, since a repetition may have had it', async () => {
    const run = await begun();
    await around.storage.run((stores) => requests.settle(stores, run, ANSWER));
    around.clock.advance({ ms: 15_000 });
    const repeated = await requests.begin(REQUEST);

    await expect(requests.keep(run, { ...ANSWER, headers: { 'zone-published': 'true' } })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });

    expect(repeated).toEqual(ANSWER);
    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
  });

  it('change nothing where the response would be too long to be kept', async () => {
    const run = await begun();
    const long = { ...ANSWER, body: 'x'.repeat(8 * 1024 * 1024) };

    await expect(around.storage.run((stores) => requests.settle(stores, run, long))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('could not be kept'),
    });
  });

  it('are answered, when their run is over, by what was committed with their change', async () => {
    const run = await begun();
    await around.storage.run((stores) => requests.settle(stores, run, ANSWER));

    await expect(requests.begin(REQUEST)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    await requests.release(run);

    expect(await requests.begin(REQUEST)).toEqual(ANSWER);
  });

  it('are answered as the first was, also where that was more than what was committed with the change', async () => {
    const run = await begun();
    await around.storage.run((stores) =>
      requests.settle(stores, run, { ...ANSWER, headers: { 'zone-published': 'false' } }),
    );
    await requests.keep(run, { ...ANSWER, headers: { 'zone-published': 'true' } });

    expect(await requests.begin(REQUEST)).toEqual({ ...ANSWER, headers: { 'zone-published': 'true' } });
  });

  it('change nothing when another run has taken over', async () => {
    const first = await begun();
    around.clock.advance({ ms: 15_000 });
    await begun();

    await expect(around.storage.run((stores) => requests.settle(stores, first, ANSWER))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    });
  });

  it('are carried out again where the answer, which tells of no change, is longer than what is kept', async () => {
    await requests.keep(await begun(), { ...ANSWER, body: 'x'.repeat(8 * 1024 * 1024) });

    expect(await requests.begin(REQUEST)).toMatchObject({ repeated: true });
  });

  it('are new ones after 24 hours', async () => {
    const first = await begun();
    await requests.keep(first, ANSWER);
    around.clock.advance({ days: 1 });

    const second = await begun();

    expect(second.repeated).toBe(false);
    expect(second.operationId).not.toBe(first.operationId);
  });
});
