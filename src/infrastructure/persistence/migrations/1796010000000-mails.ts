import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

const INDICES = [
  'CREATE UNIQUE INDEX mails_by_cause ON mails (cause, recipient)',
  'CREATE INDEX mails_by_due ON mails (status, due_at)',
  'CREATE INDEX mails_by_account ON mails (account_id, id)',
  'CREATE INDEX mails_by_user ON mails (user_id, id)',
  'CREATE INDEX mails_by_end ON mails (ended_at)',
];

/** Notices that wait to be addressed, the queue of mails, and what people have chosen: docs/decisions/0027. */
export class Mails1796010000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'Mails1796010000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    const sequence = runner.dataSource.options.type === 'mysql' ? 'BIGINT NOT NULL AUTO_INCREMENT' : 'INTEGER NOT NULL';
    const notice = `cause VARCHAR(160) NOT NULL,
        kind VARCHAR(24) NOT NULL,
        noticed_at BIGINT NOT NULL,
        account_id VARCHAR(40) NULL,
        domain_id VARCHAR(40) NULL,
        domain_name VARCHAR(253) NULL,
        data TEXT NOT NULL`;
    await runner.query(`CREATE TABLE notices (sequence ${sequence} PRIMARY KEY, ${notice})${options}`);
    await runner.query(
      `CREATE TABLE mails (
        id VARCHAR(40) NOT NULL PRIMARY KEY,
        ${notice},
        recipient VARCHAR(40) NOT NULL,
        user_id VARCHAR(40) NULL,
        address VARCHAR(254) NOT NULL,
        sealed_secret TEXT NULL,
        status VARCHAR(8) NOT NULL,
        attempts INTEGER NOT NULL,
        send_until BIGINT NOT NULL,
        due_at BIGINT NULL,
        claimed_by VARCHAR(40) NULL,
        ended_at BIGINT NULL,
        response VARCHAR(500) NULL
      )${options}`,
    );
    for (const index of INDICES) await runner.query(index);
    await runner.query(
      `CREATE TABLE mail_settings (
        person_id VARCHAR(40) NOT NULL PRIMARY KEY,
        time_zone VARCHAR(64) NOT NULL,
        switched_off TEXT NOT NULL
      )${options}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_settings');
    await runner.query('DROP TABLE mails');
    await runner.query('DROP TABLE notices');
  }
}
