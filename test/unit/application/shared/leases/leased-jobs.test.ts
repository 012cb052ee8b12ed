import { LeasedJobs } from '../../../../../src/application/shared/leases/leased-jobs';
import type { OperationWaits } from '../../../../../src/application/operations/operation-waits';
import { Outage } from '../../../../../src/application/shared/outage';
import type { BulkActions } from '../../../../../src/application/portfolio/bulk/bulk-actions';
import type { BulkRequesters } from '../../../../../src/application/portfolio/bulk/bulk-requesters';
import { RunBulkItem } from '../../../../../src/application/portfolio/bulk/run-bulk-item';
import type { TransactionHook } from '../../../../../src/application/ports/storage/unit-of-work';
import type { BulkItem, BulkJob } from '../../../../../src/domain/portfolio/bulk-job';
import { pass, stopTime } from '../../../../support/use-cases/registration-scenario';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

/** One job that runs until it is interrupted. */
class EndlessJob extends LeasedJobs<{ readonly id: string }> {
  state: 'waiting' | 'running' | 'interrupted' = 'waiting';

  protected async unfinished(): Promise<readonly { readonly id: string }[]> {
    return this.state === 'interrupted' ? [] : [{ id: 'job_1' }];
  }

  protected async continue(_job: unknown, stopping: AbortSignal): Promise<void> {
    this.state = 'running';
    await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
    this.state = 'interrupted';
  }
}

describe('a process that was frozen', () => {
  afterEach(() => jest.useRealTimers());

  it('ends the work under a lease that another process has taken over', async () => {
    stopTime();
    const around = new UseCaseContext();
    const jobs = new EndlessJob(around.storage.leases, 'jobs', new Outage(around.log, 'running jobs'));
    void jobs.run();
    await pass(around, 60_000);
    const before = jobs.state;

    around.storage.tables.leases.set('jobs', { owner: 'another process', beats: 7 });
    await pass(around, 5_000);
    const after = jobs.state;

    await jobs.stop();
    expect([before, after]).toEqual(['running', 'interrupted']);
    expect(around.storage.tables.leases.get('jobs')).toEqual({ owner: 'another process', beats: 7 });
  });

  it('does not repeat an item of a bulk job that another process has settled', async () => {
    const around = new UseCaseContext();
    await around.givenDomain({ autoRenew: true });
    const setAutoRenew = (autoRenew: boolean, hook?: TransactionHook<null>) =>
      around.storage.run(async (stores) => {
        const domain = await stores.domains.lockAny('dom_1');
        domain?.setAutoRenew(autoRenew, around.clock.now());
        if (domain) await stores.domains.save(domain);
        await hook?.(stores, null);
      });
    const at = around.clock.now();
    const action = { kind: 'auto_renewal', autoRenew: false } as const;
    const times = { createdAt: at, updatedAt: at, finishedAt: null };
    const job: BulkJob = { ...OURS, id: 'job_1', action, total: 1, undoes: null, ...times };
    const rest = { ownAction: null, undo: null, state: 'waiting', attempts: 0, error: null } as const;
    const item: BulkItem = { domainId: 'dom_1', name: 'example.com', operationId: 'op_1', ...rest };
    await around.storage.run(({ bulkJobs }) => bulkJobs.add(job, [item]));
    const actions: Pick<BulkActions, 'planUndo' | 'execute'> = {
      planUndo: async () => null,
      execute: (_action, _command, onChange) => setAutoRenew(false, onChange),
    };
    const runItem = new RunBulkItem(
      actions as BulkActions,
      { of: async () => OURS } as unknown as BulkRequesters,
      { resume: async () => undefined } as unknown as OperationWaits,
      around.storage.operations,
      around.storage,
      around.log,
    );
    await runItem.execute(job, action, item);
    await setAutoRenew(true);

    const waits = await runItem.execute(job, action, item);

    expect(waits).toBeUndefined();
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ autoRenew: true });
    expect(around.storage.tables.bulkItems.get('job_1')?.get('dom_1')).toMatchObject({ state: 'done' });
    expect(around.log.entries).toEqual([]);
  });
});
