import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** One row: a text that opens with the key under which this database is sealed, and with no other. */
export class SecretKeyProof1763664000000 implements MigrationInterface {
  readonly name = 'SecretKeyProof1763664000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE secret_key_proof (
      id INTEGER NOT NULL PRIMARY KEY,
      sealed VARCHAR(255) NOT NULL
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE secret_key_proof');
  }
}
