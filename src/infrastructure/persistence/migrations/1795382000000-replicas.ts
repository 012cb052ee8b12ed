import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** The processes that serve requests, so that they see each other. */
export class Replicas1795382000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Replicas1795382000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE replicas (id VARCHAR(40) NOT NULL PRIMARY KEY, beats BIGINT NOT NULL)${await tableOptions(runner)}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE replicas');
  }
}
