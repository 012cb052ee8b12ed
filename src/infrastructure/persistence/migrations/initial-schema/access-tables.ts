import type { Dialect } from './dialect';

/** Accounts, people, their keys, sessions and factors, and the audit log. */
export function accessTables({ references, mediumText }: Dialect): readonly string[] {
  return [
    `CREATE TABLE accounts (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      name VARCHAR(100) NOT NULL,
      created_at BIGINT NOT NULL,
      access_version INTEGER NOT NULL DEFAULT 0,
      members_may_transfer INTEGER NOT NULL DEFAULT 0,
      controls_sandbox INTEGER NOT NULL DEFAULT 0
    )`,
    `CREATE TABLE api_keys (
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
      sealed_tsig_secret VARCHAR(255) NULL,
      limits TEXT NULL,
      ${references('api_keys', 'account_id', 'accounts (id)')}
    )`,
    'CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, key_id)',
    'CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at)',
    `CREATE TABLE users (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      email VARCHAR(254) NOT NULL,
      role VARCHAR(8) NOT NULL,
      password_hash VARCHAR(72) NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      first_email VARCHAR(254) NULL,
      member_role VARCHAR(16) NULL,
      person_id VARCHAR(40) NULL,
      linked_hash VARCHAR(72) NULL,
      entered_at BIGINT NULL,
      member_tags TEXT NULL,
      ${references('users', 'account_id', 'accounts (id)')}
    )`,
    'CREATE UNIQUE INDEX users_by_first_email ON users (first_email)',
    'CREATE UNIQUE INDEX users_by_email ON users (email, account_id)',
    'CREATE INDEX users_by_account ON users (account_id, created_at, id)',
    'CREATE INDEX users_by_person ON users (person_id)',
    `CREATE TABLE setup_links (
      user_id VARCHAR(40) NOT NULL PRIMARY KEY,
      token_digest VARCHAR(64) NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      issued_by VARCHAR(60) NULL,
      ${references('setup_links', 'user_id', 'users (id)')}
    )`,
    'CREATE UNIQUE INDEX setup_links_by_token ON setup_links (token_digest)',
    `CREATE TABLE sessions (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      id VARCHAR(40) NOT NULL,
      user_id VARCHAR(40) NOT NULL,
      client_address VARCHAR(64) NOT NULL,
      user_agent VARCHAR(255) NOT NULL,
      data TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_seen_at BIGINT NOT NULL,
      authenticated_at BIGINT NULL,
      second_factor_at BIGINT NULL,
      ${references('sessions', 'user_id', 'users (id)')}
    )`,
    'CREATE UNIQUE INDEX sessions_by_id ON sessions (id)',
    'CREATE INDEX sessions_by_user ON sessions (user_id, last_seen_at)',
    'CREATE INDEX sessions_by_opening ON sessions (created_at)',
    'CREATE INDEX sessions_by_last_use ON sessions (last_seen_at)',
    `CREATE TABLE audit_log (
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
      retained_from BIGINT NOT NULL,
      client_address VARCHAR(64) NULL
    )`,
    'CREATE INDEX audit_log_by_account ON audit_log (account_id, happened_at, id)',
    'CREATE INDEX audit_log_by_domain ON audit_log (domain_id, happened_at, id)',
    'CREATE INDEX audit_log_by_retention ON audit_log (retained_from)',
    'CREATE INDEX audit_log_by_name ON audit_log (account_id, domain_name, happened_at, id)',
    'CREATE INDEX audit_log_by_action ON audit_log (account_id, action, happened_at, id)',
    'CREATE INDEX audit_log_by_actor ON audit_log (account_id, actor, happened_at, id)',
    `CREATE TABLE idempotency_records (
      account_id VARCHAR(40) NOT NULL,
      idempotency_key VARCHAR(128) NOT NULL,
      fingerprint VARCHAR(64) NOT NULL,
      operation_id VARCHAR(40) NOT NULL,
      holder VARCHAR(40) NULL,
      held_until BIGINT NULL,
      response ${mediumText} NULL,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, idempotency_key)
    )`,
    'CREATE INDEX idempotency_records_by_holder ON idempotency_records (holder)',
    'CREATE INDEX idempotency_records_by_expiry ON idempotency_records (expires_at)',
    `CREATE TABLE daily_usage (
      used_on BIGINT NOT NULL,
      account_id VARCHAR(40) NOT NULL,
      kind VARCHAR(20) NOT NULL,
      bytes BIGINT NOT NULL,
      PRIMARY KEY (used_on, account_id, kind)
    )`,
    `CREATE TABLE key_spending (
      order_id VARCHAR(40) NOT NULL PRIMARY KEY,
      key_id VARCHAR(12) NOT NULL,
      ordered_at BIGINT NOT NULL,
      price_minor BIGINT NOT NULL,
      currency VARCHAR(3) NOT NULL
    )`,
    'CREATE INDEX key_spending_by_key ON key_spending (key_id, ordered_at)',
    'CREATE INDEX key_spending_by_time ON key_spending (ordered_at)',
    `CREATE TABLE totp_secrets (
      user_id VARCHAR(40) NOT NULL PRIMARY KEY,
      sealed_secret TEXT NOT NULL,
      last_step BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE recovery_codes (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      user_id VARCHAR(40) NOT NULL
    )`,
    'CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id)',
    `CREATE TABLE passkeys (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      user_id VARCHAR(40) NOT NULL,
      credential_id TEXT NOT NULL,
      name VARCHAR(100) NOT NULL,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL,
      transports VARCHAR(100) NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT NULL
    )`,
    'CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at)',
    `CREATE TABLE used_challenges (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      expires_at BIGINT NOT NULL
    )`,
    'CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at)',
    `CREATE TABLE identities (
      digest VARCHAR(64) NOT NULL PRIMARY KEY,
      person_id VARCHAR(40) NOT NULL,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      name VARCHAR(254) NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT NULL
    )`,
    'CREATE INDEX identities_by_person ON identities (person_id, created_at)',
  ];
}
