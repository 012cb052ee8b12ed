import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the EPP front keeps with a name. */
export class RegistrationDetails1763712000000 implements MigrationInterface {
  readonly name = 'RegistrationDetails1763712000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE simreg_registrations ADD COLUMN details TEXT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE simreg_registrations DROP COLUMN details');
  }
}
