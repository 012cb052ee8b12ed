import { FindBulkJob } from '../../../../src/application/portfolio/bulk/find-bulk-job';
import { RetryBulkJob } from '../../../../src/application/portfolio/bulk/retry-bulk-job';
import { StartBulkJob } from '../../../../src/application/portfolio/bulk/start-bulk-job';
import type { BulkItem, BulkJob } from '../../../../src/domain/portfolio/bulk-job';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

const ACTION = { kind: 'auto_renewal', autoRenew: true } as const;
const FAILED: Omit<BulkItem, 'domainId'> = {
  name: '',
  operationId: 'op_1',
  ownAction: null,
  undo: null,
  state: 'failed',
  attempts: 1,
  error: { code: 'DOMAIN_NOT_FOUND', message: 'Specified domain not found', details: null },
};

describe('bulk jobs of an account', () => {
  let around: UseCaseContext;
  let jobs = 0;

  beforeEach(() => {
    around = new UseCaseContext();
  });

  const add = async (accountId: string, items: readonly BulkItem[], total = items.length): Promise<void> => {
    const now = around.clock.now();
    const job: BulkJob = {
      id: `blk_${(jobs += 1)}`,
      accountId,
      actor: OURS.actor,
      action: ACTION,
      total,
      undoes: null,
      createdAt: now,
      updatedAt: now,
      finishedAt: now,
    };
    await around.storage.run(({ bulkJobs }) => bulkJobs.add(job, items));
  };
  const starter = () =>
    new StartBulkJob(
      undefined as never,
      undefined as never,
      { execute: async (_requester, domains) => domains },
      around.storage,
      around.ids,
      around.clock,
    );
  const start = (domains: number) =>
    starter().start({
      ...OURS,
      action: ACTION,
      domains: Array.from({ length: domains }, (_, index) => ({ domainId: `dom_${index}`, name: '' })),
    });

  it('are refused beyond a million domains in 24 hours', async () => {
    await add(STRANGER.accountId, [], 1_000_000);
    await add(OURS.accountId, [], 999_998);
    await start(2);

    await expect(start(1)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 3_600 });
    around.clock.advance({ days: 1 });
    await start(1);
  });

  it('keep the expiry and the price that each renewal was confirmed with when they need a second person', async () => {
    const [accountId, rules] = [OURS.accountId, [{ changes: ['purchases'] as const }]];
    const actor = { kind: 'user', id: 'usr_1', approvalRules: rules } as const;
    const [action, expiresAt] = [{ kind: 'renewal', years: 1 } as const, '2027-01-01T00:00:00.000Z'];
    const agreed = { price: { minor: 1_000, currency: 'USD' }, expiresAt };
    const domains = [{ domainId: 'dom_1', name: '', ownAction: { ...action, agreed } }];

    const started = starter().start({ accountId, actor, action, domains });

    const confirmed = { currentExpiries: { dom_1: expiresAt }, maxPrices: { dom_1: agreed.price } };
    const attempted = { kind: 'bulk', action, domainIds: ['dom_1'], ...confirmed };
    await expect(started).rejects.toMatchObject({ attempted });
  });

  it('are refused beyond a thousand in 24 hours', async () => {
    for (let index = 0; index < 1_000; index += 1) await add(OURS.accountId, []);

    await expect(start(1)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('count again when they are retried, and are refused beyond a million domains in 24 hours', async () => {
    await add(OURS.accountId, [{ ...FAILED, domainId: 'dom_1' }], 999_998);
    const jobId = `blk_${jobs}`;
    const retry = async () => {
      await new RetryBulkJob(
        around.storage.bulkJobs,
        undefined as never,
        around.storage,
        around.ids,
        around.clock,
      ).execute({ ...OURS, jobId });
      await around.storage.run(async ({ bulkJobs }) => {
        const [job, [item]] = [await bulkJobs.lock(jobId), await around.storage.bulkJobs.items(jobId, 'waiting', 1)];
        if (!job || !item) throw new Error('the job was not retried');
        await bulkJobs.settle(jobId, { ...item, state: 'failed' });
        await bulkJobs.save({ ...job, finishedAt: around.clock.now() });
      });
    };
    await retry();
    await retry();

    await expect(retry()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 3_600 });
    await expect(start(1)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    around.clock.advance({ days: 1 });
    await retry();
  });

  it('are listed with the first thousand failures of all of them', async () => {
    const failed = Array.from({ length: 600 }, (_, index) => ({ ...FAILED, domainId: `dom_${index}` }));
    for (let index = 0; index < 3; index += 1) {
      await add(OURS.accountId, failed);
      around.clock.advance({ ms: 1 });
    }

    const reports = await new FindBulkJob(around.storage.bulkJobs).latest(OURS, 50);

    expect(reports.map(({ counts }) => counts.failed)).toEqual([600, 600, 600]);
    expect(reports.map(({ failures }) => failures.length)).toEqual([600, 400, 0]);
  });
});
