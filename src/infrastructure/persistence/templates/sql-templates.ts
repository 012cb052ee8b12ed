import type { EntityManager } from 'typeorm';
import type { TemplateReader, TemplateRepository } from '../../../application/ports/dns/templates-and-domain-connect';
import type { AccountTemplate } from '../../../domain/dns/templates/record-template';
import type { Queries } from '../database/database';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { RecordTemplateTable, type RecordTemplateRow } from './template-tables';

const COLUMNS = columnsOf(RecordTemplateTable);

export class SqlTemplateReader implements TemplateReader {
  constructor(private readonly database: Queries) {}

  async ofAccount(accountId: string): Promise<readonly AccountTemplate[]> {
    const rows = await this.database.query<RecordTemplateRow>(
      `SELECT ${COLUMNS} FROM record_templates WHERE account_id = ? ORDER BY name, id`,
      [accountId],
    );
    return rows.map((row) => stateOf(RecordTemplateTable, row));
  }

  async find(accountId: string, id: string): Promise<AccountTemplate | undefined> {
    const [row] = await this.database.query<RecordTemplateRow>(
      `SELECT ${COLUMNS} FROM record_templates WHERE id = ? AND account_id = ?`,
      [id, accountId],
    );
    return row && stateOf(RecordTemplateTable, row);
  }
}

export class SqlTemplateRepository implements TemplateRepository {
  constructor(private readonly manager: EntityManager) {}

  async find(accountId: string, id: string): Promise<AccountTemplate | undefined> {
    const row = await this.manager.findOneBy(RecordTemplateTable, { id, account_id: accountId });
    return row ? stateOf(RecordTemplateTable, row) : undefined;
  }

  async count(accountId: string): Promise<number> {
    return this.manager.countBy(RecordTemplateTable, { account_id: accountId });
  }

  async add(template: AccountTemplate): Promise<void> {
    await this.manager.insert(RecordTemplateTable, rowOf(RecordTemplateTable, template));
  }

  async save(template: AccountTemplate): Promise<void> {
    const { id, ...row } = rowOf(RecordTemplateTable, template);
    await this.manager.update(RecordTemplateTable, { id }, row);
  }

  async remove(id: string): Promise<void> {
    await this.manager.delete(RecordTemplateTable, { id });
  }
}
