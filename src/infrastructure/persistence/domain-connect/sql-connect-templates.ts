import type { EntityManager } from 'typeorm';
import type {
  ConnectTemplateReader,
  ConnectTemplateRepository,
  ListedConnectTemplate,
  StoredConnectTemplate,
} from '../../../application/ports/dns/templates-and-domain-connect';
import type { Queries } from '../database/database';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import {
  ConnectProviderTable,
  ConnectTemplateTable,
  type ConnectProviderRow,
  type ConnectTemplateRow,
} from './connect-tables';

/** A template may be 100 KB long. */
const LISTED = `${columnsOf(ConnectTemplateTable, { except: ['template'] })}, '' AS template`;

export class SqlConnectTemplateReader implements ConnectTemplateReader {
  constructor(private readonly database: Queries) {}

  async find(providerId: string, serviceId: string): Promise<StoredConnectTemplate | undefined> {
    const [row] = await this.database.query<ConnectTemplateRow>(
      'SELECT * FROM connect_templates WHERE provider_id = ? AND service_id = ?',
      [providerId, serviceId],
    );
    return row && stateOf(ConnectTemplateTable, row);
  }

  async all(): Promise<readonly ListedConnectTemplate[]> {
    const sql = `SELECT ${LISTED} FROM connect_templates ORDER BY provider_id, service_id`;
    const rows = await this.database.query<ConnectTemplateRow>(sql, []);
    return rows.map((row) => stateOf(ConnectTemplateTable, row));
  }

  async choice(providerId: string): Promise<boolean | undefined> {
    const [row] = await this.database.query<ConnectProviderRow>(
      'SELECT * FROM connect_providers WHERE provider_id = ?',
      [providerId],
    );
    return row && stateOf(ConnectProviderTable, row).isOn;
  }

  async choices(): Promise<ReadonlyMap<string, boolean>> {
    const rows = await this.database.query<ConnectProviderRow>('SELECT * FROM connect_providers', []);
    return new Map(
      rows.map((row) => stateOf(ConnectProviderTable, row)).map(({ providerId, isOn }) => [providerId, isOn]),
    );
  }
}

export class SqlConnectTemplates implements ConnectTemplateRepository {
  constructor(private readonly manager: EntityManager) {}

  async put(templates: readonly StoredConnectTemplate[]): Promise<void> {
    for (const template of templates) {
      const { providerId, serviceId } = template;
      await this.manager.delete(ConnectTemplateTable, { provider_id: providerId, service_id: serviceId });
      await insertRows(this.manager, ConnectTemplateTable, [rowOf(ConnectTemplateTable, template)]);
    }
  }

  async choose(providerId: string, isOn: boolean, changedAt: Date): Promise<void> {
    await this.manager.delete(ConnectProviderTable, { provider_id: providerId });
    await insertRows(this.manager, ConnectProviderTable, [
      rowOf(ConnectProviderTable, { providerId, isOn, changedAt }),
    ]);
  }
}
