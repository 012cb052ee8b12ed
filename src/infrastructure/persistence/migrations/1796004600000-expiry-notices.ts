import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Until when accounts were told of domains that expire soon: one row. */
export class ExpiryNotices1796004600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'ExpiryNotices1796004600000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(
      `CREATE TABLE expiry_notices (id INTEGER NOT NULL PRIMARY KEY, noticed_until BIGINT NOT NULL)${options}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE expiry_notices');
  }
}
