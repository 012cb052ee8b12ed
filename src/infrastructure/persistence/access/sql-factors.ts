import type { EntityManager } from 'typeorm';
import type { FactorReader, FactorRepository, Factors, Totp } from '../../../application/ports/access/authentication';
import type { Queries } from '../database/database';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { wasNew } from '../database/database-errors';
import { passkeyDigest, type Passkey } from '../../../domain/access/factors/passkey';
import { PasskeyTable, RecoveryCodeTable, TotpTable, type PasskeyRow, type TotpRow } from './factor-tables';

const TOTP = `SELECT ${columnsOf(TotpTable)} FROM totp_secrets WHERE user_id = ?`;
const PASSKEYS = `SELECT ${columnsOf(PasskeyTable)} FROM passkeys`;
const CODES = 'SELECT COUNT(*) AS codes FROM recovery_codes WHERE user_id = ?';

type Query = <T>(sql: string, parameters: readonly unknown[]) => Promise<readonly T[]>;

async function factorsOf(query: Query, userId: string): Promise<Factors> {
  const [row] = await query<TotpRow>(TOTP, [userId]);
  const [counted] = await query<{ codes: number | string }>(CODES, [userId]);
  const passkeys = await query<PasskeyRow>(`${PASSKEYS} WHERE user_id = ? ORDER BY created_at, digest`, [userId]);
  return {
    totp: row && stateOf(TotpTable, row),
    passkeys: passkeys.map((passkey) => stateOf(PasskeyTable, passkey)),
    recoveryCodes: Number(counted?.codes ?? 0),
  };
}

export class SqlFactorReader implements FactorReader {
  constructor(private readonly database: Queries) {}

  ofUser(userId: string): Promise<Factors> {
    return factorsOf((sql, parameters) => this.database.query(sql, [...parameters]), userId);
  }

  async passkey(id: string): Promise<Passkey | undefined> {
    const [row] = await this.database.query<PasskeyRow>(`${PASSKEYS} WHERE digest = ?`, [passkeyDigest(id)]);
    return row && stateOf(PasskeyTable, row);
  }
}

export class SqlFactorRepository implements FactorRepository {
  constructor(private readonly manager: EntityManager) {}

  ofUser(userId: string): Promise<Factors> {
    return factorsOf((sql, parameters) => this.manager.query(sql, [...parameters]), userId);
  }

  async saveTotp(totp: Totp): Promise<void> {
    await this.removeTotp(totp.userId);
    await this.manager.insert(TotpTable, rowOf(TotpTable, totp));
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

  async addPasskey(passkey: Passkey): Promise<boolean> {
    return wasNew(
      this.manager.insert(PasskeyTable, rowOf(PasskeyTable, passkey, { digest: passkeyDigest(passkey.id) })),
    );
  }

  async recordPasskeyUse({ id, counter: former }: Passkey, counter: number, at: Date): Promise<boolean> {
    const digest = passkeyDigest(id);
    const row = await this.manager.findOneBy(PasskeyTable, { digest });
    if (row?.counter !== former) return false;
    await this.manager.update(PasskeyTable, { digest }, { counter, last_used_at: at.getTime() });
    return true;
  }

  async removePasskey(userId: string, id: string): Promise<boolean> {
    const row = await this.manager.findOneBy(PasskeyTable, { digest: passkeyDigest(id), user_id: userId });
    if (row) await this.manager.delete(PasskeyTable, { digest: row.digest });
    return row !== null;
  }

  async removeAll(userId: string): Promise<void> {
    await this.removeTotp(userId);
    await this.manager.delete(PasskeyTable, { user_id: userId });
    await this.manager.delete(RecoveryCodeTable, { user_id: userId });
  }
}
