import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/** The webhooks of accounts, and the events that are sent to them. */
export class Webhooks1796011800000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Webhooks1796011800000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(
      `CREATE TABLE webhooks (
        id VARCHAR(40) NOT NULL PRIMARY KEY,
        account_id VARCHAR(40) NOT NULL,
        url TEXT NOT NULL,
        description VARCHAR(200) NOT NULL,
        types TEXT NULL,
        domains TEXT NULL,
        tags TEXT NULL,
        status VARCHAR(20) NOT NULL,
        reason VARCHAR(20) NULL,
        sealed_secret VARCHAR(250) NOT NULL,
        former_secret VARCHAR(250) NULL,
        former_until BIGINT NULL,
        failing_since BIGINT NULL,
        held_until BIGINT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        finished_at BIGINT NULL,
        ${foreignKey(runner, 'webhooks', 'account_id', 'accounts (id)')}
      )${options}`,
    );
    await runner.query('CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at, id)');
    await runner.query('CREATE INDEX webhooks_by_status ON webhooks (status, id)');
    await runner.query('CREATE INDEX webhooks_by_removal ON webhooks (finished_at)');
    await runner.query(
      `CREATE TABLE webhook_deliveries (
        id VARCHAR(40) NOT NULL PRIMARY KEY,
        webhook_id VARCHAR(40) NOT NULL,
        event_id VARCHAR(40) NOT NULL,
        type VARCHAR(40) NOT NULL,
        domain_name VARCHAR(253) NULL,
        created_at BIGINT NOT NULL,
        status VARCHAR(10) NOT NULL,
        attempts INTEGER NOT NULL,
        due_at BIGINT NULL,
        attempted_at BIGINT NULL,
        result TEXT NULL,
        finished_at BIGINT NULL,
        ${foreignKey(runner, 'webhook_deliveries', 'webhook_id', 'webhooks (id)')}
      )${options}`,
    );
    await runner.query('CREATE INDEX deliveries_by_webhook ON webhook_deliveries (webhook_id, created_at, id)');
    await runner.query('CREATE INDEX deliveries_by_status ON webhook_deliveries (webhook_id, status, created_at, id)');
    await runner.query('CREATE INDEX deliveries_by_due_time ON webhook_deliveries (webhook_id, due_at)');
    await runner.query('CREATE INDEX deliveries_by_end ON webhook_deliveries (finished_at)');
    await runner.query('CREATE UNIQUE INDEX deliveries_by_event ON webhook_deliveries (webhook_id, event_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_deliveries');
    await runner.query('DROP TABLE webhooks');
  }
}
