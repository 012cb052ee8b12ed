import { BY, fresh, after, anAccount, type StorageUnderTest } from '../storage-under-test';

async function addJob(
  { unitOfWork }: StorageUnderTest,
  { accountId, ms, finished = false }: { readonly accountId: string; readonly ms: number; readonly finished?: boolean },
): Promise<string> {
  const id = fresh('blk_');
  await unitOfWork.run(({ bulkJobs }) =>
    bulkJobs.add(
      {
        id,
        accountId,
        actor: BY.actor,
        action: { kind: 'auto_renewal', autoRenew: true },
        total: 3,
        undoes: null,
        createdAt: after(ms),
        updatedAt: after(ms),
        finishedAt: finished ? after(ms) : null,
      },
      [],
    ),
  );
  return id;
}

/** Contract of bulk jobs, as far as the tests of the API do not show it. */
export function bulkJobsContract(storage: () => StorageUnderTest): void {
  describe('bulk jobs', () => {
    it('that are not finished take turns by account', async () => {
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

    it('are counted with their domains from a time on', async () => {
      const [one, other] = [await anAccount(storage()), await anAccount(storage())];
      for (const [accountId, ms] of [
        [one, 10],
        [one, 11],
        [one, 12],
        [other, 12],
      ] as const)
        await addJob(storage(), { accountId, ms, finished: true });

      const started = await storage().unitOfWork.run(({ bulkJobs }) => bulkJobs.startedSince(one, after(10)));

      expect(started).toEqual({ jobs: 2, domains: 6 });
    });
  });
}
