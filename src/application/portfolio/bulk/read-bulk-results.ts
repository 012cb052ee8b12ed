import { inject, injectable } from '../../ports/inject';
import type { BulkItem } from '../../../domain/portfolio/bulk-job';
import type { Money } from '../../../domain/shared/money';
import { BulkJobReader } from '../../ports/portfolio/portfolio-repositories';
import { DomainReader } from '../../ports/registration/domain-repository';
import { OperationReader } from '../../ports/registration/operations-and-transfers';
import { settleAll } from '../../shared/settle-all';
import type { BulkReport } from './find-bulk-job';

/** So many domains are listed. */
export const MAX_RESULTS = 100;

interface BulkResult {
  readonly domainId: string;
  readonly name: string;
  /** Of a renewal: when the domain expires now; undefined if it no longer exists. */
  readonly expiresAt: Date | undefined;
  /** Of a renewal; undefined if the registry did not say what it charged. */
  readonly charged: Money | undefined;
}

export interface BulkResults {
  /** The first hundred domains that were changed. */
  readonly domains: readonly BulkResult[];
  /** What registries charged for all renewals of the job, as far as they said so: an amount for each currency. */
  readonly charged: readonly Money[];
  /** How many renewals have no reported charge. */
  readonly uncharged: number;
}

/** Reads what a job has done. The caller has found the job. */
@injectable()
export class ReadBulkResults {
  constructor(
    @inject(BulkJobReader) private readonly jobs: BulkJobReader,
    @inject(OperationReader) private readonly operations: Pick<OperationReader, 'finishedAmong'>,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'find'>,
  ) {}

  async execute({ job, counts }: Pick<BulkReport, 'job' | 'counts'>): Promise<BulkResults> {
    const shown = await this.jobs.items(job.id, 'done', MAX_RESULTS);
    if (job.action.kind !== 'renewal') return { domains: shown.map(unpriced), charged: [], uncharged: 0 };
    const charges = await this.jobs.charges(job.id);
    const operations = await this.operations.finishedAmong(shown.map(({ operationId }) => operationId));
    const charged = new Map(operations.map((operation) => [operation.id, operation.toState().charged]));
    const domains = shown.map(async (item): Promise<BulkResult> => ({
      ...unpriced(item),
      expiresAt: (await this.domains.find(job.accountId, item.domainId))?.toState().expiresAt,
      charged: charged.get(item.operationId) ?? undefined,
    }));
    return {
      domains: await settleAll(domains),
      charged: charges.map(({ total }) => total),
      uncharged: charges.reduce((rest, { domains: some }) => rest - some, counts.done),
    };
  }
}

function unpriced({ domainId, name }: BulkItem): BulkResult {
  return { domainId, name, expiresAt: undefined, charged: undefined };
}
