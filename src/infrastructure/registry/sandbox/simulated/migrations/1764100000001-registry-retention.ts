import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropIndex } from '../../../../persistence/table-options';

/** What the removal of old charges and transaction ids searches by. */
export class RegistryRetention1764100000001 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RegistryRetention1764100000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, table, columns] of INDEXES) await runner.query(`CREATE INDEX ${index} ON ${table} (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [index, table] of INDEXES) await dropIndex(runner, index, table);
  }
}

const INDEXES = [
  ['simreg_charges_by_age', 'simreg_charges', 'charged_at'],
  ['simreg_transactions_by_age', 'simreg_transactions', 'used_at'],
] as const;
