import type { EntityManager } from 'typeorm';
import type {
  SessionReader,
  SessionRepository,
  StoredSession,
} from '../../../application/ports/access/session-repository';
import type { Queries } from '../database/database';
import { fromMillis, fromNullableMillis } from '../row-times';
import type { SessionRow } from './access-tables';

const COLUMNS = 'digest, id, user_id, client_address, user_agent, data, created_at, last_seen_at, authenticated_at';

function toSession(row: SessionRow): StoredSession {
  return {
    digest: row.digest,
    id: row.id,
    userId: row.user_id,
    clientAddress: row.client_address,
    userAgent: row.user_agent,
    data: row.data,
    createdAt: fromMillis(row.created_at),
    lastSeenAt: fromMillis(row.last_seen_at),
    authenticatedAt: fromNullableMillis(row.authenticated_at),
  };
}

export class TypeOrmSessionReader implements SessionReader {
  constructor(private readonly database: Queries) {}

  async find(digest: string): Promise<StoredSession | undefined> {
    const [row] = await this.database.query<SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE digest = ?`, [digest]);
    return row && toSession(row);
  }

  async ofUser(userId: string): Promise<readonly StoredSession[]> {
    const rows = await this.database.query<SessionRow>(
      `SELECT ${COLUMNS} FROM sessions WHERE user_id = ? ORDER BY last_seen_at DESC, id`,
      [userId],
    );
    return rows.map(toSession);
  }
}

export class TypeOrmSessionRepository implements SessionRepository {
  constructor(private readonly manager: EntityManager) {}

  async add(session: StoredSession): Promise<void> {
    const { digest, id, userId, clientAddress, userAgent, data, createdAt, lastSeenAt, authenticatedAt } = session;
    const sql = `INSERT INTO sessions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    await this.manager.query(sql, [
      digest,
      id,
      userId,
      clientAddress,
      userAgent,
      data,
      createdAt.getTime(),
      lastSeenAt.getTime(),
      authenticatedAt?.getTime() ?? null,
    ]);
  }

  async saveData(digest: string, data: string): Promise<void> {
    await this.manager.query('UPDATE sessions SET data = ? WHERE digest = ?', [data, digest]);
  }

  async seen(digest: string, at: Date): Promise<void> {
    await this.manager.query('UPDATE sessions SET last_seen_at = ? WHERE digest = ?', [at.getTime(), digest]);
  }

  async authenticated(digest: string, at: Date): Promise<void> {
    await this.manager.query('UPDATE sessions SET authenticated_at = ? WHERE digest = ?', [at.getTime(), digest]);
  }

  async end(digest: string): Promise<void> {
    await this.manager.query('DELETE FROM sessions WHERE digest = ?', [digest]);
  }

  async endOf(userId: string, id: string): Promise<boolean> {
    const [row] = await this.manager.query<{ digest: string }[]>(
      'SELECT digest FROM sessions WHERE id = ? AND user_id = ?',
      [id, userId],
    );
    if (row) await this.end(row.digest);
    return row !== undefined;
  }

  async endOthers(userId: string, digest = ''): Promise<void> {
    await this.manager.query('DELETE FROM sessions WHERE user_id = ? AND digest <> ?', [userId, digest]);
  }
}
