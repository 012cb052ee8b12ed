import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains that the registrar renews by itself. */
export class RegistrarRenewal1795341900000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'RegistrarRenewal1795341900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains ADD COLUMN registrar_renews SMALLINT NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains DROP COLUMN registrar_renews');
  }
}
