import { inject, injectable } from '../../../application/ports/inject';
import { ReadPublication } from '../../../application/dns/publishing/read-publication';
import { ReadSigning } from '../../../application/dnssec/read-signing';
import { FindBulkJob } from '../../../application/portfolio/bulk/find-bulk-job';
import { FindImport } from '../../../application/registrar/imports/find-import';
import { FindOperation } from '../../../application/registration/operations/find-operation';
import { FindTransfers } from '../../../application/transfers/find-transfers';
import type { Requester } from '../../../domain/access/actor';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { TransferState } from '../../../domain/registration/transfers/transfer-state';
import type { LiveKind } from '../layout/live-progress';

/** Reads a text that differs if the page would. @throws ServiceError if the requester may not see it */
type ReadState = (requester: Requester, id: string) => Promise<unknown>;

/** What pages show the progress of, each read by the use case of its page. */
@injectable()
export class ProgressStates {
  private readonly states: Readonly<Record<LiveKind, ReadState>>;

  constructor(
    @inject(FindOperation) operations: FindOperation,
    @inject(FindTransfers) transfers: FindTransfers,
    @inject(FindImport) imports: FindImport,
    @inject(FindBulkJob) bulkJobs: FindBulkJob,
    @inject(ReadPublication) publications: ReadPublication,
    @inject(ReadSigning) signings: ReadSigning,
  ) {
    this.states = {
      operation: async (requester, operationId) => (await operations.execute({ ...requester, operationId })).toState(),
      transfer: async (requester, transferId) =>
        shownTransfer((await transfers.byId({ ...requester, transferId })).toState()),
      import: async (requester, importId) => {
        const { nameImport, counts } = await imports.execute({ ...requester, importId });
        return [nameImport.status, nameImport.error, counts];
      },
      bulk: async (requester, jobId) => {
        const { job, counts } = await bulkJobs.execute({ ...requester, jobId });
        return [job.finishedAt, counts];
      },
      publication: async (requester, domainId) => {
        const { version, published, secondaries } = await publications.execute({ ...requester, domainId });
        return [version, published, secondaries.map(({ answer }) => answer)];
      },
      dnssec: async (requester, domainId) => {
        const { signing, keys } = await signings.execute({ ...requester, domainId });
        return [signing && shownSigning(signing), keys];
      },
    };
  }

  async read(kind: LiveKind, requester: Requester, id: string): Promise<string> {
    return JSON.stringify(await this.states[kind](requester, id));
  }
}

/** Without what each attempt to read the registry changes. */
function shownTransfer({ status, error, uncertainSince, cancelRequestedAt, endsAt, charged }: TransferState): unknown {
  return [status, error, uncertainSince, cancelRequestedAt, endsAt, charged];
}

/** Without when the next step or poll is due. */
function shownSigning(signing: ZoneSigning): unknown {
  const { step, stepSince, problem, until, dsRecords, notice } = signing.toState();
  return [step, stepSince, signing.waitsFor, problem, until, dsRecords, notice];
}
