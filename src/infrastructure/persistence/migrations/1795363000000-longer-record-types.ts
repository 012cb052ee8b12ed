import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Space for OPENPGPKEY and TYPE65535. SQLite does not limit the length of a text. */
export class LongerRecordTypes1795363000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'LongerRecordTypes1795363000000';

  async up(runner: QueryRunner): Promise<void> {
    await setLength(runner, 10);
  }

  async down(runner: QueryRunner): Promise<void> {
    await setLength(runner, 8);
  }
}

async function setLength(runner: QueryRunner, length: number): Promise<void> {
  if (runner.dataSource.options.type === 'mysql')
    await runner.query(`ALTER TABLE dns_records MODIFY type VARCHAR(${length}) NOT NULL`);
}
