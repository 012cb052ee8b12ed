import { inject, injectable } from '../../ports/inject';
import type {
  BulkError,
  BulkItem,
  BulkJob,
  BulkDomainAction,
  DomainStep,
  RegistrationAction,
  ZoneFilesAction,
} from '../../../domain/portfolio/bulk-job';
import type { ErrorCode } from '../../../domain/shared/error-code';
import { ServiceError } from '../../../domain/shared/service-error';
import { requireSuccess } from '../../operations/operation-outcome';
import { OperationWaits } from '../../operations/operation-waits';
import { OperationReader } from '../../ports/registration/operations-and-transfers';
import { StorageUnavailable } from '../../ports/storage/storage-unavailable';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Log } from '../../ports/system';
import { BulkActions } from './bulk-actions';
import { BulkRequesters } from './bulk-requesters';

/** After this many attempts that stored no operation, an item fails, so that it does not keep the job from ending. */
const MAX_ATTEMPTS = 10;
/** The same request may succeed later. */
const TRANSIENT: readonly ErrorCode[] = ['REGISTRY_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'OPERATION_IN_PROGRESS'];
export const UNEXPECTED: BulkError = {
  code: 'INTERNAL_ERROR',
  message: 'Something went wrong on our side',
  details: 'The log of the service has the details',
};

/** Undoes a change that another process has made before; the domain may have changed since. */
class SettledElsewhere extends Error {}

/**
 * Runs one domain of a bulk job. The operation has the id that was stored with the item, so that a process that continues after a
 * kill finds it instead of beginning another one; a change without an operation is stored together with its outcome.
 */
@injectable()
export class RunBulkItem {
  constructor(
    @inject(BulkActions) private readonly actions: BulkActions,
    @inject(BulkRequesters) private readonly requesters: BulkRequesters,
    @inject(OperationWaits) private readonly waits: OperationWaits,
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'bulkJobs'>,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns the error if the item waits for the registry; otherwise the outcome is stored. */
  async execute(
    job: BulkJob,
    jobAction: BulkDomainAction | RegistrationAction | ZoneFilesAction,
    item: BulkItem,
  ): Promise<ServiceError | undefined> {
    const { id, accountId } = job;
    const { domainId, operationId } = item;
    const done: BulkItem = { ...withoutText(item), state: 'done', error: null };
    try {
      if (await this.operations.find(accountId, operationId)) {
        requireSuccess(await this.waits.wait(operationId));
      } else if (jobAction.kind === 'registration') {
        await this.actions.register(jobAction, item, await this.requesters.of(job));
        requireSuccess(await this.waits.wait(operationId));
      } else {
        const action = (item.ownAction ?? jobAction) as DomainStep;
        const command = { ...(await this.requesters.of(job)), domainId, operationId };
        const undo = item.undo ?? (await this.actions.planUndo(action, command));
        if (undo) await this.unitOfWork.run(({ bulkJobs }) => bulkJobs.prepare(id, domainId, undo), accountId);
        await this.actions.execute(action, command, async ({ bulkJobs }, undoStep) => {
          if (!(await bulkJobs.settle(id, { ...done, undo: undoStep ?? done.undo }))) throw new SettledElsewhere();
        });
      }
      await this.settle(job, done);
      return undefined;
    } catch (error) {
      if (error instanceof SettledElsewhere) return undefined;
      return this.settleError(job, item, error);
    }
  }

  private async settleError(job: BulkJob, item: BulkItem, error: unknown): Promise<ServiceError | undefined> {
    if (error instanceof StorageUnavailable) throw error;
    const attempts = item.attempts + 1;
    const operation = await this.operations.find(job.accountId, item.operationId);
    if (operation && operation.toState().finishedAt === null) {
      await this.settle(job, { ...item, attempts });
      return error instanceof ServiceError ? error : undefined;
    }
    if (!(error instanceof ServiceError)) {
      this.log.error({ err: error, bulkJobId: job.id, domainId: item.domainId }, 'an item of a bulk job failed');
      await this.settle(job, { ...withoutText(item), attempts, state: 'failed', error: UNEXPECTED });
      return undefined;
    }
    const waits = TRANSIENT.includes(error.code) && attempts < MAX_ATTEMPTS;
    const { code, message, details = null } = error;
    if (waits) await this.settle(job, { ...item, attempts });
    else
      await this.settle(job, {
        ...withoutText(item),
        attempts,
        state: 'failed',
        error: { code, message, details },
      });
    return waits ? error : undefined;
  }

  private async settle({ id, accountId }: BulkJob, item: BulkItem): Promise<void> {
    await this.unitOfWork.run(({ bulkJobs }) => bulkJobs.settle(id, item), accountId);
  }
}

/** Files are many octets, and a zone that has changed needs another review: they are not kept for a retry. */
function withoutText(item: BulkItem): BulkItem {
  return item.ownAction?.kind === 'zone_file' ? { ...item, ownAction: null } : item;
}
