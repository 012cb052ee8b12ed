import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the registry last showed a pending transfer: such a domain is checked until the transfer has ended. */
export class TransferPending1764020000000 implements MigrationInterface {
  readonly name = 'TransferPending1764020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains ADD COLUMN transfer_pending SMALLINT NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains DROP COLUMN transfer_pending');
  }
}
