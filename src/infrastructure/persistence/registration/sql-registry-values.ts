import type { StoredValues } from '../../registry/registry-adapter';
import type { Database } from '../database/database';
import { RegistryValueTable } from './registrar-tables';

/** Sorts after every character of a key. */
const AFTER_ASCII = '\u007f';

/** The stored values of one registry's adapter. */
export class SqlRegistryValues implements StoredValues {
  constructor(
    private readonly database: Database,
    private readonly registry: string,
  ) {}

  async get(name: string): Promise<string | undefined> {
    const sql = 'SELECT content FROM registry_values WHERE registry = ? AND name = ?';
    const [row] = await this.database.query<{ content: string }>(sql, [this.registry, name]);
    return row?.content;
  }

  async put(name: string, content: string): Promise<void> {
    const row = { registry: this.registry, name, content };
    await this.database.transaction((manager) => manager.upsert(RegistryValueTable, row, ['registry', 'name']));
  }

  async remove(name: string): Promise<void> {
    const row = { registry: this.registry, name };
    await this.database.transaction((manager) => manager.delete(RegistryValueTable, row));
  }

  async list(prefix: string, limit: number): Promise<readonly string[]> {
    const sql =
      'SELECT content FROM registry_values WHERE registry = ? AND name >= ? AND name < ? ORDER BY name LIMIT ?';
    const values = [this.registry, prefix, `${prefix}${AFTER_ASCII}`, limit];
    return (await this.database.query<{ content: string }>(sql, values)).map(({ content }) => content);
  }
}
