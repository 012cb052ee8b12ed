import type { Dialect } from './dialect';

/** Zones, records, their history, signatures, secondaries and delegations, templates of records, and Domain Connect. */
export function dnsTables({ references, mediumText, longText }: Dialect): readonly string[] {
  return [
    `CREATE TABLE zones (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      version BIGINT NOT NULL,
      record_count INTEGER NOT NULL,
      changed_at BIGINT NOT NULL DEFAULT 0,
      serial_offset BIGINT NOT NULL DEFAULT 0,
      denial VARCHAR(5) NULL,
      cds VARCHAR(6) NULL,
      state_owner VARCHAR(64) NULL,
      connects SMALLINT NOT NULL DEFAULT 1,
      discovery VARCHAR(255) NULL,
      history_from BIGINT NOT NULL DEFAULT 0,
      ${references('zones', 'domain_id', 'domains (id)')}
    )`,
    'CREATE INDEX zones_in_order_of_change ON zones (changed_at, domain_id)',
    `CREATE TABLE dns_records (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      type VARCHAR(10) NOT NULL,
      content TEXT NOT NULL,
      ttl INTEGER NOT NULL,
      priority INTEGER NULL,
      weight INTEGER NULL,
      port INTEGER NULL,
      identity_digest VARCHAR(64) NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      written TEXT NULL,
      comment VARCHAR(500) NULL,
      managed_by VARCHAR(64) NULL,
      version BIGINT NULL,
      ptr SMALLINT NOT NULL DEFAULT 0,
      ${references('dns_records', 'domain_id', 'zones (domain_id)')}
    )`,
    'CREATE UNIQUE INDEX dns_records_by_identity ON dns_records (domain_id, identity_digest)',
    'CREATE INDEX dns_records_in_order ON dns_records (domain_id, created_at, id)',
    'CREATE INDEX dns_records_in_sets ON dns_records (domain_id, name, type, id)',
    'CREATE INDEX dns_records_by_type ON dns_records (domain_id, type, created_at, id)',
    `CREATE TABLE zone_changes (
      domain_id VARCHAR(40) NOT NULL,
      version BIGINT NOT NULL,
      part INTEGER NOT NULL,
      happened_at BIGINT NOT NULL,
      actor VARCHAR(60) NOT NULL,
      added INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      records ${longText} NOT NULL,
      serial_offset BIGINT NOT NULL DEFAULT 0,
      nameservers TEXT NULL,
      PRIMARY KEY (domain_id, version, part),
      ${references('zone_changes', 'domain_id', 'zones (domain_id)')}
    )`,
    `CREATE TABLE dns_catalog (
      id INTEGER NOT NULL PRIMARY KEY,
      version BIGINT NOT NULL
    )`,
    `CREATE TABLE tsig_keys (
      name VARCHAR(63) NOT NULL PRIMARY KEY,
      algorithm VARCHAR(20) NOT NULL,
      sealed_secret TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT NULL
    )`,
    `CREATE TABLE secondaries (
      name VARCHAR(63) NOT NULL PRIMARY KEY,
      address VARCHAR(45) NOT NULL,
      port INTEGER NOT NULL,
      key_name VARCHAR(63) NOT NULL,
      signs SMALLINT NOT NULL,
      created_at BIGINT NOT NULL,
      caught_up_to BIGINT NOT NULL DEFAULT 0,
      ${references('secondaries', 'key_name', 'tsig_keys (name)')}
    )`,
    `CREATE TABLE zone_keys (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      domain_id VARCHAR(40) NOT NULL,
      algorithm INTEGER NOT NULL,
      key_tag INTEGER NOT NULL,
      public_key VARCHAR(700) NOT NULL,
      sealed_private_key TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      retired_at BIGINT NULL,
      ${references('zone_keys', 'domain_id', 'zones (domain_id)')}
    )`,
    'CREATE INDEX zone_keys_of_zone ON zone_keys (domain_id, created_at, id)',
    `CREATE TABLE derived_rrsets (
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      type INTEGER NOT NULL,
      ttl INTEGER NOT NULL,
      rdata ${mediumText} NULL,
      signatures TEXT NOT NULL,
      digest VARCHAR(43) NOT NULL,
      refresh_at BIGINT NOT NULL,
      chain_key VARCHAR(253) NULL,
      tree_key VARCHAR(253) NULL,
      PRIMARY KEY (domain_id, name, type),
      ${references('derived_rrsets', 'domain_id', 'zones (domain_id)')}
    )`,
    'CREATE INDEX derived_rrsets_in_chain ON derived_rrsets (domain_id, type, chain_key)',
    'CREATE INDEX derived_rrsets_in_tree ON derived_rrsets (domain_id, tree_key)',
    'CREATE INDEX derived_rrsets_to_refresh ON derived_rrsets (refresh_at, domain_id)',
    `CREATE TABLE derived_changes (
      domain_id VARCHAR(40) NOT NULL,
      serial BIGINT NOT NULL,
      part INTEGER NOT NULL,
      happened_at BIGINT NOT NULL,
      rrsets ${longText} NOT NULL,
      PRIMARY KEY (domain_id, serial, part),
      ${references('derived_changes', 'domain_id', 'zones (domain_id)')}
    )`,
    'CREATE INDEX derived_changes_by_age ON derived_changes (happened_at)',
    `CREATE TABLE zone_signing (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      step VARCHAR(20) NOT NULL,
      denial VARCHAR(5) NOT NULL,
      step_since BIGINT NOT NULL,
      state_since BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      serial BIGINT NULL,
      cached_seconds INTEGER NOT NULL,
      wait_until BIGINT NULL,
      operation_id VARCHAR(40) NULL,
      signers TEXT NULL,
      key_id VARCHAR(40) NULL,
      new_key_id VARCHAR(40) NULL,
      key_since BIGINT NULL,
      problem_reason TEXT NULL,
      problem_remedy TEXT NULL,
      notice TEXT NULL,
      ${references('zone_signing', 'domain_id', 'domains (id)')}
    )`,
    'CREATE INDEX zone_signing_due ON zone_signing (due_at)',
    `CREATE TABLE catalog_changes (
      version BIGINT NOT NULL PRIMARY KEY,
      domain_id VARCHAR(40) NOT NULL,
      zone_name VARCHAR(253) NOT NULL,
      is_member SMALLINT NOT NULL,
      happened_at BIGINT NOT NULL
    )`,
    'CREATE INDEX catalog_changes_by_time ON catalog_changes (happened_at)',
    `CREATE TABLE aliases (
      domain_id VARCHAR(40) NOT NULL,
      name VARCHAR(253) NOT NULL,
      target VARCHAR(253) NOT NULL,
      addresses TEXT NOT NULL,
      due_at BIGINT NULL,
      PRIMARY KEY (domain_id, name),
      ${references('aliases', 'domain_id', 'zones (domain_id)')}
    )`,
    'CREATE INDEX aliases_due ON aliases (due_at)',
    'CREATE INDEX aliases_by_target ON aliases (target, domain_id, name)',
    `CREATE TABLE alias_targets (
      target VARCHAR(253) NOT NULL PRIMARY KEY,
      answers TEXT NOT NULL,
      error TEXT NULL,
      failing_since BIGINT NULL,
      failures INTEGER NOT NULL,
      checked_at BIGINT NULL,
      due_at BIGINT NOT NULL
    )`,
    'CREATE INDEX alias_targets_due ON alias_targets (due_at)',
    `CREATE TABLE cds_scans (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      outcome VARCHAR(12) NOT NULL,
      reason TEXT NULL,
      scanned_at BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      inception BIGINT NULL,
      waiting_signers TEXT NULL,
      waiting_since BIGINT NULL,
      ${references('cds_scans', 'domain_id', 'domains (id)')}
    )`,
    `CREATE TABLE record_templates (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      name VARCHAR(100) NOT NULL,
      description VARCHAR(500) NOT NULL,
      records TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      ${references('record_templates', 'account_id', 'accounts (id)')}
    )`,
    'CREATE INDEX record_templates_by_account ON record_templates (account_id, name, id)',
    `CREATE TABLE zone_delegations (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      state VARCHAR(12) NOT NULL,
      nameservers TEXT NOT NULL,
      asked_at BIGINT NOT NULL
    )`,
    'CREATE INDEX zone_delegations_by_state ON zone_delegations (account_id, state, domain_id)',
    `CREATE TABLE zone_publications (
      domain_id VARCHAR(40) NOT NULL PRIMARY KEY,
      serial BIGINT NOT NULL
    )`,
    `CREATE TABLE connect_templates (
      provider_id VARCHAR(200) NOT NULL,
      service_id VARCHAR(200) NOT NULL,
      provider_name VARCHAR(255) NOT NULL,
      service_name VARCHAR(255) NOT NULL,
      is_signed SMALLINT NOT NULL,
      template_version BIGINT NULL,
      template ${mediumText} NOT NULL,
      digest VARCHAR(64) NOT NULL,
      changed_at BIGINT NOT NULL,
      PRIMARY KEY (provider_id, service_id)
    )`,
    `CREATE TABLE connect_providers (
      provider_id VARCHAR(200) NOT NULL PRIMARY KEY,
      is_on SMALLINT NOT NULL,
      changed_at BIGINT NOT NULL
    )`,
    `CREATE TABLE connected_services (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      domain_id VARCHAR(40) NOT NULL,
      provider_id VARCHAR(200) NOT NULL,
      service_id VARCHAR(200) NOT NULL,
      provider_name VARCHAR(255) NOT NULL,
      service_name VARCHAR(255) NOT NULL,
      host VARCHAR(253) NOT NULL,
      group_ids TEXT NULL,
      records ${mediumText} NOT NULL,
      spf ${mediumText} NOT NULL,
      zone_version BIGINT NOT NULL,
      connected_by VARCHAR(60) NOT NULL,
      connected_at BIGINT NOT NULL
    )`,
    'CREATE INDEX connected_services_of_domain ON connected_services (domain_id, connected_at, id)',
  ];
}
