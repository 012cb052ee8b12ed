import { IsNull, LessThan, type EntityManager } from 'typeorm';
import type { KnownTsigKey, SecondaryDirectory, TsigKeyFacts } from '../../../application/ports/dns/publishing';
import type { Clock, SecretBox } from '../../../application/ports/system';
import type { Secondary } from '../../../domain/dns/secondaries/secondary';
import { RR_TYPE } from '../../../domain/dns/dnssec/rr-types';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { Database } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { columnsOf, fromMillis, mappingOf, rowOf, stateOf } from '../database/table';
import { SecondaryTable, TsigKeyTable, type SecondaryRow, type TsigKeyRow } from './dns-tables';

const { stateOf: toKeyFacts } = mappingOf(TsigKeyTable, ['name', 'algorithm', 'created_at', 'revoked_at']);

export function purposeOfTsigKey(keyName: string): string {
  return `tsig:${keyName}`;
}

export class SqlSecondaryDirectory implements SecondaryDirectory {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  async keys(): Promise<readonly TsigKeyFacts[]> {
    const rows = await this.database.query<TsigKeyRow>(
      'SELECT name, algorithm, created_at, revoked_at FROM tsig_keys ORDER BY name',
    );
    return rows.map(toKeyFacts);
  }

  async findKey(name: string): Promise<KnownTsigKey | undefined> {
    const inUse =
      'CASE WHEN EXISTS (SELECT 1 FROM secondaries s WHERE s.key_name = k.name) THEN 1 ELSE 0 END AS in_use';
    const sql = `SELECT k.name, k.algorithm, k.sealed_secret, ${inUse} FROM tsig_keys k WHERE k.name = ? AND k.revoked_at IS NULL`;
    const [row] = await this.database.query<TsigKeyRow & { in_use: number }>(sql, [name]);
    if (!row) return undefined;
    const secret = Buffer.from(this.secrets.open(row.sealed_secret, purposeOfTsigKey(row.name)), 'base64');
    return { name: row.name, algorithm: row.algorithm, secret, isInUse: row.in_use === 1 };
  }

  async addKey({ name, algorithm, secret }: TsigKey, now: Date): Promise<void> {
    const sealed = this.secrets.seal(secret.toString('base64'), purposeOfTsigKey(name));
    await this.unlessDuplicate('key', async (manager) => {
      await manager.insert(TsigKeyTable, { name, algorithm, sealed_secret: sealed, created_at: now.getTime() });
    });
  }

  async revokeKey(name: string, now: Date): Promise<void> {
    await this.database.transaction(async (manager) => {
      await mustExist(manager, 'key', 'SELECT 1 FROM tsig_keys WHERE name = ?', name);
      await manager.update(TsigKeyTable, { name, revoked_at: IsNull() }, { revoked_at: now.getTime() });
    });
  }

  async all(): Promise<readonly Secondary[]> {
    const rows = await this.database.query<SecondaryRow>(
      `SELECT ${columnsOf(SecondaryTable)} FROM secondaries ORDER BY name`,
    );
    return rows.map((row) => stateOf(SecondaryTable, row));
  }

  async add(secondary: Secondary): Promise<void> {
    await this.unlessDuplicate('secondary', async (manager) => {
      await mustExist(
        manager,
        'key',
        'SELECT 1 FROM tsig_keys WHERE name = ? AND revoked_at IS NULL',
        secondary.keyName,
      );
      const [signing] = await manager.query<unknown[]>('SELECT 1 FROM secondaries WHERE signs = 1 LIMIT 1');
      await manager.insert(SecondaryTable, rowOf(SecondaryTable, secondary));
      if (secondary.signs && !signing) await this.raiseZones(manager, 1, ' WHERE denial IS NULL');
    });
  }

  async remove(name: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await mustExist(manager, 'secondary', 'SELECT 1 FROM secondaries WHERE name = ?', name);
      const signing = 'SELECT name FROM secondaries WHERE signs = 1 LIMIT 2';
      const before = await manager.query<{ name: string }[]>(signing);
      await manager.delete(SecondaryTable, { name });
      if (before.length === 1 && before[0]?.name === name) await this.raiseZones(manager, 1);
    });
  }

  async caughtUpTo(name: string): Promise<Date> {
    const [row] = await this.database.query<{ caught_up_to: number }>(
      'SELECT caught_up_to FROM secondaries WHERE name = ?',
      [name],
    );
    return fromMillis(row?.caught_up_to ?? 0);
  }

  async keepCaughtUpTo(name: string, time: Date): Promise<void> {
    const millis = time.getTime();
    await this.database.transaction((manager) =>
      manager.update(SecondaryTable, { name, caught_up_to: LessThan(millis) }, { caught_up_to: millis }),
    );
  }

  async raiseVersions(step: number): Promise<void> {
    await this.database.transaction(async (manager) => {
      await this.raiseZones(manager, step);
      // The signature of the SOA record is of another serial now.
      await manager.query('UPDATE derived_rrsets SET refresh_at = 0 WHERE type = ?', [RR_TYPE.SOA]);
      await manager.query('UPDATE dns_catalog SET version = version + ?', [step]);
    });
  }

  async latestChange(): Promise<Date | undefined> {
    const sql = 'SELECT changed_at FROM zones ORDER BY changed_at DESC LIMIT 1';
    const [row] = await this.database.query<{ changed_at: number }>(sql);
    return row && fromMillis(row.changed_at);
  }

  private async raiseZones(manager: EntityManager, step: number, where = ''): Promise<void> {
    await manager.query(`UPDATE zones SET version = version + ?, changed_at = ?${where}`, [
      step,
      this.clock.now().getTime(),
    ]);
  }

  private async unlessDuplicate(path: string, write: (manager: EntityManager) => Promise<void>): Promise<void> {
    try {
      await this.database.transaction(write);
    } catch (error) {
      throw isDuplicate(error) ? new ValidationError([{ path, message: 'exists already' }], { cause: error }) : error;
    }
  }
}

/** @throws ValidationError */
async function mustExist(manager: EntityManager, field: string, sql: string, name: string): Promise<void> {
  const [row] = await manager.query<unknown[]>(sql, [name]);
  if (!row) throw ValidationError.of(field, 'is not known');
}
