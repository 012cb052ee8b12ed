import type { EntityManager } from 'typeorm';
import type { UsedTokenReader, UsedTokens } from '../../../application/ports/access/idempotency-and-used-tokens';
import type { Queries } from '../database/database';
import { wasNew } from '../database/database-errors';
import { UsedTokenTable } from './factor-tables';

export class SqlUsedTokenReader implements UsedTokenReader {
  constructor(private readonly database: Queries) {}

  async usedUntil(digests: readonly string[]): Promise<Date | undefined> {
    const [row] = await this.database.query<{ readonly expires_at: number | string | null }>(
      `SELECT MAX(expires_at) AS expires_at FROM used_challenges WHERE digest IN (${digests.map(() => '?').join(', ')})`,
      [...digests],
    );
    return row === undefined || row.expires_at === null ? undefined : new Date(Number(row.expires_at));
  }
}

export class SqlUsedTokens implements UsedTokens {
  constructor(private readonly manager: EntityManager) {}

  async use(digest: string, expiresAt: Date): Promise<boolean> {
    return wasNew(this.manager.insert(UsedTokenTable, { digest, expires_at: expiresAt.getTime() }));
  }

  async useAgain(digest: string, expiresAt: Date): Promise<void> {
    await this.manager.upsert(UsedTokenTable, { digest, expires_at: expiresAt.getTime() }, ['digest']);
  }

  async useLater(digest: string, expiresAt: Date): Promise<Date> {
    const at = expiresAt.getTime();
    const later = () =>
      this.manager.query(
        'UPDATE used_challenges SET expires_at = CASE WHEN expires_at >= ? THEN expires_at + 1 ELSE ? END WHERE digest = ?',
        [at, at, digest],
      );
    await later();
    const row = () => this.manager.findOneBy(UsedTokenTable, { digest });
    const found = await row();
    if (found) return new Date(found.expires_at);
    if (await this.use(digest, expiresAt)) return expiresAt;
    await later();
    return new Date((await row())?.expires_at ?? at);
  }
}
