import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['zones', 'zone_changes'] as const;

/** SOA serials that rise without the zone's version. The offset lets older versions raise both. */
export class ZoneSerials1795360000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ZoneSerials1795360000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} ADD COLUMN serial_offset BIGINT NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN serial_offset`);
  }
}
