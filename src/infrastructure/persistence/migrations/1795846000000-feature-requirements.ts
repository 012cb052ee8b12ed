import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INTERFACE_TYPES } from '../../../domain/dns/records/types/record-types';
import { FEATURE_MIGRATIONS, type Feature } from '../database/feature-requirements';
import { RAISE_REQUIREMENT, REQUIREMENTS_TABLE } from '../database/schema-requirement';

/** Select a row that uses the feature. */
const USES: Readonly<Record<Feature, string>> = {
  limitsOfKeys: 'SELECT 1 FROM api_keys WHERE limits IS NOT NULL LIMIT 1',
  zoneSigning: 'SELECT 1 FROM zone_signing LIMIT 1',
  recordTypes: `SELECT 1 FROM dns_records WHERE type NOT IN (${INTERFACE_TYPES.map((type) => `'${type}'`).join(', ')}) LIMIT 1`,
  aliases: 'SELECT 1 FROM aliases LIMIT 1',
  memberRoles: 'SELECT 1 FROM users WHERE member_role IS NOT NULL LIMIT 1',
  authenticatorApps: 'SELECT 1 FROM totp_secrets LIMIT 1',
  passkeys: 'SELECT 1 FROM passkeys LIMIT 1',
  memberTags: 'SELECT 1 FROM users WHERE member_tags IS NOT NULL LIMIT 1',
};

/** Former versions used these features without a requirement. From now on, the first use of each states it. */
export class FeatureRequirements1795846000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'FeatureRequirements1795846000000';

  async up(runner: QueryRunner): Promise<void> {
    // TypeORM's command line migrates without it.
    if (!(await runner.hasTable(REQUIREMENTS_TABLE))) return;
    const used: number[] = [];
    for (const [feature, sql] of Object.entries(USES) as [Feature, string][])
      if (((await runner.query(sql)) as readonly unknown[]).length > 0) used.push(FEATURE_MIGRATIONS[feature]);
    const required = Math.max(0, ...used);
    await runner.query(RAISE_REQUIREMENT, [required, 'migrations', required]);
  }

  /** A former version would have to know the features in use, too. */
  async down(): Promise<void> {}
}
