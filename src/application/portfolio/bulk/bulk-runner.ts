import { inject, injectable } from '../../ports/inject';
import type { BulkItem, BulkJob } from '../../../domain/portfolio/bulk-job';
import { bulkFinished } from '../../audit/access-audit';
import { LeasedJobs } from '../../shared/leases/leased-jobs';
import { Outage } from '../../shared/outage';
import { BulkJobReader } from '../../ports/portfolio/portfolio-repositories';
import { Leases } from '../../ports/storage/replicas';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, Log } from '../../ports/system';
import { settleAll } from '../../shared/settle-all';
import { sleepUnless } from '../../shared/sleep-unless';
import { RunBulkItem } from './run-bulk-item';
import { RunBulkTransfer } from '../transfers/run-bulk-transfer';

const BATCH_SIZE = 100;
const CONCURRENT_ITEMS = 8;
const WAIT_MS = 1_000;

/** Runs bulk jobs in the background, in one process at a time: the domains of a job in batches, some of them at once. */
@injectable()
export class BulkRunner extends LeasedJobs<BulkJob> {
  constructor(
    @inject(BulkJobReader) private readonly jobs: BulkJobReader,
    @inject(RunBulkItem) private readonly runItem: RunBulkItem,
    @inject(RunBulkTransfer) private readonly runTransfer: RunBulkTransfer,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'bulkJobs'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Leases) leases: Leases,
    @inject(Log) private readonly log: Log,
  ) {
    super(leases, 'bulk-jobs', new Outage(log, 'running bulk jobs'));
  }

  protected unfinished(limit: number): Promise<readonly BulkJob[]> {
    return this.jobs.unfinished(limit);
  }

  protected async continue(job: BulkJob, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const waiting = [...(await this.jobs.items(job.id, 'waiting', BATCH_SIZE))];
      if (waiting.length === 0) return this.finish(job);
      let isWaiting = false;
      const work = async (): Promise<void> => {
        for (let item = waiting.shift(); item && !stopping.aborted; item = waiting.shift())
          if (await this.runOne(job, item)) isWaiting = true;
      };
      await settleAll(Array.from({ length: CONCURRENT_ITEMS }, work));
      if (isWaiting) await sleepUnless(stopping, WAIT_MS);
    }
  }

  /** Returns whether the item waits for the registry. */
  private async runOne(job: BulkJob, item: BulkItem): Promise<boolean> {
    if (job.action.kind === 'transfer') return this.runTransfer.execute(job, job.action, item);
    return (await this.runItem.execute(job, job.action, item)) !== undefined;
  }

  /** Unless items have been retried in the meantime. */
  private async finish({ id, accountId }: BulkJob): Promise<void> {
    const now = this.clock.now();
    const counts = await this.jobs.counts(id);
    const isFinished = await this.unitOfWork.run(async ({ audit, bulkJobs }) => {
      const job = await bulkJobs.lock(id);
      if (!job || job.finishedAt || (await bulkJobs.hasWaiting(id))) return false;
      await bulkJobs.save({ ...job, updatedAt: now, finishedAt: now });
      await audit.append(bulkFinished(job, counts, now));
      return true;
    }, accountId);
    if (isFinished) this.log.info({ bulkJobId: id, ...counts }, 'a bulk job has finished');
  }
}
