import type { AuditAction, AuditFacts } from '../../../domain/access/audit-entry';
import type { ApprovalRule } from '../../../domain/access/approvals/approval-rule';
import type { KeyLimits } from '../../../domain/access/key-limits';
import type { Role } from '../../../domain/access/people/role';
import type { Scope } from '../../../domain/access/api-key';
import {
  bigint,
  digest,
  flag,
  instant,
  integer,
  json,
  key,
  longText,
  named,
  notInState,
  nullable,
  optional,
  partOf,
  text,
  varchar,
  withDefault,
} from '../database/columns';
import { table, type RowOf } from '../database/table';
import { actor } from './actor-column';

export const AccountTable = table('accounts', {
  id: key(varchar(40)),
  name: varchar(100),
  created_at: instant(),
  /** A transaction raises it to serialize changes to the account's people, links and keys. */
  access_version: notInState(withDefault(integer(), 0)),
  members_may_transfer: withDefault(flag(integer()), 0),
  controls_sandbox: withDefault(flag(integer()), 0),
  is_trusted: withDefault(flag(integer()), 0),
  approval_rules: nullable(json<readonly ApprovalRule[]>()),
});
export type AccountRow = RowOf<typeof AccountTable>;

export const ApiKeyTable = table(
  'api_keys',
  {
    key_id: key(varchar(12)),
    account_id: varchar(40),
    name: varchar(100),
    scope: varchar<Scope>(8),
    secret_digest: digest(),
    created_at: instant(),
    revoked_at: nullable(instant()),
    expires_at: nullable(instant()),
    last_used_at: nullable(instant()),
    created_by: nullable(actor()),
    /** Of a TSIG key. */
    sealed_tsig_secret: nullable(varchar(255)),
    limits: nullable(json<KeyLimits>()),
    trust_rule_id: nullable(varchar(40)),
  },
  {
    indices: {
      api_keys_by_account: ['account_id', 'created_at', 'key_id'],
      api_keys_by_revocation: ['revoked_at'],
      api_keys_of_trust_rule: ['trust_rule_id', 'expires_at'],
    },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type ApiKeyRow = RowOf<typeof ApiKeyTable>;

export const UserTable = table(
  'users',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    email: varchar(254),
    /** Older releases know no other roles. */
    role: notInState(varchar<'owner' | 'member'>(8)),
    /** The role of a member; NULL: manager. */
    member_role: notInState(nullable(varchar<Exclude<Role, 'owner' | 'manager'>>(16))),
    /** A member has only the domains with one of these tags; NULL: all. */
    member_tags: named('tags', nullable(json<readonly string[]>())),
    password_hash: notInState(nullable(varchar(72))),
    created_at: instant(),
    updated_at: instant(),
    /** The e-mail of the person with whom an account was opened at the first start, otherwise NULL: of two processes, one opens it. */
    first_email: notInState(nullable(varchar(254))),
    /** NULL: the user's own id. */
    person_id: notInState(nullable(varchar(40))),
    /**
     * The password of a person with several users, each of whom has it here and NULL in `password_hash`; '': none. A user with
     * both got a password from an older release, by a set-up link, and is a separate person.
     */
    linked_hash: notInState(nullable(varchar(72))),
    /** When a session last came to this account; NULL before the first. */
    entered_at: notInState(nullable(instant())),
    /** How far the person has seen the events of the account; NULL: never looked. */
    seen_position: optional(bigint()),
  },
  {
    indices: { users_by_account: ['account_id', 'created_at', 'id'], users_by_person: ['person_id'] },
    uniques: { users_by_first_email: ['first_email'], users_by_email: ['email', 'account_id'] },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type UserRow = RowOf<typeof UserTable>;

export const SetupLinkTable = table(
  'setup_links',
  {
    user_id: key(varchar(40)),
    token_digest: digest(),
    created_at: instant(),
    expires_at: instant(),
    issued_by: nullable(actor()),
  },
  { uniques: { setup_links_by_token: ['token_digest'] }, references: [['user_id', 'users', 'id']] },
);
export type SetupLinkRow = RowOf<typeof SetupLinkTable>;

export const SessionTable = table(
  'sessions',
  {
    digest: key(digest()),
    id: varchar(40),
    user_id: varchar(40),
    client_address: varchar(64),
    user_agent: varchar(255),
    data: text(),
    created_at: instant(),
    last_seen_at: instant(),
    /** When the person last entered the password. */
    authenticated_at: nullable(instant()),
    /** When the person last used a second factor in the session. */
    second_factor_at: nullable(instant()),
  },
  {
    indices: {
      sessions_by_user: ['user_id', 'last_seen_at'],
      sessions_by_opening: ['created_at'],
      sessions_by_last_use: ['last_seen_at'],
    },
    uniques: { sessions_by_id: ['id'] },
    references: [['user_id', 'users', 'id']],
  },
);
export type SessionRow = RowOf<typeof SessionTable>;

/** Entries outlive domains and keys, so no foreign key refers to those. */
export const AuditLogTable = table(
  'audit_log',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    happened_at: named('at', instant()),
    actor: actor(),
    action: varchar<AuditAction>(40),
    domain_id: partOf('domain', 'id', nullable(varchar(40))),
    domain_name: partOf('domain', 'name', nullable(varchar(253))),
    subject: nullable(varchar(254)),
    facts_before: named('before', json<AuditFacts>()),
    facts_after: named('after', json<AuditFacts>()),
    /** Retention counts from it, in the time in which domains live. */
    retained_from: notInState(instant()),
    /** Of the client that requested the change itself; NULL if it was made later, or not by a request. */
    client_address: optional(varchar(64)),
    /** Of all records that the entry is about; '*' if they have several, or an older release wrote the entry; '' without records. */
    record_type: notInState(withDefault(varchar(12), '*')),
  },
  {
    indices: {
      audit_log_by_account: ['account_id', 'happened_at', 'id'],
      audit_log_by_domain: ['domain_id', 'happened_at', 'id'],
      audit_log_by_retention: ['retained_from'],
      audit_log_by_name: ['account_id', 'domain_name', 'happened_at', 'id'],
      audit_log_by_action: ['account_id', 'action', 'happened_at', 'id'],
      audit_log_by_actor: ['account_id', 'actor', 'happened_at', 'id'],
      audit_log_by_record_type: ['account_id', 'record_type', 'happened_at', 'id'],
    },
  },
);
export type AuditLogRow = RowOf<typeof AuditLogTable>;

/** Requests with an Idempotency-Key. No foreign key: an operation's id is reserved before the operation exists, if it ever does. */
export const IdempotencyRecordTable = table(
  'idempotency_records',
  {
    account_id: key(varchar(40)),
    idempotency_key: named('key', key(varchar(128))),
    fingerprint: digest(),
    operation_id: varchar(40),
    holder: nullable(varchar(40)),
    held_until: nullable(instant()),
    response: nullable(longText('mediumtext')),
    expires_at: instant(),
  },
  { indices: { idempotency_records_by_holder: ['holder'], idempotency_records_by_expiry: ['expires_at'] } },
);
export type IdempotencyRecordRow = RowOf<typeof IdempotencyRecordTable>;

/** Daily usage for each account and quota. */
export const DailyUsageTable = table('daily_usage', {
  used_on: key(instant()),
  account_id: key(varchar(40)),
  kind: key(varchar(20)),
  bytes: bigint(),
});

/** Orders by API keys with a limit on spend. No foreign key: entries are removed by age. */
export const KeySpendingTable = table(
  'key_spending',
  {
    /** An operation or a transfer. */
    order_id: key(varchar(40)),
    key_id: varchar(12),
    ordered_at: instant(),
    price_minor: bigint(),
    currency: varchar(3),
  },
  { indices: { key_spending_by_key: ['key_id', 'ordered_at'], key_spending_by_time: ['ordered_at'] } },
);
