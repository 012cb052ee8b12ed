import type { Leases, LeaseState } from '../../application/ports/storage/replicas';
import type { Database } from './database/database';
import { isDuplicate } from './database/database-errors';
import { LeaseTable } from './process-tables';

const LEASE = 'SELECT owner, beats FROM leases WHERE name = ?';
const RELEASED = '';

export class SqlLeases implements Leases {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<LeaseState | undefined> {
    return (await this.database.query<LeaseState>(LEASE, [name]))[0];
  }

  async hold(name: string, owner: string, stopped?: LeaseState): Promise<LeaseState> {
    try {
      return await this.database.transaction(async (manager) => {
        const [lease] = await manager.query<LeaseState[]>(`${LEASE}${this.database.forUpdate}`, [name]);
        if (lease && !isFree(lease, owner, stopped)) return lease;
        const beats = (lease?.beats ?? 0) + 1;
        if (lease) await manager.update(LeaseTable, { name }, { owner, beats });
        else await manager.insert(LeaseTable, { name, owner, beats });
        return { owner, beats };
      });
    } catch (error) {
      const lease = isDuplicate(error) ? await this.find(name) : undefined;
      if (lease) return lease;
      throw error;
    }
  }

  async confirm(name: string, owner: string): Promise<boolean> {
    const { affected } = await this.database.transaction((manager) =>
      manager.increment(LeaseTable, { name, owner }, 'beats', 1),
    );
    return affected === 1;
  }

  async release(name: string, owner: string): Promise<void> {
    await this.database.transaction((manager) => manager.update(LeaseTable, { name, owner }, { owner: RELEASED }));
  }
}

function isFree(lease: LeaseState, owner: string, stopped: LeaseState | undefined): boolean {
  return (
    lease.owner === owner ||
    lease.owner === RELEASED ||
    (lease.owner === stopped?.owner && lease.beats === stopped.beats)
  );
}
