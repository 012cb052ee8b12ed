import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tableOptions } from '../table-options';

/**
 * Times are epoch milliseconds in UTC, because no type for times means the same on both databases.
 * `domains.live_name` is the name while the domain lives and NULL afterwards: names are unique among those that live.
 */
export class InitialSchema1763600000000 implements MigrationInterface {
  readonly name = 'InitialSchema1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    await runner.query(`CREATE TABLE accounts (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      name VARCHAR(100) NOT NULL,
      created_at BIGINT NOT NULL
    )${options}`);
    await runner.query(`CREATE TABLE api_keys (
      key_id VARCHAR(12) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(100) NOT NULL,
      scope VARCHAR(8) NOT NULL,
      secret_digest CHAR(64) NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT NULL,
      FOREIGN KEY (account_id) REFERENCES accounts (id)
    )${options}`);
    await runner.query('CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, key_id)');
    await runner.query(`CREATE TABLE domains (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      live_name VARCHAR(253) NULL UNIQUE,
      status VARCHAR(20) NOT NULL,
      expires_at BIGINT NOT NULL,
      auto_renew SMALLINT NOT NULL,
      transfer_locked SMALLINT NOT NULL,
      nameservers TEXT NOT NULL,
      registrant TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      FOREIGN KEY (account_id) REFERENCES accounts (id)
    )${options}`);
    await runner.query('CREATE INDEX domains_by_account ON domains (account_id, created_at, id)');
    await runner.query('CREATE INDEX domains_by_name ON domains (account_id, name)');
    await runner.query(`CREATE TABLE operations (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      domain_id VARCHAR(40) NOT NULL,
      request TEXT NOT NULL,
      status VARCHAR(12) NOT NULL,
      attempts INTEGER NOT NULL,
      transaction_id VARCHAR(64) NOT NULL,
      next_attempt_at BIGINT NOT NULL,
      lease_owner VARCHAR(40) NULL,
      lease_until BIGINT NULL,
      error_code VARCHAR(40) NULL,
      error_message TEXT NULL,
      due_at BIGINT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      finished_at BIGINT NULL,
      FOREIGN KEY (domain_id) REFERENCES domains (id)
    )${options}`);
    await runner.query('CREATE INDEX operations_by_domain ON operations (domain_id, finished_at, created_at, id)');
    await runner.query('CREATE INDEX operations_due ON operations (due_at)');
    await runner.query(`CREATE TABLE zones (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      version BIGINT NOT NULL,
      record_count INTEGER NOT NULL,
      FOREIGN KEY (domain_id) REFERENCES domains (id)
    )${options}`);
    await runner.query(`CREATE TABLE dns_records (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      type VARCHAR(8) NOT NULL,
      content TEXT NOT NULL,
      ttl INTEGER NOT NULL,
      priority INTEGER NULL,
      weight INTEGER NULL,
      port INTEGER NULL,
      identity_digest CHAR(64) NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      UNIQUE (domain_id, identity_digest),
      FOREIGN KEY (domain_id) REFERENCES zones (domain_id)
    )${options}`);
    await runner.query('CREATE INDEX dns_records_in_order ON dns_records (domain_id, created_at, id)');
    await runner.query('CREATE INDEX dns_records_by_name ON dns_records (domain_id, name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['dns_records', 'zones', 'operations', 'domains', 'api_keys', 'accounts'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
