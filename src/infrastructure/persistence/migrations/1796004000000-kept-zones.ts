import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status of a name whose registration here ends, if its zone stays. Null, as older versions of the service write it: the zone ends. */
export class KeptZones1796004000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'KeptZones1796004000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('domains', 'kept_zone')))
      await runner.query('ALTER TABLE domains ADD COLUMN kept_zone VARCHAR(20) NULL');
    if (!(await runner.hasColumn('domains', 'kept_nameservers')))
      await runner.query('ALTER TABLE domains ADD COLUMN kept_nameservers TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['kept_zone', 'kept_nameservers'])
      if (await runner.hasColumn('domains', column)) await runner.query(`ALTER TABLE domains DROP COLUMN ${column}`);
  }
}
