import type { EntityManager } from 'typeorm';
import type { BulkItem } from '../../../../../src/domain/portfolio/bulk-job';
import { SqlBulkJobRepository } from '../../../../../src/infrastructure/persistence/portfolio/sql-bulk-jobs';

const ITEMS = Array.from({ length: 10_000 }, (_, index): BulkItem => ({
  domainId: `dom_${index}`,
  name: `${index}.com`,
  operationId: `op_${index}`,
  ownAction: null,
  undo: null,
  state: 'waiting',
  attempts: 0,
  error: null,
}));

describe('a bulk job', () => {
  it.each(['better-sqlite3', 'mysql'])('retries 10,000 domains with 40 statements (%s)', async (type) => {
    let statements = 0;
    const count = async () => {
      statements += 1;
      return [];
    };
    const manager = { query: count, update: count, connection: { options: { type } } };

    await new SqlBulkJobRepository(manager as unknown as EntityManager, '').retry('blk_1', ITEMS);

    expect(statements).toBe(40);
  });
});
