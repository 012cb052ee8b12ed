import type { EntityManager } from 'typeorm';
import type {
  ConnectedService,
  ConnectedServiceReader,
  ConnectedServiceRepository,
} from '../../../application/ports/dns/templates-and-domain-connect';
import type { Queries } from '../database/database';
import { columnsOf, insertRows, placeholders, rowOf, stateOf } from '../database/table';
import { ConnectedServiceTable, type ConnectedServiceRow } from './connect-tables';

export class SqlConnectedServiceReader implements ConnectedServiceReader {
  constructor(private readonly database: Queries) {}

  async ofDomain(accountId: string, domainId: string): Promise<readonly ConnectedService[]> {
    const rows = await this.database.query<ConnectedServiceRow>(
      `SELECT ${columnsOf(ConnectedServiceTable)} FROM connected_services WHERE domain_id = ? AND account_id = ? ORDER BY connected_at, id`,
      [domainId, accountId],
    );
    return rows.map((row) => stateOf(ConnectedServiceTable, row));
  }
}

export class SqlConnectedServices extends SqlConnectedServiceReader implements ConnectedServiceRepository {
  constructor(private readonly manager: EntityManager) {
    super({ query: (sql, parameters = []) => manager.query(sql, [...parameters]) });
  }

  async add(service: ConnectedService): Promise<void> {
    await insertRows(this.manager, ConnectedServiceTable, [rowOf(ConnectedServiceTable, service)]);
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.manager.query(`DELETE FROM connected_services WHERE id IN (${placeholders(ids)})`, [...ids]);
  }
}
