import type { EntityManager } from 'typeorm';
import { RAISE_REQUIREMENT, REQUIREMENTS_TABLE } from './schema-requirement';

/**
 * Features whose rows an older version would ignore to someone's harm, such as serving a signed zone unsigned. From the first row
 * on, a version must know the migration that added the feature, or it refuses to start.
 */
export const FEATURE_MIGRATIONS = {
  limitsOfKeys: 1795343000000,
  zoneSigning: 1795361000000,
  /** Of records beyond the types of the service interface. */
  recordTypes: 1795363000000,
  aliases: 1795364000000,
  memberRoles: 1795375000000,
  authenticatorApps: 1795375100000,
  passkeys: 1795375200000,
  memberTags: 1795410000000,
} as const;

export type Feature = keyof typeof FEATURE_MIGRATIONS;

const PART = 'migrations';

/**
 * Belongs in the transaction of each write that uses the feature. Only the first one writes: later ones read without a lock, so they
 * never wait for each other.
 */
export async function requireFeature(manager: EntityManager, feature: Feature): Promise<void> {
  const required = FEATURE_MIGRATIONS[feature];
  const [row] = await manager.query<{ oldest_migration: number | string }[]>(
    `SELECT oldest_migration FROM ${REQUIREMENTS_TABLE} WHERE part = ?`,
    [PART],
  );
  if (Number(row?.oldest_migration) >= required) return;
  await manager.query(RAISE_REQUIREMENT, [required, PART, required]);
}
