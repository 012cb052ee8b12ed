import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type {
  AccountReader,
  AccountRepository,
  ApiKeyFilter,
  ApiKeyReader,
  ApiKeyRepository,
} from '../../../application/ports/access/accounts-and-api-keys';
import { waitForNextSlice, runCooperatively } from '../../../application/shared/run-cooperatively';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { Account } from '../../../domain/access/account';
import type { Actor } from '../../../domain/access/actor';
import type { ApprovalRule } from '../../../domain/access/approvals/approval-rule';
import { ApiKey } from '../../../domain/access/api-key';
import { keysCreatedBy } from '../../../domain/access/created-keys';
import type { Queries } from '../database/database';
import { columnsOf, placeholders, rowOf, stateOf } from '../database/table';
import { AccountTable, ApiKeyTable, type AccountRow, type ApiKeyRow } from './access-tables';

const ACCOUNT_COLUMNS = columnsOf(AccountTable, { except: ['access_version'] });
const KEY_COLUMNS = columnsOf(ApiKeyTable);
const KEYS_PER_READ = 500;

/** When a key with `unused_after` expires for lack of use, in SQL; NULL for other keys. */
export const UNUSED_AT = "COALESCE(last_used_at, created_at) + 86400000 * JSON_EXTRACT(limits, '$.unusedAfterDays')";
const ACTIVE = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) AND COALESCE(${UNUSED_AT} > ?, 1)`;
const INACTIVE = `(revoked_at IS NOT NULL OR expires_at <= ? OR ${UNUSED_AT} <= ?)`;

function toApiKey(row: ApiKeyRow): ApiKey {
  return ApiKey.fromState(stateOf(ApiKeyTable, row));
}

export class SqlAccountReader implements AccountReader {
  constructor(private readonly database: Queries) {}

  async find(id: string): Promise<Account | undefined> {
    const [row] = await this.database.query<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = ?`, [id]);
    return row && stateOf(AccountTable, row);
  }

  async all(): Promise<readonly Account[]> {
    return (
      await this.database.query<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts ORDER BY created_at, id`)
    ).map((row) => stateOf(AccountTable, row));
  }
}

export class SqlAccountRepository implements AccountRepository {
  constructor(private readonly manager: EntityManager) {}

  async add(account: Account): Promise<void> {
    await this.manager.insert(AccountTable, rowOf(AccountTable, account));
  }

  async save(account: Account): Promise<void> {
    const { id, ...row } = rowOf(AccountTable, account);
    await this.manager.update(AccountTable, { id }, row);
  }

  async lock(id: string): Promise<Account | undefined> {
    await this.manager.increment(AccountTable, { id }, 'access_version', 1);
    const row = await this.manager.findOneBy(AccountTable, { id });
    return row ? stateOf(AccountTable, row) : undefined;
  }
}

const EXPIRING = `(expires_at > ? AND expires_at <= ?) OR (${UNUSED_AT} > ? AND ${UNUSED_AT} <= ?)`;

/** Oldest first. In parts, because revoked keys are kept for years and SQLite reads in this thread. */
async function keysOfAccount(queries: Queries, accountId: string): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  const sql = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE account_id = ? AND created_at >= ? AND (created_at > ? OR key_id > ?) ORDER BY created_at, key_id LIMIT ${KEYS_PER_READ}`;
  for (let last: ApiKeyRow | undefined; ;) {
    const from = last?.created_at ?? 0;
    const rows = await queries.query<ApiKeyRow>(sql, [accountId, from, from, last?.key_id ?? '']);
    for (const row of rows) keys.push(toApiKey(row));
    last = rows.at(-1);
    if (rows.length < KEYS_PER_READ) return keys;
    await waitForNextSlice(accountId);
  }
}

type FoundKey = ApiKeyRow & { readonly approval_rules: string | null };

export class SqlApiKeyReader implements ApiKeyReader {
  private readonly lookUps = new Map<string, Promise<FoundKey | undefined>>();

  constructor(private readonly database: Queries) {}

  async find(keyId: string): Promise<ApiKey | undefined> {
    const row = await (this.lookUps.get(keyId) ?? this.lookUp(keyId));
    if (!row) return undefined;
    const { approval_rules: rules, ...key } = row;
    const state = stateOf(ApiKeyTable, key);
    return ApiKey.fromState(
      rules === null ? state : { ...state, approvalRules: JSON.parse(rules) as readonly ApprovalRule[] },
    );
  }

  /** Requests of one event-loop iteration share a query. It starts after all of them have arrived, so that none gets older data. */
  private lookUp(keyId: string): Promise<FoundKey | undefined> {
    const found = endOfTurn().then(async () => {
      this.lookUps.delete(keyId);
      const [row] = await this.database.query<FoundKey>(
        `SELECT ${KEY_COLUMNS}, (SELECT approval_rules FROM accounts WHERE id = account_id) AS approval_rules FROM api_keys WHERE key_id = ?`,
        [keyId],
      );
      return row;
    });
    this.lookUps.set(keyId, found);
    return found;
  }

  ofAccount(accountId: string): Promise<readonly ApiKey[]> {
    return keysOfAccount(this.database, accountId);
  }

  async page(
    accountId: string,
    { activeAt, inactiveAt }: ApiKeyFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly ApiKey[]> {
    const conditions: (readonly [sql: string, ...parameters: unknown[]])[] = [['account_id = ?', accountId]];
    if (activeAt) conditions.push([ACTIVE, activeAt.getTime(), activeAt.getTime()]);
    if (inactiveAt) conditions.push([INACTIVE, inactiveAt.getTime(), inactiveAt.getTime()]);
    if (after)
      conditions.push([
        'created_at <= ? AND (created_at < ? OR key_id < ?)',
        after.createdAt.getTime(),
        after.createdAt.getTime(),
        after.id,
      ]);
    const sql = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE ${conditions.map(([condition]) => condition).join(' AND ')} ORDER BY created_at DESC, key_id DESC LIMIT ?`;
    const parameters = conditions.flatMap(([, ...values]) => values);
    return (await this.database.query<ApiKeyRow>(sql, [...parameters, limit])).map(toApiKey);
  }

  async *expiring(after: Date, until: Date): AsyncIterable<readonly ApiKey[]> {
    const span = [after.getTime(), until.getTime()];
    for (let last = ''; ;) {
      const [end] = await this.database.query<Pick<ApiKeyRow, 'key_id'>>(
        `SELECT key_id FROM api_keys WHERE key_id > ? ORDER BY key_id LIMIT 1 OFFSET ${KEYS_PER_READ - 1}`,
        [last],
      );
      const rows = await this.database.query<ApiKeyRow>(
        `SELECT ${KEY_COLUMNS} FROM api_keys WHERE key_id > ?${end ? ' AND key_id <= ?' : ''} AND revoked_at IS NULL AND (${EXPIRING}) ORDER BY key_id`,
        [last, ...(end ? [end.key_id] : []), ...span, ...span],
      );
      yield rows.map(toApiKey).filter((key) => key.status(after) === 'active');
      if (!end) return;
      last = end.key_id;
      await waitForNextSlice();
    }
  }
}

export class SqlApiKeyRepository implements ApiKeyRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(keyId: string): Promise<ApiKey | undefined> {
    const [row] = await this.manager.query<ApiKeyRow[]>(
      `SELECT ${KEY_COLUMNS} FROM api_keys WHERE key_id = ?${this.forUpdate}`,
      [keyId],
    );
    return row && toApiKey(row);
  }

  async lockCreatedBy(accountId: string, creator: Actor): Promise<readonly ApiKey[]> {
    const keys = await keysOfAccount(
      { query: (sql, parameters = []) => this.manager.query(sql, [...parameters]) },
      accountId,
    );
    const created = await runCooperatively(keysCreatedBy(creator, keys), accountId);
    const ids = created.filter((key) => key.toState().revokedAt === null).map((key) => key.toState().keyId);
    if (ids.length === 0) return [];
    const sql = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE key_id IN (${placeholders(ids)}) AND revoked_at IS NULL ORDER BY created_at, key_id${this.forUpdate}`;
    return (await this.manager.query<ApiKeyRow[]>(sql, ids)).map(toApiKey);
  }

  async lockActiveOfRule(accountId: string, ruleId: string, now: Date): Promise<readonly ApiKey[]> {
    const rows = await this.manager.query<ApiKeyRow[]>(
      `SELECT ${KEY_COLUMNS} FROM api_keys WHERE trust_rule_id = ? AND expires_at > ? AND account_id = ? AND revoked_at IS NULL ORDER BY created_at, key_id${this.forUpdate}`,
      [ruleId, now.getTime(), accountId],
    );
    return rows.map(toApiKey);
  }

  async countActive(accountId: string, now: Date): Promise<number> {
    const [row] = await this.manager.query<{ count: number | string }[]>(
      `SELECT COUNT(*) AS count FROM api_keys WHERE account_id = ? AND ${ACTIVE}`,
      [accountId, now.getTime(), now.getTime()],
    );
    return Number(row?.count ?? 0);
  }

  async add(key: ApiKey): Promise<void> {
    await this.manager.insert(ApiKeyTable, rowOf(ApiKeyTable, key.toState()));
  }

  async save(key: ApiKey): Promise<void> {
    const { key_id, last_used_at: _writtenByUse, ...row } = rowOf(ApiKeyTable, key.toState());
    await this.manager.update(ApiKeyTable, { key_id }, row);
  }

  async markUsed(uses: ReadonlyMap<string, Date>): Promise<void> {
    for (const [keyId, at] of uses) {
      const millis = at.getTime();
      await this.manager.query(
        'UPDATE api_keys SET last_used_at = ? WHERE key_id = ? AND (last_used_at IS NULL OR last_used_at < ?)',
        [millis, keyId, millis],
      );
    }
  }
}
