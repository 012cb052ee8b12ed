import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** How far the readers of the accounts' events have read. */
export class FeedCursors1796006400000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'FeedCursors1796006400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE feed_cursors (
        kind VARCHAR(20) NOT NULL,
        reader_id VARCHAR(40) NOT NULL,
        account_id VARCHAR(40) NOT NULL,
        position BIGINT NOT NULL,
        PRIMARY KEY (kind, reader_id)
      )${await tableOptions(runner)}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE feed_cursors');
  }
}
