import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** The latest serial of each zone that has a `zone.published` event, and since when the feed of an account is read with such events. */
export class ZonePublications1796011200000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ZonePublications1796011200000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(
      `CREATE TABLE zone_publications (
        domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
        serial BIGINT NOT NULL
      )${options}`,
    );
    await runner.query('ALTER TABLE event_feeds ADD COLUMN publications_from BIGINT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE event_feeds DROP COLUMN publications_from');
    await runner.query('DROP TABLE zone_publications');
  }
}
