import type { Leases } from '../../application/ports/storage/leases';
import type { Database } from './database/database';
import { isDuplicate } from './database/database-errors';

interface LeaseRow {
  readonly owner: string;
  readonly held_until: number;
}

export class TypeOrmLeases implements Leases {
  constructor(private readonly database: Database) {}

  async hold(name: string, owner: string, now: Date, ms: number): Promise<boolean> {
    try {
      return await this.database.transaction(async (manager) => {
        const [row] = await manager.query<LeaseRow[]>(`SELECT owner, held_until FROM leases WHERE name = ?${this.database.forUpdate}`, [name]);
        if (row && row.owner !== owner && row.held_until > now.getTime()) return false;
        const sql = row ? 'UPDATE leases SET owner = ?, held_until = ? WHERE name = ?' : 'INSERT INTO leases (owner, held_until, name) VALUES (?, ?, ?)';
        await manager.query(sql, [owner, now.getTime() + ms, name]);
        return true;
      });
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  async release(name: string, owner: string): Promise<void> {
    await this.database.transaction((manager) => manager.query('UPDATE leases SET held_until = 0 WHERE name = ? AND owner = ?', [name, owner]));
  }
}
