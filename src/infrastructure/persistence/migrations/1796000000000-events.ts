import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** The events of accounts, and how far each account's are numbered: docs/decisions/0024. */
export class Events1796000000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Events1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    const sequence = runner.dataSource.options.type === 'mysql' ? 'BIGINT NOT NULL AUTO_INCREMENT' : 'INTEGER NOT NULL';
    await runner.query(
      `CREATE TABLE events (
        sequence ${sequence} PRIMARY KEY,
        account_id VARCHAR(40) NOT NULL,
        position BIGINT NULL,
        happened_at BIGINT NOT NULL,
        actor VARCHAR(60) NOT NULL,
        type VARCHAR(40) NOT NULL,
        domain_id VARCHAR(40) NULL,
        domain_name VARCHAR(253) NULL,
        data TEXT NOT NULL,
        retained_from BIGINT NOT NULL
      )${options}`,
    );
    await runner.query('CREATE INDEX events_in_order ON events (account_id, position)');
    await runner.query('CREATE INDEX events_by_retention ON events (retained_from)');
    await runner.query(
      `CREATE TABLE event_feeds (
        account_id VARCHAR(40) NOT NULL PRIMARY KEY,
        feed VARCHAR(10) NOT NULL,
        position BIGINT NOT NULL,
        removed_to BIGINT NOT NULL
      )${options}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_feeds');
    await runner.query('DROP TABLE events');
  }
}
