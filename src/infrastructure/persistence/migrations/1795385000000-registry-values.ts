import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** What registry adapters store, like contact ids that a registry assigned. */
export class RegistryValues1795385000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RegistryValues1795385000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE registry_values (
      registry VARCHAR(32) NOT NULL,
      name VARCHAR(100) NOT NULL,
      content VARCHAR(500) NOT NULL,
      PRIMARY KEY (registry, name)
    )${await tableOptions(runner)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE registry_values');
  }
}
