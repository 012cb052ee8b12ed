import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/** People, their sessions, what the dashboard shows of a key, and the orders in which it lists domains. */
export class Dashboard1763610000000 implements MigrationInterface {
  readonly name = 'Dashboard1763610000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE users (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      email VARCHAR(254) NOT NULL UNIQUE,
      role VARCHAR(8) NOT NULL,
      password_hash VARCHAR(72) NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      FOREIGN KEY (account_id) REFERENCES accounts (id)
    )${options}`);
    await runner.query('CREATE INDEX users_by_account ON users (account_id, created_at, id)');
    await runner.query(`CREATE TABLE setup_links (
      user_id VARCHAR(40) NOT NULL PRIMARY KEY,
      token_digest CHAR(64) NOT NULL UNIQUE,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      FOREIGN KEY (user_id) REFERENCES users (id)
    )${options}`);
    await runner.query(`CREATE TABLE sessions (
      digest CHAR(64) NOT NULL PRIMARY KEY,
      id VARCHAR(40) NOT NULL UNIQUE,
      user_id VARCHAR(40) NOT NULL,
      client_address VARCHAR(64) NOT NULL,
      user_agent VARCHAR(255) NOT NULL,
      data TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_seen_at BIGINT NOT NULL,
      FOREIGN KEY (user_id) REFERENCES users (id)
    )${options}`);
    await runner.query('CREATE INDEX sessions_by_user ON sessions (user_id, last_seen_at)');
    await runner.query('ALTER TABLE api_keys ADD COLUMN expires_at BIGINT NULL');
    await runner.query('ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT NULL');
    await runner.query('CREATE INDEX domains_by_expiry ON domains (account_id, expires_at, id)');
    await runner.query('CREATE INDEX domains_by_status_and_name ON domains (account_id, status, name)');
    await runner.query('CREATE INDEX domains_by_status_and_expiry ON domains (account_id, status, expires_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['domains_by_status_and_expiry', 'domains_by_status_and_name', 'domains_by_expiry']) {
      await runner.query(
        runner.dataSource.options.type === 'mysql' ? `DROP INDEX ${index} ON domains` : `DROP INDEX ${index}`,
      );
    }
    await runner.query('ALTER TABLE api_keys DROP COLUMN last_used_at');
    await runner.query('ALTER TABLE api_keys DROP COLUMN expires_at');
    for (const table of ['sessions', 'setup_links', 'users']) await runner.query(`DROP TABLE ${table}`);
  }
}
