import { In, IsNull, type EntityManager } from 'typeorm';
import type {
  ImportReader,
  ImportRepository,
} from '../../../application/ports/registration/imports-and-reconciliation';
import type { ImportCounts, ImportedName, NameImport } from '../../../domain/registrar/name-import';
import type { Queries } from '../database/database';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import { unfinishedInTurns } from '../database/unfinished-in-turns';
import { ImportedNameTable, ImportTable, type ImportedNameRow, type ImportRow } from './registrar-tables';

const COLUMNS = columnsOf(ImportTable);
const NAME_COLUMNS = 'name, state, attempts, reason';
const NAMES_PER_INSERT = 500;

export class SqlImportRepository implements ImportRepository {
  constructor(private readonly manager: EntityManager) {}

  async add(added: NameImport): Promise<void> {
    await insertRows(this.manager, ImportTable, [rowOf(ImportTable, added)]);
  }

  async addNames(id: string, names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += NAMES_PER_INSERT) {
      const some = names.slice(from, from + NAMES_PER_INSERT);
      const known = await this.manager.find(ImportedNameTable, {
        select: { name: true },
        where: { import_id: id, name: In(some) },
      });
      const knownNames = new Set(known.map(({ name }) => name));
      const rows = [...new Set(some)]
        .filter((name) => !knownNames.has(name))
        .map((name): ImportedNameRow => ({ import_id: id, name, state: 'waiting', attempts: 0, reason: null }));
      await insertRows(this.manager, ImportedNameTable, rows);
    }
  }

  async save(changed: NameImport): Promise<void> {
    const { id, ...row } = rowOf(ImportTable, changed);
    await this.manager.update(ImportTable, { id }, row);
  }

  async end(ended: NameImport): Promise<boolean> {
    const { id, ...row } = rowOf(ImportTable, ended);
    const { affected } = await this.manager.update(ImportTable, { id, finished_at: IsNull() }, row);
    return affected === 1;
  }

  async settle(id: string, { name, state, attempts, reason }: ImportedName): Promise<boolean> {
    const waiting = { import_id: id, name, state: 'waiting' } as const;
    const found = await this.manager.findOne(ImportedNameTable, { where: waiting });
    if (!found) return false;
    await this.manager.update(ImportedNameTable, waiting, { state, attempts, reason });
    return true;
  }
}

export class SqlImportReader implements ImportReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, id: string): Promise<NameImport | undefined> {
    const rows = await this.database.query<ImportRow>(
      `SELECT ${COLUMNS} FROM imports WHERE id = ? AND account_id = ?`,
      [id, accountId],
    );
    return rows.map((row) => stateOf(ImportTable, row))[0];
  }

  async latest(accountId: string, limit: number): Promise<readonly NameImport[]> {
    const rows = await this.database.query<ImportRow>(
      `SELECT ${COLUMNS} FROM imports WHERE account_id = ? ORDER BY created_at DESC, id DESC LIMIT ?`,
      [accountId, limit],
    );
    return rows.map((row) => stateOf(ImportTable, row));
  }

  async counts(id: string): Promise<ImportCounts> {
    const rows = await this.database.query<Pick<ImportedNameRow, 'state'> & { readonly amount: number }>(
      'SELECT state, COUNT(*) AS amount FROM import_names WHERE import_id = ? GROUP BY state',
      [id],
    );
    const counts = { waiting: 0, imported: 0, present: 0, failed: 0 };
    for (const { state, amount } of rows) counts[state] = amount;
    return counts;
  }

  async failures(id: string, limit: number): Promise<readonly ImportedName[]> {
    return this.database.query<ImportedName>(
      `SELECT ${NAME_COLUMNS} FROM import_names WHERE import_id = ? AND state = 'failed' ORDER BY name LIMIT ?`,
      [id, limit],
    );
  }

  async waiting(id: string, limit: number): Promise<readonly ImportedName[]> {
    return this.database.query<ImportedName>(
      `SELECT ${NAME_COLUMNS} FROM import_names WHERE import_id = ? AND state = 'waiting' ORDER BY attempts, name LIMIT ?`,
      [id, limit],
    );
  }

  async unfinished(limit: number): Promise<readonly NameImport[]> {
    const sql = unfinishedInTurns('imports', COLUMNS, 'account_id, registry');
    return (await this.database.query<ImportRow>(sql, [limit])).map((row) => stateOf(ImportTable, row));
  }
}
