import type { EntityManager } from 'typeorm';
import type { IdentityReader, IdentityRepository } from '../../../application/ports/access/users';
import { identityId, type Identity } from '../../../domain/access/people/identity';
import type { Queries } from '../database/database';
import { wasNew } from '../database/database-errors';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { IdentityTable, type IdentityRow } from './factor-tables';

const SELECT = `SELECT ${columnsOf(IdentityTable)} FROM identities`;

export class SqlIdentityReader implements IdentityReader {
  constructor(private readonly database: Queries) {}

  async find(id: string): Promise<Identity | undefined> {
    const [row] = await this.database.query<IdentityRow>(`${SELECT} WHERE digest = ?`, [id]);
    return row && stateOf(IdentityTable, row);
  }

  async ofPersons(personIds: readonly string[]): Promise<readonly Identity[]> {
    if (personIds.length === 0) return [];
    const places = personIds.map(() => '?').join(', ');
    const sql = `${SELECT} WHERE person_id IN (${places}) ORDER BY created_at, digest`;
    return (await this.database.query<IdentityRow>(sql, [...personIds])).map((row) => stateOf(IdentityTable, row));
  }
}

export class SqlIdentityRepository implements IdentityRepository {
  constructor(private readonly manager: EntityManager) {}

  async ofPerson(personId: string): Promise<readonly Identity[]> {
    const sql = `${SELECT} WHERE person_id = ? ORDER BY created_at, digest`;
    return (await this.manager.query<IdentityRow[]>(sql, [personId])).map((row) => stateOf(IdentityTable, row));
  }

  async add(identity: Identity): Promise<boolean> {
    return wasNew(this.manager.insert(IdentityTable, rowOf(IdentityTable, identity, { digest: identityId(identity) })));
  }

  async recordUse(id: string, at: Date): Promise<void> {
    await this.manager.update(IdentityTable, { digest: id }, { last_used_at: at.getTime() });
  }

  async remove(personId: string, id: string): Promise<boolean> {
    const row = await this.manager.findOneBy(IdentityTable, { digest: id, person_id: personId });
    if (row) await this.manager.delete(IdentityTable, { digest: id });
    return row !== null;
  }

  async removeAll(personId: string): Promise<void> {
    await this.manager.delete(IdentityTable, { person_id: personId });
  }
}
