import type { Dialect } from './dialect';

/** Bulk changes, desired states, saved views, health and what processes share. */
export function serviceTables({ references, mediumText, withoutRowid }: Dialect): readonly string[] {
  return [
    `CREATE TABLE leases (
      name VARCHAR(40) NOT NULL PRIMARY KEY,
      owner VARCHAR(40) NOT NULL,
      beats BIGINT NOT NULL
    )`,
    `CREATE TABLE secret_key_proof (
      id INTEGER NOT NULL PRIMARY KEY,
      sealed VARCHAR(255) NOT NULL
    )`,
    `CREATE TABLE write_checks (
      id INTEGER NOT NULL PRIMARY KEY,
      checked_at BIGINT NOT NULL,
      filler TEXT NOT NULL
    )`,
    `CREATE TABLE domain_terms (
      account_id VARCHAR(40) NOT NULL,
      term VARCHAR(260) NOT NULL,
      name VARCHAR(253) NOT NULL,
      domain_id VARCHAR(40) NOT NULL,
      PRIMARY KEY (account_id, term, name, domain_id)
    )${withoutRowid}`,
    'CREATE INDEX terms_of_domain ON domain_terms (domain_id)',
    'CREATE INDEX domains_by_term ON domain_terms (term)',
    `CREATE TABLE bulk_jobs (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      actor VARCHAR(60) NOT NULL,
      action ${mediumText} NOT NULL,
      total INTEGER NOT NULL,
      undoes VARCHAR(40) NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      finished_at BIGINT NULL,
      ${references('bulk_jobs', 'account_id', 'accounts (id)')}
    )`,
    'CREATE INDEX bulk_jobs_of_account ON bulk_jobs (account_id, created_at, id)',
    'CREATE INDEX bulk_jobs_to_do ON bulk_jobs (finished_at, created_at, id)',
    `CREATE TABLE bulk_items (
      job_id VARCHAR(40) NOT NULL,
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      operation_id VARCHAR(40) NOT NULL,
      own_action TEXT NULL,
      undo_action TEXT NULL,
      undoable SMALLINT NOT NULL,
      state VARCHAR(12) NOT NULL,
      attempts INTEGER NOT NULL,
      error TEXT NULL,
      sealed_auth_code TEXT NULL,
      PRIMARY KEY (job_id, domain_id),
      ${references('bulk_items', 'job_id', 'bulk_jobs (id)')}
    )`,
    'CREATE INDEX bulk_items_by_state ON bulk_items (job_id, state, attempts, name)',
    'CREATE INDEX bulk_items_undoable ON bulk_items (job_id, state, undoable)',
    `CREATE TABLE saved_views (
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(40) NOT NULL,
      query TEXT NOT NULL,
      PRIMARY KEY (account_id, name)
    )`,
    `CREATE TABLE domain_health (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      state VARCHAR(12) NOT NULL,
      checked_at BIGINT NOT NULL,
      report ${mediumText} NOT NULL,
      ${references('domain_health', 'domain_id', 'domains (id)')}
    )`,
    'CREATE INDEX domain_health_by_state ON domain_health (account_id, state, domain_id)',
    `CREATE TABLE replicas (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      beats BIGINT NOT NULL
    )`,
    `CREATE TABLE call_reservations (
      registry VARCHAR(40) NOT NULL PRIMARY KEY,
      free_at BIGINT NOT NULL
    )`,
    `CREATE TABLE last_backup (
      id INTEGER NOT NULL PRIMARY KEY,
      succeeded_at BIGINT NOT NULL,
      bytes BIGINT NOT NULL
    )`,
    `CREATE TABLE desired_states (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      state ${mediumText} NOT NULL,
      zone_version BIGINT NOT NULL,
      actor VARCHAR(60) NOT NULL,
      applied_at BIGINT NOT NULL,
      drifted_at BIGINT NULL,
      only_settings_drifted SMALLINT NULL,
      records_drift BIGINT NULL
    )`,
    'CREATE INDEX desired_states_by_name ON desired_states (account_id, name)',
    'CREATE INDEX desired_states_by_drift ON desired_states (account_id, drifted_at)',
  ];
}
