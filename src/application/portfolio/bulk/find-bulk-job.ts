import { inject, injectable } from '../../ports/inject';
import { actorText, type Actor, type Reader } from '../../../domain/access/actor';
import { assertActionAllowed, isForRecordsOnly, seesSomeDomains } from '../../../domain/access/key-permissions';
import type { BulkCounts, BulkItem, BulkJob } from '../../../domain/portfolio/bulk-job';
import { BulkJobNotFound } from '../../../domain/registration/registration-errors';
import { BulkJobReader } from '../../ports/portfolio/portfolio-repositories';
import { waitForNextSlice } from '../../shared/run-cooperatively';

/** The most failures that a report has. */
export const MAX_FAILURES = 1_000;

export interface BulkReport {
  readonly job: BulkJob;
  readonly counts: BulkCounts;
  /** The first thousand domains that failed. */
  readonly failures: readonly BulkItem[];
  /** Whether something that was done can be undone. */
  readonly isUndoable: boolean;
}

/** Reads the progress of a bulk job. A requester who may see only some domains or records sees only the jobs that it began. @throws BulkJobNotFound, LimitedKey */
@injectable()
export class FindBulkJob {
  constructor(@inject(BulkJobReader) private readonly jobs: BulkJobReader) {}

  async execute({ accountId, actor, jobId }: Reader & { readonly jobId: string }): Promise<BulkReport> {
    const job = await this.jobs.find(accountId, jobId);
    const isOwn = job !== undefined && actorText(job.actor) === actorText(actor);
    if (!isOwn) assertActionAllowed(actor, 'read');
    if (!job || (!isOwn && seesOwnOnly(actor))) throw new BulkJobNotFound();
    return this.report(job);
  }

  /** Those that the requester may see, newest first, and the first thousand failures of all. @throws LimitedKey */
  async latest({ accountId, actor }: Reader, limit: number): Promise<readonly BulkReport[]> {
    assertActionAllowed(actor, 'read');
    const jobs = await this.jobs.latest(accountId, limit, seesOwnOnly(actor) ? actorText(actor) : undefined);
    const reports: BulkReport[] = [];
    let left = MAX_FAILURES;
    for (const job of jobs) {
      if (reports.length > 0) await waitForNextSlice(accountId);
      const report = await this.report(job, left);
      reports.push(report);
      left -= report.failures.length;
    }
    return reports;
  }

  /** Those of the job that failed, the first `from` left out. The caller has found the job. */
  async failed(jobId: string, from: number, most: number): Promise<readonly BulkItem[]> {
    return (await this.jobs.items(jobId, 'failed', from + most)).slice(from);
  }

  private async report(job: BulkJob, maxFailures = MAX_FAILURES): Promise<BulkReport> {
    const [counts, failures, isUndoable] = await Promise.all([
      this.jobs.counts(job.id),
      maxFailures > 0 ? this.jobs.items(job.id, 'failed', maxFailures) : [],
      this.jobs.isUndoable(job.id),
    ]);
    return { job, counts, failures, isUndoable };
  }
}

function seesOwnOnly(actor: Actor): boolean {
  return seesSomeDomains(actor) || isForRecordsOnly(actor);
}
