import { inject, injectable } from '../../ports/inject';
import { actorText, type Requester } from '../../../domain/access/actor';
import { assertActionAllowed, seesSomeDomains } from '../../../domain/access/key-permissions';
import {
  isOrder,
  isRetryable,
  KEY_ACTION_OF,
  MAX_BULK_DOMAINS,
  type BulkItem,
  type BulkJob,
  type BulkStep,
  type SelectedDomain,
} from '../../../domain/portfolio/bulk-job';
import { BulkJobNotFound } from '../../../domain/registration/registration-errors';
import { ValidationError } from '../../../domain/shared/validation-error';
import { BulkJobReader } from '../../ports/portfolio/portfolio-repositories';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../../ports/system';
import { bulkBegun } from '../../audit/access-audit';
import { attemptedBulk } from './attempted-bulk';
import { assertBulkNeedsNoApproval } from './bulk-approval';
import { assertBulkAllowed, isLongJob } from './bulk-limits';
import { MAX_FAILURES, type BulkReport } from './find-bulk-job';
import { StartBulkJob } from './start-bulk-job';

type Command = Requester & { readonly jobId: string };

/** Repeats and undoes bulk jobs, for the key or the user that asks for it, and who may see them as `FindBulkJob` says. @throws LimitedKey */
@injectable()
export class RetryBulkJob {
  constructor(
    @inject(BulkJobReader) private readonly jobs: BulkJobReader,
    @inject(StartBulkJob) private readonly startJob: StartBulkJob,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'bulkJobs' | HookStore>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Lets the domains that failed wait again, or the `confirmed` ones of them, each with its own action. Returns the job as it is
   * before one of them begins.
   * @throws BulkJobNotFound, BulkLimitReached; ValidationError unless the job has finished and a domain failed
   */
  async execute(
    command: Command & { readonly confirmed?: readonly SelectedDomain[] | undefined },
    hook?: TransactionHook<BulkReport>,
  ): Promise<BulkReport> {
    const found = await this.find(command);
    const { id, accountId, action } = found;
    if (isOrder(action) || !isRetryable(found))
      throw ValidationError.of(
        'id',
        'must be no job of transfers, registrations or zone files: request what failed again',
      );
    const confirmed = command.confirmed && new Map(command.confirmed.map((domain) => [domain.domainId, domain]));
    return this.unitOfWork.run(
      async (stores) => {
        const job = await stores.bulkJobs.lock(id);
        if (!job) throw new BulkJobNotFound();
        const failed = job.finishedAt ? await stores.bulkJobs.failed(id) : [];
        const retried = failed.flatMap((item) => this.planRetry(item, confirmed) ?? []);
        if (retried.length === 0)
          throw ValidationError.of('id', 'must be a job that has finished and in which a domain failed');
        const steps = retried.map(({ ownAction }) => ownAction ?? job.action);
        assertBulkNeedsNoApproval(command.actor, steps, () =>
          // A retry of the API repeats all that failed, at the prices of the job.
          confirmed ? attemptedBulk(action, retried) : { kind: 'bulk_retry', jobId: id },
        );
        const now = this.clock.now();
        await assertBulkAllowed(stores, { accountId, at: now, domains: retried.length });
        const changed = { ...job, actor: command.actor, updatedAt: now, finishedAt: null };
        await stores.bulkJobs.retry(id, retried);
        await stores.bulkJobs.save(changed);
        await stores.audit.append(bulkBegun('bulk.retried', changed, retried.length));
        const waiting = new Set(retried.map(({ domainId }) => domainId));
        const failures = failed.filter(({ domainId }) => !waiting.has(domainId));
        const report = {
          job: changed,
          counts: { waiting: waiting.size, failed: failures.length, done: job.total - failed.length },
          failures: failures.slice(0, MAX_FAILURES),
          isUndoable: await stores.bulkJobs.isUndoable(id),
        };
        await hook?.(stores, report);
        return report;
      },
      accountId,
      { isLong: isLongJob(found) },
    );
  }

  /** Starts a job that sets back what this one has changed. @throws BulkJobNotFound, ValidationError if nothing can be undone */
  async undo(command: Command, hook?: TransactionHook<BulkJob>): Promise<BulkJob> {
    const { jobId, ...requester } = command;
    const job = await this.find(command);
    const { action } = job;
    const done = isOrder(action) ? [] : await this.jobs.items(job.id, 'done', MAX_BULK_DOMAINS);
    const domains = done.flatMap(({ domainId, name, undo }) => (undo ? [{ domainId, name, ownAction: undo }] : []));
    if (domains.length === 0 || isOrder(action))
      throw ValidationError.of('id', 'must be a job that has changed something that can be undone');
    return this.startJob.start({ ...requester, action, domains, undoes: jobId }, hook);
  }

  /** Undefined unless the item is one of the confirmed ones. */
  private planRetry(item: BulkItem, confirmed: ReadonlyMap<string, SelectedDomain> | undefined): BulkItem | undefined {
    const ownAction = confirmed ? confirmed.get(item.domainId)?.ownAction : item.ownAction;
    if (confirmed && !ownAction) return undefined;
    return {
      ...item,
      ownAction: ownAction ? ofAnyVersion(ownAction) : null,
      operationId: this.ids.next('op'),
      state: 'waiting',
      undo: null,
      attempts: 0,
      error: null,
    };
  }

  private async find({ accountId, actor, jobId }: Command): Promise<BulkJob> {
    const job = await this.jobs.find(accountId, jobId);
    const isOwn = job !== undefined && actorText(job.actor) === actorText(actor);
    if (!isOwn) assertActionAllowed(actor, 'read');
    if (!job || (!isOwn && seesSomeDomains(actor))) throw new BulkJobNotFound();
    // Else every domain would fail, and the job would lose the errors that its owner is to see.
    if (!isOwn) assertActionAllowed(actor, KEY_ACTION_OF[job.action.kind]);
    return job;
  }
}

/** A template failed in the version of the zone for which it was judged: a retry is judged as a whole. */
function ofAnyVersion(step: BulkStep): BulkStep {
  if (step.kind !== 'template') return step;
  const { version: _version, ...ofAny } = step;
  return ofAny;
}
