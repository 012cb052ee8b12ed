import { MAX_RESULTS, ReadBulkResults } from '../../../../../src/application/portfolio/bulk/read-bulk-results';
import type { BulkItem, BulkJob } from '../../../../../src/domain/portfolio/bulk-job';
import { Operation } from '../../../../../src/domain/registration/operations/operation';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const AT = new Date('2026-01-01T00:00:00.000Z');
const JOB: BulkJob = {
  id: 'blk_1',
  ...OURS,
  action: { kind: 'renewal', years: 1 },
  total: 151,
  undoes: null,
  createdAt: AT,
  updatedAt: AT,
  finishedAt: AT,
};

describe('the results of a bulk renewal', () => {
  it('read only the operations of the listed domains, and sum up the charges of all', async () => {
    const around = new UseCaseContext();
    const items = Array.from({ length: JOB.total }, (_, index): BulkItem => {
      const [domainId, name] = [`dom_${1_000 + index}`, `name-${1_000 + index}.com`];
      const operationId = `op_${1_000 + index}`;
      return { domainId, name, operationId, ownAction: null, undo: null, state: 'done', attempts: 0, error: null };
    });
    await around.storage.run(async ({ bulkJobs, operations }) => {
      await bulkJobs.add(JOB, items);
      for (const { domainId, operationId } of items) {
        const request = { kind: 'issue_auth_code' } as const;
        const operation = Operation.queue({ id: operationId, ...OURS, domainId, request }, AT);
        operation.succeed(AT, domainId === 'dom_1150' ? {} : { charged: { minor: 1044, currency: 'USD' } });
        await operations.add(operation);
      }
    });
    const read: string[] = [];
    const operations = {
      finishedAmong: (ids: readonly string[]) => {
        read.push(...ids);
        return around.storage.operations.finishedAmong(ids);
      },
    };
    const results = new ReadBulkResults(around.storage.bulkJobs, operations, around.storage.domains);

    const { domains, charged, uncharged } = await results.execute({
      job: JOB,
      counts: { waiting: 0, done: JOB.total, failed: 0 },
    });

    expect([domains.length, read.length]).toEqual([MAX_RESULTS, MAX_RESULTS]);
    expect(domains[0]).toMatchObject({ name: 'name-1000.com', charged: { minor: 1044, currency: 'USD' } });
    expect([charged, uncharged]).toEqual([[{ minor: 156_600, currency: 'USD' }], 1]);
  });
});
