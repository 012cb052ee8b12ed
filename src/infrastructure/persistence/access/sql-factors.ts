import type { EntityManager } from 'typeorm';
import type {
  FactorReader,
  FactorRepository,
  Factors,
  Totp,
} from '../../../application/ports/access/factor-repository';
import type { Queries } from '../database/database';
import { columnsOf, fromMillis } from '../database/table';
import { RecoveryCodeTable, TotpTable, type TotpRow } from './factor-tables';

const TOTP = `SELECT ${columnsOf(TotpTable)} FROM totp_secrets WHERE user_id = ?`;
const CODES = 'SELECT COUNT(*) AS codes FROM recovery_codes WHERE user_id = ?';

type Query = <T>(sql: string, parameters: readonly unknown[]) => Promise<readonly T[]>;

async function factorsOf(query: Query, userId: string): Promise<Factors> {
  const [row] = await query<TotpRow>(TOTP, [userId]);
  const [counted] = await query<{ codes: number | string }>(CODES, [userId]);
  return { totp: row && toTotp(row), recoveryCodes: Number(counted?.codes ?? 0) };
}

function toTotp(row: TotpRow): Totp {
  return {
    userId: row.user_id,
    sealedSecret: row.sealed_secret,
    lastStep: row.last_step,
    createdAt: fromMillis(row.created_at),
  };
}

export class SqlFactorReader implements FactorReader {
  constructor(private readonly database: Queries) {}

  ofUser(userId: string): Promise<Factors> {
    return factorsOf((sql, parameters) => this.database.query(sql, [...parameters]), userId);
  }
}

export class TypeOrmFactorRepository implements FactorRepository {
  constructor(private readonly manager: EntityManager) {}

  ofUser(userId: string): Promise<Factors> {
    return factorsOf((sql, parameters) => this.manager.query(sql, [...parameters]), userId);
  }

  async saveTotp({ userId, sealedSecret, lastStep, createdAt }: Totp): Promise<void> {
    await this.removeTotp(userId);
    await this.manager.insert(TotpTable, {
      user_id: userId,
      sealed_secret: sealedSecret,
      last_step: lastStep,
      created_at: createdAt.getTime(),
    });
  }

  async removeTotp(userId: string): Promise<void> {
    await this.manager.delete(TotpTable, { user_id: userId });
  }

  async replaceRecoveryCodes(userId: string, digests: readonly string[]): Promise<void> {
    await this.manager.delete(RecoveryCodeTable, { user_id: userId });
    for (const digest of digests) await this.manager.insert(RecoveryCodeTable, { digest, user_id: userId });
  }

  async takeRecoveryCode(userId: string, digest: string): Promise<boolean> {
    const row = await this.manager.findOneBy(RecoveryCodeTable, { digest, user_id: userId });
    if (row) await this.manager.delete(RecoveryCodeTable, { digest });
    return row !== null;
  }

  async removeAll(userId: string): Promise<void> {
    await this.removeTotp(userId);
    await this.manager.delete(RecoveryCodeTable, { user_id: userId });
  }
}
