import type { Replicas, ReplicaState } from '../../application/ports/storage/replicas';
import type { Database } from './database/database';
import { ReplicaTable } from './process-tables';

export class SqlReplicas implements Replicas {
  constructor(private readonly database: Database) {}

  async beat(id: string, dead: readonly ReplicaState[]): Promise<readonly ReplicaState[]> {
    await this.database.transaction(async (manager) => {
      const { affected } = await manager.increment(ReplicaTable, { id }, 'beats', 1);
      if (affected === 0) await manager.insert(ReplicaTable, { id, beats: 1 });
    });
    for (const { id: deadId, beats } of dead)
      await this.database.transaction((manager) => manager.delete(ReplicaTable, { id: deadId, beats }));
    return this.database.query<ReplicaState>('SELECT id, beats FROM replicas WHERE id <> ?', [id]);
  }

  async remove(id: string): Promise<void> {
    await this.database.transaction((manager) => manager.delete(ReplicaTable, { id }));
  }
}
