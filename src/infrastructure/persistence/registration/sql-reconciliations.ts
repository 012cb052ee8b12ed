import type { EntityManager } from 'typeorm';
import type {
  FoundDifference,
  ReconciliationReader,
  ReconciliationRepository,
} from '../../../application/ports/registration/imports-and-reconciliation';
import type { Difference, Reconciliation } from '../../../domain/registrar/reconciliation';
import type { Queries } from '../database/database';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import { DifferenceTable, ReconciliationTable, type DifferenceRow, type ReconciliationRow } from './registrar-tables';

const COLUMNS = columnsOf(ReconciliationTable);
const DIFFERENCE_COLUMNS = columnsOf(DifferenceTable);
const ROWS_PER_INSERT = 100;

export class SqlReconciliationRepository implements ReconciliationRepository {
  constructor(private readonly manager: EntityManager) {}

  async replace(reconciliation: Reconciliation, differences: readonly Difference[]): Promise<readonly Difference[]> {
    const { registry } = reconciliation;
    const before = await this.manager.find(DifferenceTable, {
      select: { name: true, kind: true },
      where: { registry },
    });
    const known = new Set(before.map(identityOf));
    await this.manager.delete(DifferenceTable, { registry });
    await this.manager.delete(ReconciliationTable, { registry });
    await insertRows(this.manager, ReconciliationTable, [rowOf(ReconciliationTable, reconciliation)]);
    for (let from = 0; from < differences.length; from += ROWS_PER_INSERT)
      await insertRows(
        this.manager,
        DifferenceTable,
        differences.slice(from, from + ROWS_PER_INSERT).map((each) => rowOf(DifferenceTable, { registry, ...each })),
      );
    return differences.filter((each) => !known.has(identityOf(each)));
  }
}

export class SqlReconciliationReader implements ReconciliationReader {
  constructor(private readonly database: Queries) {}

  async latest(): Promise<readonly Reconciliation[]> {
    const rows = await this.database.query<ReconciliationRow>(
      `SELECT ${COLUMNS} FROM reconciliations ORDER BY registry`,
    );
    return rows.map((row) => stateOf(ReconciliationTable, row));
  }

  async differences(
    accountId: string,
    registries: readonly string[],
    limit: number,
  ): Promise<readonly FoundDifference[]> {
    const missing =
      registries.length === 0
        ? ''
        : ` OR (account_id IS NULL AND registry IN (${registries.map(() => '?').join(', ')}))`;
    const rows = await this.database.query<DifferenceRow>(
      `SELECT ${DIFFERENCE_COLUMNS} FROM registry_differences WHERE account_id = ?${missing} ORDER BY name, kind LIMIT ?`,
      [accountId, ...registries, limit],
    );
    return rows.map((row) => stateOf(DifferenceTable, row));
  }
}

function identityOf({ name, kind }: Pick<Difference, 'name' | 'kind'>): string {
  return `${kind} ${name}`;
}
