import { actorText, type Actor } from '../../../src/domain/access/actor';
import type { BulkItem } from '../../../src/domain/portfolio/bulk-job';
import { Operation } from '../../../src/domain/registration/operations/operation';
import type { Money } from '../../../src/domain/shared/money';
import { BY, fresh, after, anAccount, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

async function addJob(
  { unitOfWork }: StorageUnderTest,
  {
    accountId,
    ms,
    actor = BY.actor,
    finished = false,
    items = [],
  }: {
    readonly accountId: string;
    readonly ms: number;
    readonly actor?: Actor;
    readonly finished?: boolean;
    readonly items?: readonly BulkItem[];
  },
): Promise<string> {
  const id = fresh('blk_');
  await unitOfWork.run(({ bulkJobs }) =>
    bulkJobs.add(
      {
        id,
        accountId,
        actor,
        action: { kind: 'auto_renewal', autoRenew: true },
        total: 3,
        undoes: null,
        createdAt: after(ms),
        updatedAt: after(ms),
        finishedAt: finished ? after(ms) : null,
      },
      items,
    ),
  );
  return id;
}

const error = { code: 'DOMAIN_NOT_FOUND', message: 'Specified domain not found', details: null } as const;

function anItem(name: string, rest: Partial<BulkItem>): BulkItem {
  return {
    domainId: `dom_${name}`,
    name,
    operationId: `op_${name}`,
    ownAction: null,
    undo: null,
    state: 'failed',
    attempts: 0,
    error,
    ...rest,
  };
}

/** Contract of bulk jobs, as far as the tests of the API do not show it. */
export function bulkJobsContract(storage: () => StorageUnderTest): void {
  describe('bulk jobs', () => {
    it('take turns by account while they are not finished', async () => {
      const [one, other] = [await anAccount(storage()), await anAccount(storage())];
      await addJob(storage(), { accountId: one, ms: 0, finished: true });
      const [first, second] = [
        await addJob(storage(), { accountId: one, ms: 1 }),
        await addJob(storage(), { accountId: one, ms: 2 }),
        await addJob(storage(), { accountId: one, ms: 3 }),
      ];
      const [otherFirst, otherSecond] = [
        await addJob(storage(), { accountId: other, ms: 4 }),
        await addJob(storage(), { accountId: other, ms: 5 }),
      ];

      const ids = (await storage().bulkJobs.unfinished(4)).map(({ id }) => id);

      expect(ids).toEqual([first, otherFirst, second, otherSecond]);
    });

    it('come newest first, all of an account or those that one actor began', async () => {
      const accountId = await anAccount(storage());
      const first = await addJob(storage(), { accountId, ms: 1 });
      await addJob(storage(), { accountId, ms: 2, actor: { kind: 'key', id: 'other' } });
      const last = await addJob(storage(), { accountId, ms: 3 });
      const latest = async (limit: number, actor?: string) =>
        (await storage().bulkJobs.latest(accountId, limit, actor)).map(({ id }) => id);

      expect(await latest(2, actorText(BY.actor))).toEqual([last, first]);
      expect(await latest(1)).toEqual([last]);
    });

    it('are counted with their domains from a time on, and again with those that they retry', async () => {
      const [one, other] = [await anAccount(storage()), await anAccount(storage())];
      for (const [accountId, ms] of [
        [one, 10],
        [one, 11],
        [one, 12],
        [other, 12],
      ] as const)
        await addJob(storage(), { accountId, ms, finished: true });

      const retried = { accountId: one, domain: null, actor: BY.actor, subject: 'blk_1', before: {} };
      await storage().unitOfWork.run(async ({ audit }) => {
        for (const [ms, domains] of [
          [10, 100],
          [11, 2],
          [12, 3],
        ] as const)
          await audit.append({
            ...retried,
            at: after(ms),
            action: 'bulk.retried',
            after: { kind: 'auto_renewal', domains },
          });
        await audit.append({ ...retried, at: after(12), action: 'bulk.started', after: { kind: 'tags', domains: 9 } });
      });
      const started = await storage().unitOfWork.run(({ bulkJobs }) => bulkJobs.startedSince(one, after(10)));

      expect(started).toEqual({ jobs: 4, domains: 11 });
    });

    it('sum up what was charged for the items that are done, by currency', async () => {
      const accountId = await anAccount(storage());
      const itemOf = async (state: BulkItem['state'], charged?: Money): Promise<BulkItem> => {
        const { id: domainId } = await storedDomain(storage(), accountId);
        const request = { kind: 'issue_auth_code' } as const;
        const operation = Operation.queue({ id: fresh('op_'), accountId, actor: BY.actor, domainId, request }, T0);
        operation.succeed(after(1), charged && { charged });
        await storage().unitOfWork.run(({ operations }) => operations.add(operation));
        return anItem(domainId, { domainId, operationId: operation.id, state, error: null });
      };
      const items = [
        await itemOf('done', { minor: 6_000_000_000, currency: 'USD' }),
        await itemOf('done', { minor: 44, currency: 'USD' }),
        await itemOf('done', { minor: 0, currency: 'EUR' }),
        await itemOf('done'),
        await itemOf('waiting', { minor: 1, currency: 'USD' }),
        anItem('without-operation', { state: 'done', error: null }),
      ];
      const id = await addJob(storage(), { accountId, ms: 0, finished: true, items });
      await addJob(storage(), { accountId, ms: 0, items: [await itemOf('done', { minor: 5, currency: 'USD' })] });

      expect(await storage().bulkJobs.charges(id)).toEqual([
        { total: { minor: 0, currency: 'EUR' }, domains: 1 },
        { total: { minor: 6_000_000_044, currency: 'USD' }, domains: 2 },
      ]);
    });

    it('keep zone files that are longer than 64 KiB, and erase them with the outcome', async () => {
      const accountId = await anAccount(storage());
      const settings = { mode: 'add', withProviderRecords: false, version: undefined } as const;
      const ownAction = { kind: 'zone_file', text: '\u00e4'.repeat(1_048_576), ...settings } as const;
      const item = anItem('long', { ownAction, state: 'waiting', error: null });
      const id = await addJob(storage(), { accountId, ms: 0, items: [item] });
      const settle = (outcome: Partial<BulkItem>) =>
        storage().unitOfWork.run(({ bulkJobs }) => bulkJobs.settle(id, { ...item, ...outcome }));
      const own = async (state: BulkItem['state']) =>
        (await storage().bulkJobs.items(id, state, 1)).map((each) => each.ownAction);

      await settle({ attempts: 1 });
      expect(JSON.stringify(await own('waiting')) === JSON.stringify([ownAction])).toBe(true);

      await settle({ state: 'done', ownAction: null });
      expect(await own('done')).toEqual([null]);
    });

    it('replace the items that failed by those that wait, and keep the others', async () => {
      const accountId = await anAccount(storage());
      const undo = { kind: 'auto_renewal', autoRenew: false } as const;
      const done = anItem('done', { state: 'done', error: null, undo });
      const failed = Array.from({ length: 501 }, (_, index) => anItem(`${1_000 + index}`, { undo }));
      const id = await addJob(storage(), { accountId, ms: 0, finished: true, items: [done, ...failed] });

      const isUndoable = await storage().unitOfWork.run(async ({ bulkJobs }) => {
        await bulkJobs.lock(id);
        const [kept, ...retried] = await bulkJobs.failed(id);
        expect(kept?.name).toBe('1000');
        await bulkJobs.retry(
          id,
          retried.map(({ name }) => anItem(name, { state: 'waiting', operationId: `op_again_${name}`, error: null })),
        );
        return bulkJobs.isUndoable(id);
      });

      expect(isUndoable).toBe(true);
      expect(await storage().bulkJobs.counts(id)).toEqual({ waiting: 500, done: 1, failed: 1 });
      expect(await storage().bulkJobs.items(id, 'done', 9)).toEqual([done]);
      expect(await storage().bulkJobs.items(id, 'failed', 9)).toEqual(failed.slice(0, 1));
      expect(await storage().bulkJobs.items(id, 'waiting', 1)).toEqual([
        anItem('1001', { state: 'waiting', operationId: 'op_again_1001', error: null }),
      ]);
    });
  });
}
