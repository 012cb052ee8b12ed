import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Writes of the API that wait until someone accepts them. */
export class Proposals1796014000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Proposals1796014000000';

  async up(runner: QueryRunner): Promise<void> {
    const long = runner.dataSource.options.type === 'mysql' ? 'MEDIUMTEXT' : 'TEXT';
    await runner.query(
      `CREATE TABLE proposals (
        id VARCHAR(40) NOT NULL PRIMARY KEY,
        account_id VARCHAR(40) NOT NULL,
        proposer VARCHAR(60) NOT NULL,
        proposed_write ${long} NOT NULL,
        sealed_body ${long} NULL,
        reason TEXT NOT NULL,
        plan ${long} NOT NULL,
        status VARCHAR(12) NOT NULL,
        decision TEXT NULL,
        current_plan ${long} NULL,
        error TEXT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL
      )${await tableOptions(runner)}`,
    );
    await runner.query('CREATE INDEX proposals_of_account ON proposals (account_id, created_at, id)');
    await runner.query('CREATE INDEX proposals_by_status ON proposals (account_id, status, created_at, id)');
    await runner.query('CREATE INDEX proposals_by_end ON proposals (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE proposals');
  }
}
