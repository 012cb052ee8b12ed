import { IdempotencyRecord } from '../../../src/domain/access/idempotency-record';
import { after, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const aRequest = (key = fresh('key-')) =>
  IdempotencyRecord.begin({ accountId: 'acc_1', key, fingerprint: 'f'.repeat(64), operationId: fresh('op_') }, T0);

/** What every store of requests with an Idempotency-Key must do. */
export function keyedRequestRepositoryContract(storage: () => StorageUnderTest): void {
  const add = (request: IdempotencyRecord) =>
    storage().unitOfWork.run(({ idempotencyRecords }) => idempotencyRecords.add(request));
  const save = (request: IdempotencyRecord) =>
    storage().unitOfWork.run(({ idempotencyRecords }) => idempotencyRecords.save(request));
  const found = async ({ accountId, key } = aRequest().toState()) =>
    (await storage().unitOfWork.run(({ idempotencyRecords }) => idempotencyRecords.lock(accountId, key)))?.toState();

  describe('requests with an Idempotency-Key', () => {
    it('are found as they were added, by account and exact key', async () => {
      const request = aRequest('Key-A');

      expect(await add(request)).toBe(true);
      expect(await found(request.toState())).toEqual(request.toState());
      expect(await found({ ...request.toState(), key: 'key-a' })).toBeUndefined();
      expect(await found({ ...request.toState(), accountId: 'acc_2' })).toBeUndefined();
    });

    it('are added once for a key, without aborting the unit of work', async () => {
      const request = aRequest();
      await add(request);

      const second = await storage().unitOfWork.run(async ({ idempotencyRecords }) => {
        const added = await idempotencyRecords.add(aRequest(request.toState().key));
        return { added, known: (await idempotencyRecords.lock('acc_1', request.toState().key))?.toState() };
      });

      expect(second).toEqual({ added: false, known: request.toState() });
    });

    it('are saved with holder and response', async () => {
      const request = aRequest();
      await add(request);

      for (const step of [
        (each: IdempotencyRecord) => each.hold('holder', after(10)),
        (each: IdempotencyRecord) => each.complete('x'.repeat(100_000)),
        (each: IdempotencyRecord) => each.release(),
      ]) {
        step(request);
        await save(request);
        expect(await found(request.toState())).toEqual(request.toState());
      }
    });

    it('store the response of the run that holds them only; a final one ends that run', async () => {
      const request = aRequest();
      const holder = fresh('h-');
      request.hold(holder, after(10));
      await add(request);
      const { accountId, key } = request.toState();
      const respond = (by: string, response: string, isFinal: boolean) =>
        storage().unitOfWork.run(({ idempotencyRecords }) =>
          idempotencyRecords.respond({ accountId, key, holder: by }, response, { isFinal }),
        );

      const results = [
        await respond(fresh('h-'), 'of another run', true),
        await respond(holder, 'first', false),
        await respond(holder, 'first', false),
      ];
      const held = await found(request.toState());
      results.push(await respond(holder, 'final', true), await respond(holder, 'late', true));

      expect(results).toEqual([false, true, true, true, false]);
      expect(held).toMatchObject({ response: 'first', holder, heldUntil: after(10) });
      expect(await found(request.toState())).toMatchObject({ response: 'final', holder: null, heldUntil: null });
    });

    it('are extended by their holder only', async () => {
      const [ours, theirs] = [aRequest(), aRequest()];
      for (const [request, holder] of [
        [ours, fresh('h-')],
        [theirs, fresh('h-')],
      ] as const) {
        request.hold(holder, after(10));
        await add(request);
      }

      await storage().unitOfWork.run(({ idempotencyRecords }) =>
        idempotencyRecords.extend([ours.toState().holder ?? ''], after(20)),
      );
      await storage().unitOfWork.run(({ idempotencyRecords }) => idempotencyRecords.extend([], after(30)));

      expect((await found(ours.toState()))?.heldUntil).toEqual(after(20));
      expect((await found(theirs.toState()))?.heldUntil).toEqual(after(10));
    });

    it('are released early, except newer ones', async () => {
      const request = aRequest();
      request.hold(fresh('h-'), after(10));
      await add(request);

      await storage().unitOfWork.run(({ idempotencyRecords }) => idempotencyRecords.endLeases(after(9)));
      expect((await found(request.toState()))?.heldUntil).toEqual(after(10));
      await storage().unitOfWork.run(({ idempotencyRecords }) => idempotencyRecords.endLeases(after(10)));

      expect(await found(request.toState())).toMatchObject({ holder: null, heldUntil: null });
    });
  });
}
