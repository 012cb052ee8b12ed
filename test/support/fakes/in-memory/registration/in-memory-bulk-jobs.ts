import { actorText } from '../../../../../src/domain/access/actor';
import type {
  BulkCharge,
  BulkJobReader,
  BulkJobRepository,
} from '../../../../../src/application/ports/portfolio/portfolio-repositories';
import {
  MAX_BULK_DOMAINS,
  type BulkAction,
  type BulkItem,
  type BulkJob,
} from '../../../../../src/domain/portfolio/bulk-job';
import { groupedBy } from '../../../../../src/domain/shared/grouped-by';
import { compareTexts, inOrder, takingTurns } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryBulkJobRepository implements BulkJobRepository {
  constructor(private readonly tables: Tables) {}

  async add(job: BulkJob, items: readonly BulkItem[]): Promise<void> {
    this.tables.bulkJobs.set(job.id, job);
    this.tables.bulkItems.set(job.id, new Map(items.map((item) => [item.domainId, item])));
  }

  async lock(id: string): Promise<BulkJob | undefined> {
    return this.tables.bulkJobs.get(id);
  }

  async save(job: BulkJob): Promise<void> {
    this.tables.bulkJobs.set(job.id, job);
  }

  async startedSince(accountId: string, time: Date) {
    const found = [...this.tables.bulkJobs.values()].filter(
      (job) => job.accountId === accountId && job.createdAt > time,
    );
    const retries = [...this.tables.audit.values()].filter(
      (entry) => entry.accountId === accountId && entry.action === 'bulk.retried' && entry.at > time,
    );
    const domains = [...found.map(({ total }) => total), ...retries.map(({ after }) => Number(after['domains']))];
    return { jobs: domains.length, domains: domains.reduce((sum, count) => sum + count, 0) };
  }

  async prepare(id: string, domainId: string, undo: BulkAction): Promise<void> {
    const item = this.itemOf(id, domainId);
    if (item?.undo === null) this.put(id, { ...item, undo });
  }

  async settle(id: string, item: BulkItem): Promise<boolean> {
    const found = this.itemOf(id, item.domainId);
    if (found?.state !== 'waiting' || found.operationId !== item.operationId) return false;
    this.put(id, { ...item, undo: item.undo ?? found.undo });
    return true;
  }

  async failed(id: string): Promise<readonly BulkItem[]> {
    return new InMemoryBulkJobReader(() => this.tables).items(id, 'failed', MAX_BULK_DOMAINS);
  }

  async retry(id: string, items: readonly BulkItem[]): Promise<void> {
    for (const item of items) this.put(id, item);
  }

  async hasWaiting(id: string): Promise<boolean> {
    return [...(this.tables.bulkItems.get(id)?.values() ?? [])].some(({ state }) => state === 'waiting');
  }

  async isUndoable(id: string): Promise<boolean> {
    return new InMemoryBulkJobReader(() => this.tables).isUndoable(id);
  }

  private itemOf(id: string, domainId: string): BulkItem | undefined {
    return this.tables.bulkItems.get(id)?.get(domainId);
  }

  private put(id: string, item: BulkItem): void {
    this.tables.bulkItems.set(id, new Map([...(this.tables.bulkItems.get(id) ?? []), [item.domainId, item]]));
  }
}

export class InMemoryBulkJobReader implements BulkJobReader {
  constructor(private readonly tables: () => Tables) {}

  async find(accountId: string, id: string): Promise<BulkJob | undefined> {
    const found = this.tables().bulkJobs.get(id);
    return found?.accountId === accountId ? found : undefined;
  }

  async latest(accountId: string, limit: number, actor?: string): Promise<readonly BulkJob[]> {
    const ofAccount = [...this.tables().bulkJobs.values()].filter((job) => job.accountId === accountId);
    return inOrder(ofAccount.filter((job) => actor === undefined || actorText(job.actor) === actor))
      .toReversed()
      .slice(0, limit);
  }

  async counts(id: string) {
    const counts = { waiting: 0, done: 0, failed: 0 };
    for (const { state } of this.itemsOf(id)) counts[state] += 1;
    return counts;
  }

  async items(id: string, state: BulkItem['state'], limit: number): Promise<readonly BulkItem[]> {
    return this.itemsOf(id)
      .filter((item) => item.state === state)
      .toSorted((one, other) => one.attempts - other.attempts || compareTexts(one.name, other.name))
      .slice(0, limit);
  }

  async charges(id: string): Promise<readonly BulkCharge[]> {
    const charged = this.itemsOf(id).flatMap(({ state, operationId }) =>
      state === 'done' ? (this.tables().operations.get(operationId)?.charged ?? []) : [],
    );
    return [...groupedBy(charged, ({ currency }) => currency)]
      .toSorted(([one], [other]) => compareTexts(one, other))
      .map(([currency, amounts]) => ({
        total: { minor: amounts.reduce((sum, { minor }) => sum + minor, 0), currency },
        domains: amounts.length,
      }));
  }

  async isUndoable(id: string): Promise<boolean> {
    return this.itemsOf(id).some(({ state, undo }) => state === 'done' && undo !== null);
  }

  async unfinished(limit: number): Promise<readonly BulkJob[]> {
    const unfinished = [...this.tables().bulkJobs.values()].filter(({ finishedAt }) => finishedAt === null);
    return takingTurns(unfinished, ({ accountId }) => accountId).slice(0, limit);
  }

  private itemsOf(id: string): readonly BulkItem[] {
    return [...(this.tables().bulkItems.get(id)?.values() ?? [])];
  }
}
