import type { MigrationInterface, QueryRunner } from 'typeorm';
import { foreignKey, tableOptions } from '../table-options';

/**
 * The schema of 0.1.0. It is never edited: later changes are migrations of their own. Each statement makes one change, because MySQL
 * commits it by itself and an interrupted migration is run again.
 */
export class InitialSchema1764090000000 implements MigrationInterface {
  readonly name = 'InitialSchema1764090000000';

  async up(runner: QueryRunner): Promise<void> {
    const options = await tableOptions(runner);
    const [mediumText, longText] =
      runner.dataSource.options.type === 'mysql' ? ['MEDIUMTEXT', 'LONGTEXT'] : ['TEXT', 'TEXT'];
    await runner.query(`CREATE TABLE accounts (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      name VARCHAR(100) NOT NULL,
      created_at BIGINT NOT NULL,
      access_version INTEGER NOT NULL DEFAULT 0,
      members_may_transfer INTEGER NOT NULL DEFAULT 0,
      controls_sandbox INTEGER NOT NULL DEFAULT 0
    )${options}`);
    await runner.query(`CREATE TABLE api_keys (
      key_id VARCHAR(12) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(100) NOT NULL,
      scope VARCHAR(8) NOT NULL,
      secret_digest VARCHAR(64) NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT NULL,
      expires_at BIGINT NULL,
      last_used_at BIGINT NULL,
      created_by VARCHAR(60) NULL,
      ${foreignKey(runner, 'api_keys', 'account_id', 'accounts (id)')}
    )${options}`);
    await runner.query('CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, key_id)');
    await runner.query('CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at)');
    await runner.query(`CREATE TABLE users (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      email VARCHAR(254) NOT NULL,
      role VARCHAR(8) NOT NULL,
      password_hash VARCHAR(72) NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      first_email VARCHAR(254) NULL,
      ${foreignKey(runner, 'users', 'account_id', 'accounts (id)')}
    )${options}`);
    await runner.query('CREATE UNIQUE INDEX users_by_first_email ON users (first_email)');
    await runner.query('CREATE UNIQUE INDEX users_by_email ON users (email, account_id)');
    await runner.query('CREATE INDEX users_by_account ON users (account_id, created_at, id)');
    await runner.query(`CREATE TABLE setup_links (
      user_id VARCHAR(40) NOT NULL PRIMARY KEY,
      token_digest VARCHAR(64) NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      issued_by VARCHAR(60) NULL,
      ${foreignKey(runner, 'setup_links', 'user_id', 'users (id)')}
    )${options}`);
    await runner.query('CREATE UNIQUE INDEX setup_links_by_token ON setup_links (token_digest)');
    await runner.query(`CREATE TABLE sessions (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      id VARCHAR(40) NOT NULL,
      user_id VARCHAR(40) NOT NULL,
      client_address VARCHAR(64) NOT NULL,
      user_agent VARCHAR(255) NOT NULL,
      data TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_seen_at BIGINT NOT NULL,
      authenticated_at BIGINT NULL,
      ${foreignKey(runner, 'sessions', 'user_id', 'users (id)')}
    )${options}`);
    await runner.query('CREATE UNIQUE INDEX sessions_by_id ON sessions (id)');
    await runner.query('CREATE INDEX sessions_by_user ON sessions (user_id, last_seen_at)');
    await runner.query('CREATE INDEX sessions_by_opening ON sessions (created_at)');
    await runner.query('CREATE INDEX sessions_by_last_use ON sessions (last_seen_at)');
    await runner.query(`CREATE TABLE domains (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      live_name VARCHAR(253) NULL,
      status VARCHAR(20) NOT NULL,
      expires_at BIGINT NOT NULL,
      auto_renew SMALLINT NOT NULL,
      transfer_locked SMALLINT NOT NULL,
      nameservers TEXT NOT NULL,
      registrant TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      phase_ends_at BIGINT NULL,
      renewal_tried_at BIGINT NULL,
      auth_code_until BIGINT NULL,
      due_at BIGINT NULL,
      registered_at BIGINT NULL,
      transfer_pending SMALLINT NOT NULL DEFAULT 0,
      unicode_name VARCHAR(253) NULL,
      ended_at BIGINT NULL,
      registrant_erased SMALLINT NOT NULL DEFAULT 0,
      ${foreignKey(runner, 'domains', 'account_id', 'accounts (id)')}
    )${options}`);
    await runner.query('CREATE UNIQUE INDEX domains_by_live_name ON domains (live_name)');
    await runner.query('CREATE INDEX domains_by_account ON domains (account_id, created_at, id)');
    await runner.query('CREATE INDEX domains_by_name ON domains (account_id, name)');
    await runner.query('CREATE INDEX domains_by_expiry ON domains (account_id, expires_at, id)');
    await runner.query('CREATE INDEX domains_by_status_and_name ON domains (account_id, status, name)');
    await runner.query('CREATE INDEX domains_by_status_and_expiry ON domains (account_id, status, expires_at, id)');
    await runner.query('CREATE INDEX domains_of_name ON domains (name)');
    await runner.query('CREATE INDEX domains_by_due ON domains (due_at)');
    await runner.query('CREATE INDEX domains_by_end ON domains (registrant_erased, ended_at)');
    await runner.query('CREATE INDEX domains_by_status_and_creation ON domains (account_id, status, created_at, id)');
    await runner.query('CREATE INDEX domains_counted ON domains (account_id, status, expires_at, auto_renew)');
    // Without its own row ids, SQLite stores each row once instead of twice.
    const keyOnly = options === '' ? ' WITHOUT ROWID' : options;
    await runner.query(`CREATE TABLE domain_name_grams (
      account_id VARCHAR(40) NOT NULL,
      gram VARCHAR(3) NOT NULL,
      name VARCHAR(253) NOT NULL,
      PRIMARY KEY (account_id, gram, name)
    )${keyOnly}`);
    await runner.query(`CREATE TABLE domain_counts (
      account_id VARCHAR(40) NOT NULL,
      status VARCHAR(20) NOT NULL,
      expires_on BIGINT NOT NULL,
      auto_renew SMALLINT NOT NULL,
      amount INTEGER NOT NULL,
      PRIMARY KEY (account_id, status, expires_on, auto_renew)
    )${keyOnly}`);
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
      actor VARCHAR(60) NOT NULL DEFAULT 'service',
      uncertain_since BIGINT NULL,
      handover TEXT NULL,
      handover_until BIGINT NULL,
      charged_minor BIGINT NULL,
      charged_currency VARCHAR(3) NULL,
      retained_from BIGINT NOT NULL,
      ${foreignKey(runner, 'operations', 'domain_id', 'domains (id)')}
    )${options}`);
    await runner.query('CREATE INDEX operations_by_domain ON operations (domain_id, finished_at, created_at, id)');
    await runner.query('CREATE INDEX operations_due ON operations (due_at)');
    await runner.query('CREATE INDEX operations_of_account ON operations (account_id, status, finished_at)');
    await runner.query('CREATE INDEX operations_to_erase ON operations (handover_until)');
    await runner.query('CREATE INDEX operations_in_order ON operations (domain_id, created_at, id)');
    await runner.query('CREATE INDEX operations_by_retention ON operations (retained_from)');
    await runner.query(`CREATE TABLE zones (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      version BIGINT NOT NULL,
      record_count INTEGER NOT NULL,
      changed_at BIGINT NOT NULL DEFAULT 0,
      ${foreignKey(runner, 'zones', 'domain_id', 'domains (id)')}
    )${options}`);
    await runner.query('CREATE INDEX zones_in_order_of_change ON zones (changed_at, domain_id)');
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
      identity_digest VARCHAR(64) NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      ${foreignKey(runner, 'dns_records', 'domain_id', 'zones (domain_id)')}
    )${options}`);
    await runner.query('CREATE UNIQUE INDEX dns_records_by_identity ON dns_records (domain_id, identity_digest)');
    await runner.query('CREATE INDEX dns_records_in_order ON dns_records (domain_id, created_at, id)');
    await runner.query('CREATE INDEX dns_records_in_sets ON dns_records (domain_id, name, type, id)');
    await runner.query('CREATE INDEX dns_records_by_type ON dns_records (domain_id, type, created_at, id)');
    await runner.query(`CREATE TABLE zone_changes (
      domain_id VARCHAR(40) NOT NULL,
      version BIGINT NOT NULL,
      part INTEGER NOT NULL,
      happened_at BIGINT NOT NULL,
      actor VARCHAR(60) NOT NULL,
      added INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      records ${longText} NOT NULL,
      PRIMARY KEY (domain_id, version, part),
      ${foreignKey(runner, 'zone_changes', 'domain_id', 'zones (domain_id)')}
    )${options}`);
    await runner.query(`CREATE TABLE audit_log (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      happened_at BIGINT NOT NULL,
      actor VARCHAR(60) NOT NULL,
      action VARCHAR(40) NOT NULL,
      domain_id VARCHAR(40) NULL,
      domain_name VARCHAR(253) NULL,
      subject VARCHAR(254) NULL,
      facts_before TEXT NOT NULL,
      facts_after TEXT NOT NULL,
      retained_from BIGINT NOT NULL
    )${options}`);
    await runner.query('CREATE INDEX audit_log_by_account ON audit_log (account_id, happened_at, id)');
    await runner.query('CREATE INDEX audit_log_by_domain ON audit_log (domain_id, happened_at, id)');
    await runner.query('CREATE INDEX audit_log_by_retention ON audit_log (retained_from)');
    await runner.query('CREATE INDEX audit_log_by_name ON audit_log (account_id, domain_name, happened_at, id)');
    await runner.query('CREATE INDEX audit_log_by_action ON audit_log (account_id, action, happened_at, id)');
    await runner.query('CREATE INDEX audit_log_by_actor ON audit_log (account_id, actor, happened_at, id)');
    await runner.query(`CREATE TABLE idempotency_records (
      account_id VARCHAR(40) NOT NULL,
      idempotency_key VARCHAR(128) NOT NULL,
      fingerprint VARCHAR(64) NOT NULL,
      operation_id VARCHAR(40) NOT NULL,
      holder VARCHAR(40) NULL,
      held_until BIGINT NULL,
      response ${mediumText} NULL,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, idempotency_key)
    )${options}`);
    await runner.query('CREATE INDEX idempotency_records_by_holder ON idempotency_records (holder)');
    await runner.query('CREATE INDEX idempotency_records_by_expiry ON idempotency_records (expires_at)');
    await runner.query(`CREATE TABLE daily_usage (
      used_on BIGINT NOT NULL,
      account_id VARCHAR(40) NOT NULL,
      kind VARCHAR(20) NOT NULL,
      bytes BIGINT NOT NULL,
      PRIMARY KEY (used_on, account_id, kind)
    )${options}`);
    await runner.query(`CREATE TABLE dns_catalog (
      id INTEGER NOT NULL PRIMARY KEY,
      version BIGINT NOT NULL
    )${options}`);
    await runner.query('INSERT INTO dns_catalog (id, version) VALUES (1, 1)');
    await runner.query(`CREATE TABLE tsig_keys (
      name VARCHAR(63) NOT NULL PRIMARY KEY,
      algorithm VARCHAR(20) NOT NULL,
      sealed_secret TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT NULL
    )${options}`);
    await runner.query(`CREATE TABLE secondaries (
      name VARCHAR(63) NOT NULL PRIMARY KEY,
      address VARCHAR(45) NOT NULL,
      port INTEGER NOT NULL,
      key_name VARCHAR(63) NOT NULL,
      signs SMALLINT NOT NULL,
      created_at BIGINT NOT NULL,
      caught_up_to BIGINT NOT NULL DEFAULT 0,
      ${foreignKey(runner, 'secondaries', 'key_name', 'tsig_keys (name)')}
    )${options}`);
    await runner.query(`CREATE TABLE leases (
      name VARCHAR(40) NOT NULL PRIMARY KEY,
      owner VARCHAR(40) NOT NULL,
      beats BIGINT NOT NULL
    )${options}`);
    await runner.query(`CREATE TABLE dead_letters (
      registry VARCHAR(100) NOT NULL,
      message_digest VARCHAR(64) NOT NULL,
      message ${mediumText} NOT NULL,
      received_at BIGINT NOT NULL,
      PRIMARY KEY (registry, message_digest)
    )${options}`);
    await runner.query('CREATE INDEX dead_letters_by_time ON dead_letters (received_at)');
    await runner.query(`CREATE TABLE secret_key_proof (
      id INTEGER NOT NULL PRIMARY KEY,
      sealed VARCHAR(255) NOT NULL
    )${options}`);
    await runner.query(`CREATE TABLE write_checks (
      id INTEGER NOT NULL PRIMARY KEY,
      checked_at BIGINT NOT NULL,
      filler TEXT NOT NULL
    )${options}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES.toReversed()) await runner.query(`DROP TABLE ${table}`);
  }
}

const TABLES = [
  'accounts',
  'api_keys',
  'users',
  'setup_links',
  'sessions',
  'domains',
  'domain_name_grams',
  'domain_counts',
  'operations',
  'zones',
  'dns_records',
  'zone_changes',
  'audit_log',
  'idempotency_records',
  'daily_usage',
  'dns_catalog',
  'tsig_keys',
  'secondaries',
  'leases',
  'dead_letters',
  'secret_key_proof',
  'write_checks',
];
