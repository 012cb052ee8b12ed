import type { EntityManager } from 'typeorm';
import { tsigSecretPurpose } from '../../../application/access/api-keys/issue-api-key';
import { purposeOfStoredResponse } from '../../../application/idempotency/idempotent-requests';
import { purposeOfSigningKey } from '../../../application/dns/signing/signatures/sign-changes';
import { totpPurpose } from '../../../application/access/second-factor/totp-enrollment';
import { handoverPurpose } from '../../../application/operations/operation-handover';
import { webhookSecretPurpose } from '../../../application/webhooks/webhook-secrets';
import { proposedBodyPurpose } from '../../../domain/access/proposals/proposal';
import { authCodePurpose } from '../../../application/transfers/auth-code-purpose';
import { mailSecretPurpose } from '../../../domain/access/notices/mail';
import type { SecretBox } from '../../../application/ports/system';
import type { Database } from '../database/database';
import { purposeOfTsigKey } from '../dns/sql-secondary-directory';
import { openSealed } from './open-sealed';
import { replaceProof } from './secret-key-proof';

/** Every column that holds texts sealed by a SecretBox. */
interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly key: readonly string[];
  readonly purposeOf: (...key: string[]) => string;
}

const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'tsig_keys', column: 'sealed_secret', key: ['name'], purposeOf: (name = '') => purposeOfTsigKey(name) },
  { table: 'api_keys', column: 'sealed_tsig_secret', key: ['key_id'], purposeOf: (id = '') => tsigSecretPurpose(id) },
  {
    table: 'zone_keys',
    column: 'sealed_private_key',
    key: ['id'],
    purposeOf: (id = '') => purposeOfSigningKey(id),
  },
  { table: 'totp_secrets', column: 'sealed_secret', key: ['user_id'], purposeOf: (id = '') => totpPurpose(id) },
  { table: 'mails', column: 'sealed_secret', key: ['id'], purposeOf: (id = '') => mailSecretPurpose(id) },
  { table: 'operations', column: 'handover', key: ['id'], purposeOf: (id = '') => handoverPurpose(id) },
  { table: 'webhooks', column: 'sealed_secret', key: ['id'], purposeOf: (id = '') => webhookSecretPurpose(id) },
  { table: 'webhooks', column: 'former_secret', key: ['id'], purposeOf: (id = '') => webhookSecretPurpose(id) },
  { table: 'proposals', column: 'sealed_body', key: ['id'], purposeOf: (id = '') => proposedBodyPurpose(id) },
  { table: 'transfers', column: 'auth_code', key: ['id'], purposeOf: (id = '') => authCodePurpose(id) },
  {
    table: 'bulk_items',
    column: 'sealed_auth_code',
    key: ['job_id', 'domain_id'],
    purposeOf: (_job, transferId = '') => authCodePurpose(transferId),
  },
  {
    table: 'idempotency_records',
    column: 'response',
    key: ['account_id', 'idempotency_key'],
    purposeOf: (accountId = '', key = '') => purposeOfStoredResponse({ accountId, key }),
  },
];

interface RotatedSecretKey {
  /** How many texts of each table are sealed with the new key now. */
  readonly sealed: Readonly<Record<string, number>>;
  /** How many did not open with the former key: they stay as they were. */
  readonly unreadable: number;
}

/**
 * Seals with `next` everything that `former` has sealed, all or nothing. No other process may write meanwhile.
 * @throws StorageUnavailable
 */
export async function rotateSecretKey(
  former: SecretBox,
  next: SecretBox,
  database: Database,
): Promise<RotatedSecretKey> {
  return database.transaction(async (manager) => {
    const sealed: Record<string, number> = {};
    let unreadable = 0;
    for (const column of SEALED_COLUMNS) {
      sealed[column.table] ??= 0;
      for (const key of await keysOf(column, manager)) {
        if (await sealRowAnew(column, key, { former, next }, manager))
          sealed[column.table] = (sealed[column.table] ?? 0) + 1;
        else unreadable += 1;
      }
    }
    await replaceProof(next, manager);
    return { sealed, unreadable };
  });
}

async function keysOf({ table, column, key }: SealedColumn, manager: EntityManager): Promise<string[][]> {
  const rows = await manager.query<Record<string, string>[]>(
    `SELECT ${key.join(', ')} FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  return rows.map((row) => key.map((name) => row[name] ?? ''));
}

/** Responses are long, so only one is in memory at a time. */
async function sealRowAnew(
  { table, column, key, purposeOf }: SealedColumn,
  values: readonly string[],
  { former, next }: { former: SecretBox; next: SecretBox },
  manager: EntityManager,
): Promise<boolean> {
  const which = key.map((name) => `${name} = ?`).join(' AND ');
  const [row] = await manager.query<{ sealed: string }[]>(`SELECT ${column} AS sealed FROM ${table} WHERE ${which}`, [
    ...values,
  ]);
  const purpose = purposeOf(...values);
  const text = row && openSealed(former, row.sealed, purpose);
  if (text === undefined) return false;
  await manager.query(`UPDATE ${table} SET ${column} = ? WHERE ${which}`, [next.seal(text, purpose), ...values]);
  return true;
}
