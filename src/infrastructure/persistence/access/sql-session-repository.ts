import { In, Not, type EntityManager } from 'typeorm';
import type { SessionReader, SessionRepository, StoredSession } from '../../../application/ports/access/users';
import type { Queries } from '../database/database';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { SessionTable, UserTable, type SessionRow } from './access-tables';
import { idsOfPerson } from './sql-user-repository';

const COLUMNS = columnsOf(SessionTable);

export class SqlSessionReader implements SessionReader {
  constructor(private readonly database: Queries) {}

  async find(digest: string): Promise<StoredSession | undefined> {
    const [row] = await this.database.query<SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE digest = ?`, [digest]);
    return row && stateOf(SessionTable, row);
  }

  async ofUser(userId: string): Promise<readonly StoredSession[]> {
    const ids = await idsOfPerson((sql, parameters) => this.database.query(sql, parameters), userId);
    if (ids.length === 0) return [];
    const rows = await this.database.query<SessionRow>(
      `SELECT ${COLUMNS} FROM sessions WHERE user_id IN (${ids.map(() => '?').join(', ')}) ORDER BY last_seen_at DESC, id`,
      ids,
    );
    return rows.map((row) => stateOf(SessionTable, row));
  }

  async containing(text: string): Promise<readonly StoredSession[]> {
    const sql = `SELECT ${COLUMNS} FROM sessions WHERE data LIKE ? ORDER BY id`;
    return (await this.database.query<SessionRow>(sql, [`%${text}%`])).map((row) => stateOf(SessionTable, row));
  }
}

export class SqlSessionRepository implements SessionRepository {
  constructor(private readonly manager: EntityManager) {}

  async add(session: StoredSession): Promise<void> {
    await this.manager.insert(SessionTable, rowOf(SessionTable, session));
    await this.enter(session.userId, session.createdAt);
  }

  async saveData(digest: string, data: string): Promise<void> {
    await this.manager.update(SessionTable, { digest }, { data });
  }

  async recordSeen(digest: string, at: Date): Promise<void> {
    await this.manager.update(SessionTable, { digest }, { last_seen_at: at.getTime() });
  }

  async recordAuthentication(digest: string, at: Date): Promise<void> {
    await this.manager.update(SessionTable, { digest }, { authenticated_at: at.getTime() });
  }

  async recordSecondFactor(digest: string, at: Date): Promise<void> {
    await this.manager.update(SessionTable, { digest }, { second_factor_at: at.getTime() });
  }

  async moveTo(digest: string, userId: string, at: Date): Promise<void> {
    await this.manager.update(SessionTable, { digest }, { user_id: userId });
    await this.enter(userId, at);
  }

  private async enter(userId: string, at: Date): Promise<void> {
    await this.manager.update(UserTable, { id: userId }, { entered_at: at.getTime() });
  }

  async end(digest: string): Promise<void> {
    await this.manager.delete(SessionTable, { digest });
  }

  async endOne(userId: string, id: string): Promise<boolean> {
    const row = await this.manager.findOneBy(SessionTable, { id, user_id: In(await this.idsOfPerson(userId)) });
    if (row) await this.end(row.digest);
    return row !== null;
  }

  async endOthers(userId: string, digest = ''): Promise<void> {
    await this.manager.delete(SessionTable, { user_id: In(await this.idsOfPerson(userId)), digest: Not(digest) });
  }

  async endAt(userId: string): Promise<void> {
    await this.manager.delete(SessionTable, { user_id: userId });
  }

  private async idsOfPerson(userId: string): Promise<string[]> {
    return [...(await idsOfPerson((sql, parameters) => this.manager.query(sql, [...parameters]), userId))];
  }
}
