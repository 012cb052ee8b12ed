import type { EntityManager } from 'typeorm';
import type {
  SavedView,
  SavedViewReader,
  SavedViewRepository,
} from '../../../application/ports/portfolio/portfolio-repositories';
import type { Queries } from '../database/database';
import { insertRows } from '../database/table';
import { SavedViewTable } from './portfolio-tables';

export class SqlSavedViewRepository implements SavedViewRepository {
  constructor(private readonly manager: EntityManager) {}

  async put(accountId: string, { name, query }: SavedView): Promise<void> {
    await this.remove(accountId, name);
    await insertRows(this.manager, SavedViewTable, [{ account_id: accountId, name, query }]);
  }

  async remove(accountId: string, name: string): Promise<void> {
    await this.manager.delete(SavedViewTable, { account_id: accountId, name });
  }

  async count(accountId: string): Promise<number> {
    return this.manager.countBy(SavedViewTable, { account_id: accountId });
  }
}

export class SqlSavedViewReader implements SavedViewReader {
  constructor(private readonly database: Queries) {}

  async ofAccount(accountId: string): Promise<readonly SavedView[]> {
    return this.database.query<SavedView>('SELECT name, query FROM saved_views WHERE account_id = ? ORDER BY name', [
      accountId,
    ]);
  }
}
