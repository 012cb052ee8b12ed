import type { AuditSearch } from '../../../src/application/ports/access/audit-and-events';
import type { ListPosition } from '../../../src/application/ports/storage/page';
import { SqlAuditReader } from '../../../src/infrastructure/persistence/access/sql-audit-log';
import { onEachDatabase } from '../../support/databases/each-database';

const ENTRIES = 300;
const COMPARED = 50;

onEachDatabase('a search of the activity', (database) => {
  beforeAll(async () => {
    const rows = Array.from({ length: ENTRIES }, (_, index) => [
      `e${String(index).padStart(5, '0')}`,
      index,
      index % 100 === 7 ? 'operator' : 'service',
      index % 3 === 0 ? 'records.removed' : 'records.added',
      index % 5 === 0 ? '*' : 'A',
      `{"records":["@ 3600 ${index % 20 === 0 ? 'MX 10 mx1.example.net.' : 'A 192.0.2.1'}"]}`,
    ]);
    await database().transaction((manager) =>
      manager.query(
        `INSERT INTO audit_log (id, account_id, happened_at, actor, action, record_type, facts_after, facts_before, retained_from) VALUES ${rows.map(() => "(?, 'acc_1', ?, ?, ?, ?, ?, '{}', 0)").join(', ')}`,
        rows.flat(),
      ),
    );
  });

  it.each<[string, AuditSearch, number]>([
    ['actions of an actor', { actions: ['records.added', 'records.removed'], actor: 'operator' }, 3],
    ['a type that only changes of several types have', { recordType: 'MX' }, 15],
    ['nothing', { recordType: 'MX', actor: 'operator' }, 0],
  ])('compares so many entries in one call, and goes on after them without a gap: %s', async (_what, search, count) => {
    const [reader, whole] = [new SqlAuditReader(database(), COMPARED), new SqlAuditReader(database())];
    const found: string[] = [];
    let calls = 0;
    let position: ListPosition | undefined;
    do {
      const { entries, searchedTo } = await reader.search('acc_1', search, 10, position);
      found.push(...entries.map(({ id }) => id));
      position = searchedTo;
      calls += 1;
    } while (position);

    expect(found).toEqual((await whole.search('acc_1', search, ENTRIES)).entries.map(({ id }) => id));
    expect(found).toHaveLength(count);
    expect(calls).toBeGreaterThan(1);
  });
});
