import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** What became of each zone, as changes. Zones that exist begin with the version that they have: it can be gone back to. */
export class ZoneHistory1763640000000 implements MigrationInterface {
  readonly name = 'ZoneHistory1763640000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    const longText = runner.dataSource.options.type === 'mysql' ? 'LONGTEXT' : 'TEXT';
    await runner.query(`CREATE TABLE zone_changes (
      domain_id VARCHAR(40) NOT NULL,
      version BIGINT NOT NULL,
      part INTEGER NOT NULL,
      happened_at BIGINT NOT NULL,
      actor VARCHAR(60) NOT NULL,
      added INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      records ${longText} NOT NULL,
      PRIMARY KEY (domain_id, version, part),
      FOREIGN KEY (domain_id) REFERENCES zones (domain_id)
    )${options}`);
    await runner.query(`INSERT INTO zone_changes (domain_id, version, part, happened_at, actor, added, changed, removed, records)
      SELECT z.domain_id, z.version, 0, CASE WHEN z.changed_at > 0 THEN z.changed_at ELSE d.created_at END, 'service', 0, 0, 0, '[]' FROM zones z JOIN domains d ON d.id = z.domain_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE zone_changes');
  }
}
