import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Accounts of people at OpenID Connect providers. */
export class Identities1795381100000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Identities1795381100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE identities (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      person_id VARCHAR(40) NOT NULL,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      name VARCHAR(254) NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT NULL
    )${await tableOptions(runner)}`);
    await runner.query('CREATE INDEX identities_by_person ON identities (person_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identities');
  }
}
