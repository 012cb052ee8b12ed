import type { Dialect } from './dialect';

/** The events of accounts, and what they are sent by: webhooks and mails. */
export function eventTables({ references, sequence }: Dialect): readonly string[] {
  return [
    `CREATE TABLE events (
      sequence ${sequence} PRIMARY KEY,
      account_id VARCHAR(40) NOT NULL,
      position BIGINT NULL,
      happened_at BIGINT NOT NULL,
      actor VARCHAR(60) NOT NULL,
      type VARCHAR(40) NOT NULL,
      domain_id VARCHAR(40) NULL,
      domain_name VARCHAR(253) NULL,
      data TEXT NOT NULL,
      retained_from BIGINT NOT NULL
    )`,
    'CREATE INDEX events_in_order ON events (account_id, position)',
    'CREATE INDEX events_by_retention ON events (retained_from)',
    `CREATE TABLE event_feeds (
      account_id VARCHAR(40) NOT NULL PRIMARY KEY,
      feed VARCHAR(10) NOT NULL,
      position BIGINT NOT NULL,
      removed_to BIGINT NOT NULL,
      publications_from BIGINT NULL,
      publications_asked_at BIGINT NULL
    )`,
    `CREATE TABLE feed_cursors (
      kind VARCHAR(20) NOT NULL,
      reader_id VARCHAR(40) NOT NULL,
      account_id VARCHAR(40) NOT NULL,
      position BIGINT NOT NULL,
      PRIMARY KEY (kind, reader_id)
    )`,
    `CREATE TABLE expiry_notices (
      id INTEGER NOT NULL PRIMARY KEY,
      noticed_until BIGINT NOT NULL
    )`,
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
      ${references('webhooks', 'account_id', 'accounts (id)')}
    )`,
    'CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at, id)',
    'CREATE INDEX webhooks_by_status ON webhooks (status, id)',
    'CREATE INDEX webhooks_by_removal ON webhooks (finished_at)',
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
      ${references('webhook_deliveries', 'webhook_id', 'webhooks (id)')}
    )`,
    'CREATE INDEX deliveries_by_webhook ON webhook_deliveries (webhook_id, created_at, id)',
    'CREATE INDEX deliveries_by_status ON webhook_deliveries (webhook_id, status, created_at, id)',
    'CREATE INDEX deliveries_by_due_time ON webhook_deliveries (webhook_id, due_at)',
    'CREATE INDEX deliveries_by_end ON webhook_deliveries (finished_at)',
    'CREATE UNIQUE INDEX deliveries_by_event ON webhook_deliveries (webhook_id, event_id)',
    `CREATE TABLE notices (
      sequence ${sequence} PRIMARY KEY,
      ${NOTICE}
    )`,
    `CREATE TABLE mails (
      id VARCHAR(40) NOT NULL PRIMARY KEY,
      ${NOTICE},
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
    )`,
    'CREATE UNIQUE INDEX mails_by_cause ON mails (cause, recipient)',
    'CREATE INDEX mails_by_due ON mails (status, due_at)',
    'CREATE INDEX mails_by_account ON mails (account_id, id)',
    'CREATE INDEX mails_by_user ON mails (user_id, id)',
    'CREATE INDEX mails_by_end ON mails (ended_at)',
    `CREATE TABLE mail_settings (
      person_id VARCHAR(40) NOT NULL PRIMARY KEY,
      time_zone VARCHAR(64) NOT NULL,
      switched_off TEXT NOT NULL
    )`,
  ];
}

const NOTICE = `cause VARCHAR(160) NOT NULL,
      kind VARCHAR(24) NOT NULL,
      noticed_at BIGINT NOT NULL,
      account_id VARCHAR(40) NULL,
      domain_id VARCHAR(40) NULL,
      domain_name VARCHAR(253) NULL,
      data TEXT NOT NULL`;
