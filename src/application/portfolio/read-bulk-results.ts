import { inject, injectable } from '../ports/inject';
import { MAX_BULK_DOMAINS, type BulkItem, type BulkJob } from '../../domain/portfolio/bulk-job';
import { plus, type Money } from '../../domain/shared/money';
import { BulkJobReader } from '../ports/portfolio/bulk-jobs';
import { DomainReader } from '../ports/registration/domain-repository';
import { OperationReader } from '../ports/registration/operation-repository';
import { settleAll } from '../shared/settle-all';

/** So many domains are listed. */
export const MAX_RESULTS = 100;
const OPERATIONS_PER_READ = 500;

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
  /** What the registry charged for all renewals of the job, as far as it said so. */
  readonly charged: Money | undefined;
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

  async execute(job: BulkJob): Promise<BulkResults> {
    const isRenewal = job.action.kind === 'renewal';
    const done = await this.jobs.items(job.id, 'done', isRenewal ? MAX_BULK_DOMAINS : MAX_RESULTS);
    const charges = isRenewal ? await this.chargesOf(done) : new Map<string, Money>();
    const [first, ...others] = [...charges.values()];
    const shown = done.slice(0, MAX_RESULTS).map(async ({ domainId, name, operationId }): Promise<BulkResult> => ({
      domainId,
      name,
      expiresAt: isRenewal ? (await this.domains.find(job.accountId, domainId))?.toState().expiresAt : undefined,
      charged: charges.get(operationId),
    }));
    return {
      domains: await settleAll(shown),
      charged: first && others.reduce(plus, first),
      uncharged: isRenewal ? done.length - charges.size : 0,
    };
  }

  private async chargesOf(items: readonly BulkItem[]): Promise<ReadonlyMap<string, Money>> {
    const charges = new Map<string, Money>();
    for (let from = 0; from < items.length; from += OPERATIONS_PER_READ) {
      const ids = items.slice(from, from + OPERATIONS_PER_READ).map(({ operationId }) => operationId);
      for (const operation of await this.operations.finishedAmong(ids)) {
        const { id, charged } = operation.toState();
        if (charged) charges.set(id, charged);
      }
    }
    return charges;
  }
}
