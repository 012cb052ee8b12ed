import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** Messages of registries that could not be acted upon. Ids are a registry's own and of any length, hence their digest. */
export class UnheededMessages1763661000000 implements MigrationInterface {
  readonly name = 'UnheededMessages1763661000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE unheeded_messages (
      registry VARCHAR(100) NOT NULL,
      message_digest CHAR(64) NOT NULL,
      message MEDIUMTEXT NOT NULL,
      received_at BIGINT NOT NULL,
      PRIMARY KEY (registry, message_digest)
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unheeded_messages');
  }
}
