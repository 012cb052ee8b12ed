import { inject, injectable } from '../../ports/inject';
import type { BulkError, BulkItem, BulkJob, TransferAction } from '../../../domain/portfolio/bulk-job';
import type { TransferState } from '../../../domain/registration/transfers/transfer-state';
import { DAY_MS } from '../../../domain/shared/time/calendar';
import type { ErrorCode } from '../../../domain/shared/error-code';
import { ServiceError } from '../../../domain/shared/service-error';
import { TransferReader } from '../../ports/registration/operations-and-transfers';
import { StorageUnavailable } from '../../ports/storage/storage-unavailable';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, Log, SealBroken, SecretBox } from '../../ports/system';
import { authCodePurpose } from '../../transfers/auth-code-purpose';
import { RequestTransfer } from '../../transfers/request-transfer';
import { BulkRequesters } from '../bulk/bulk-requesters';
import { UNEXPECTED } from '../bulk/run-bulk-item';

/** The same request may succeed later. */
const TRANSIENT: readonly ErrorCode[] = ['REGISTRY_UNAVAILABLE', 'SERVICE_UNAVAILABLE'];
/** A transfer that no registry could price for so long after the job was started fails, and its auth code is erased. */
const MAX_WAIT_MS = DAY_MS;
const UNREADABLE: BulkError = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The stored auth code cannot be decrypted. Request the transfer again',
  details: null,
};
const CANCELLED: BulkError = {
  code: 'DOMAIN_STATUS_CONFLICT',
  message: 'The transfer was cancelled',
  details: null,
};

/** Another process has requested the transfer, or settled the item, in the meantime. */
class SettledElsewhere extends Error {}

/**
 * Runs one name of a job of transfers. The transfer has the id that was stored with the item, and is stored together with the removal
 * of the item's auth code: a process that continues after a kill finds it instead of ordering again. The item is done when the
 * registry has accepted the request.
 */
@injectable()
export class RunBulkTransfer {
  constructor(
    @inject(RequestTransfer) private readonly requestTransfer: RequestTransfer,
    @inject(TransferReader) private readonly transfers: Pick<TransferReader, 'find'>,
    @inject(BulkRequesters) private readonly requesters: BulkRequesters,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'bulkJobs'>,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns whether the item still waits: for the registry's response, or because the registry is unavailable. */
  async execute(job: BulkJob, action: TransferAction, given: BulkItem): Promise<boolean> {
    const item = { ...given, attempts: given.attempts + 1 };
    const stored = await this.find(job, item);
    if (stored) return this.settle(job, outcomeOf(item, stored));
    try {
      await this.request(job, action, item);
      return true;
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      if (error instanceof SettledElsewhere || (await this.find(job, item))) return true;
      return this.settle(job, this.refused(job, item, error));
    }
  }

  private async request({ id, ...job }: BulkJob, { registrant, autoRenew }: TransferAction, item: BulkItem) {
    const { domainId: transferId, name, sealedAuthCode, ownAction } = item;
    const { years, maxPrice } = ownAction?.kind === 'transfer_order' ? ownAction : {};
    const requester = await this.requesters.of({ id, ...job });
    const authCode = this.secrets.open(sealedAuthCode ?? '', authCodePurpose(transferId));
    const order = { transferId, name, authCode, years, registrant, autoRenew, limit: { maxPrice } };
    await this.requestTransfer.execute({ ...requester, ...order }, async ({ bulkJobs }) => {
      if (!(await bulkJobs.settle(id, withoutCode(item)))) throw new SettledElsewhere();
    });
  }

  private refused(job: BulkJob, item: BulkItem, error: unknown): BulkItem {
    if (error instanceof SealBroken) return failed(item, UNREADABLE);
    if (!(error instanceof ServiceError)) {
      this.log.error({ err: error, bulkJobId: job.id, transferId: item.domainId }, 'an item of a bulk job failed');
      return failed(item, UNEXPECTED);
    }
    const { code, message, details = null } = error;
    const isOld = this.clock.now().getTime() - job.createdAt.getTime() >= MAX_WAIT_MS;
    return TRANSIENT.includes(code) && !isOld ? item : failed(item, { code, message, details });
  }

  private async find({ accountId }: BulkJob, { domainId }: BulkItem): Promise<TransferState | undefined> {
    return (await this.transfers.find(accountId, domainId))?.toState();
  }

  private async settle({ id, accountId }: BulkJob, item: BulkItem): Promise<boolean> {
    await this.unitOfWork.run(({ bulkJobs }) => bulkJobs.settle(id, item), accountId);
    return item.state === 'waiting';
  }
}

/** By what became of the transfer at the registry. */
function outcomeOf(item: BulkItem, { status, error }: TransferState): BulkItem {
  if (status === 'queued') return item;
  if (status === 'pending' || status === 'approved' || status === 'completed')
    return { ...item, state: 'done', error: null };
  return failed(item, { ...CANCELLED, ...error });
}

function failed(item: BulkItem, error: BulkError): BulkItem {
  return { ...withoutCode(item), state: 'failed', error };
}

function withoutCode({ sealedAuthCode: _erased, ...item }: BulkItem): BulkItem {
  return item;
}
