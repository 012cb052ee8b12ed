import type { DomainStatus, HostedStatus } from '../../../domain/registration/domain-status';
import type { OperationRequest } from '../../../domain/registration/operations/operation-request';
import type { OperationStatus } from '../../../domain/registration/operations/operation';
import type { Registrant } from '../../../domain/registration/registrant';
import type { TransferStatus } from '../../../domain/registration/transfers/transfer-state';
import type { ErrorCode } from '../../../domain/shared/error-code';
import {
  bigint,
  flag,
  instant,
  integer,
  json,
  key,
  named,
  notInState,
  nullable,
  nullablePartOf,
  optional,
  partOf,
  smallint,
  storedIn,
  text,
  varchar,
  withDefault,
} from '../database/columns';
import { table, type RowOf } from '../database/table';
import { actor } from '../access/actor-column';
import { REGISTRANT, TAGS } from './domains/domain-codecs';

export const DomainTable = table(
  'domains',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    name: varchar(253),
    /**
     * The name while the domain lives, NULL afterwards: names are unique among live domains. With a dot at the end while a registration
     * is pending, because until it is confirmed another account may host the zone (docs/decisions/0026-zones-without-a-registration.md).
     */
    live_name: notInState(nullable(varchar(253))),
    status: varchar<DomainStatus>(20),
    expires_at: instant(),
    auto_renew: flag(),
    transfer_locked: flag(),
    nameservers: json<readonly string[]>(),
    registrant: storedIn(text(), REGISTRANT),
    created_at: instant(),
    updated_at: instant(),
    phase_ends_at: nullable(instant()),
    renewal_tried_at: nullable(instant()),
    auth_code_until: nullable(instant()),
    /** When the domain is checked next. */
    due_at: nullable(instant()),
    /** When the registry says that the domain was registered; NULL before it was asked. */
    registered_at: nullable(instant()),
    /** Whether the registry last showed a pending transfer. */
    transfer_pending: withDefault(flag(), 0),
    /** The Unicode form of an internationalized name, so that a part of it finds the domain. NULL for all other names. */
    unicode_name: notInState(nullable(varchar(253))),
    /** When it was deleted or transferred out; retention counts from then. */
    ended_at: notInState(nullable(instant())),
    registrant_erased: notInState(withDefault(flag(), 0)),
    /** Whether the registrar renews the domain by itself. */
    registrar_renews: withDefault(flag(), 0),
    /** Of the pending transfer to another registrar. */
    transfer_requested_at: nullable(instant()),
    transfer_ends_at: nullable(instant()),
    /** The expiry in the backup that the database was restored from, and until when lost orders may be repeated. */
    backup_expires_at: partOf('inBackup', 'expiresAt', nullable(instant())),
    repeats_until: partOf('inBackup', 'repeatsUntil', nullable(instant())),
    /** The status of the name once it is not registered here, and the zone's nameservers then; NULL: the zone ends, or they stay. */
    kept_zone: partOf('keptZone', 'status', nullable(varchar<HostedStatus>(20))),
    kept_nameservers: nullablePartOf('keptZone', 'nameservers', json<readonly string[]>()),
    tags: storedIn(nullable(text()), TAGS),
    /** For lists in that order; empty for none. */
    first_nameserver: notInState(withDefault(varchar(253), '')),
    first_tag: notInState(withDefault(varchar(40), '')),
    /** The place of the state in `HEALTH_STATES`, so that lists begin with problems; after them before the first check. */
    health_rank: notInState(withDefault(smallint(), 4)),
    /** When the background checks checked its health last; 0 before the first check, NULL after the domain has ended. */
    health_checked_at: notInState(withDefault(nullable(instant()), 0)),
    /** What the registry last quoted, in minor units of any currency; -1 if it is not known. */
    renewal_price: notInState(withDefault(bigint(), -1)),
  },
  {
    indices: {
      // Those with `name` at the end are searched for part of a name without reading the domains.
      domains_by_account: ['account_id', 'created_at', 'id', 'name'],
      domains_by_name: ['account_id', 'name'],
      domains_by_expiry: ['account_id', 'expires_at', 'id', 'name'],
      domains_by_status_and_name: ['account_id', 'status', 'name'],
      domains_by_status_and_expiry: ['account_id', 'status', 'expires_at', 'id', 'name'],
      domains_of_name: ['name'],
      domains_by_status_and_due: ['status', 'due_at'],
      domains_by_end: ['registrant_erased', 'ended_at'],
      domains_by_status_and_creation: ['account_id', 'status', 'created_at', 'id', 'name'],
      /** Has all columns that the overview counts. */
      domains_counted: ['account_id', 'status', 'expires_at', 'auto_renew'],
      domains_leaving: ['account_id', 'transfer_pending', 'transfer_ends_at', 'id'],
      domains_by_auto_renewal: ['account_id', 'auto_renew', 'id', 'name'],
      domains_by_transfer_lock: ['account_id', 'transfer_locked', 'id', 'name'],
      domains_by_status_and_id: ['account_id', 'status', 'id', 'name'],
      domains_by_nameserver: ['account_id', 'first_nameserver', 'id', 'name'],
      domains_by_tag: ['account_id', 'first_tag', 'id', 'name'],
      domains_by_health: ['account_id', 'health_rank', 'id', 'name'],
      domains_by_price: ['account_id', 'renewal_price', 'id', 'name'],
      domains_by_health_check: ['health_checked_at'],
    },
    uniques: { domains_by_live_name: ['live_name'] },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type DomainRow = RowOf<typeof DomainTable>;

/** Every part of three characters of every live name, by which a search finds names. */
export const DomainNameGramTable = table('domain_name_grams', {
  account_id: key(varchar(40)),
  gram: key(varchar(3)),
  name: key(varchar(253)),
});

/** How many domains an account has, by what the overview shows. */
export const DomainCountTable = table('domain_counts', {
  account_id: key(varchar(40)),
  status: key(varchar<DomainStatus>(20)),
  expires_on: key(instant()),
  auto_renew: key(flag()),
  amount: integer(),
});

/** What registries last quoted for renewals. */
export const RenewalPriceTable = table('renewal_prices', {
  domain_id: key(varchar(40)),
  /** NULL if the registry refused to quote. */
  price_minor: partOf('price', 'minor', nullable(bigint())),
  currency: partOf('price', 'currency', nullable(varchar(3))),
  checked_at: instant(),
});
export type RenewalPriceRow = RowOf<typeof RenewalPriceTable>;

export const OperationTable = table(
  'operations',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    domain_id: varchar(40),
    request: json<OperationRequest>(),
    status: varchar<OperationStatus>(12),
    attempts: integer(),
    transaction_id: varchar(64),
    next_attempt_at: instant(),
    lease_owner: nullable(varchar(40)),
    lease_until: nullable(instant()),
    error_code: partOf('error', 'code', nullable(varchar<ErrorCode>(40))),
    error_message: partOf('error', 'message', nullable(text())),
    /** The end of the lease or the time of the next attempt; NULL once the operation is finished. */
    due_at: notInState(nullable(instant())),
    created_at: instant(),
    updated_at: instant(),
    finished_at: nullable(instant()),
    actor: withDefault(actor(), 'service'),
    uncertain_since: nullable(instant()),
    lost_at: nullable(instant()),
    /** What the operation passes, sealed, to a request that waits in another process. */
    handover: partOf('handover', 'sealed', nullable(text())),
    handover_until: partOf('handover', 'until', nullable(instant())),
    charged_minor: partOf('charged', 'minor', nullable(bigint())),
    charged_currency: partOf('charged', 'currency', nullable(varchar(3))),
    /** When it finished, in the time in which domains live: retention counts from it. */
    retained_from: notInState(instant()),
    trace_parent: optional(varchar(55)),
  },
  {
    indices: {
      operations_by_domain: ['domain_id', 'finished_at', 'created_at', 'id'],
      operations_due: ['due_at'],
      operations_of_account: ['account_id', 'status', 'finished_at'],
      operations_of_account_in_order: ['account_id', 'created_at', 'id'],
      operations_to_erase: ['handover_until'],
      operations_in_order: ['domain_id', 'created_at', 'id'],
      operations_by_retention: ['retained_from'],
      /** Has all columns that sums of charges read. */
      operations_charged: ['account_id', 'retained_from', 'charged_minor', 'charged_currency', 'domain_id'],
    },
    references: [['domain_id', 'domains', 'id']],
  },
);
export type OperationRow = RowOf<typeof OperationTable>;

/** Transfers of names to us. */
export const TransferTable = table(
  'transfers',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    actor: actor(),
    name: varchar(253),
    /** The name while the transfer is unfinished, NULL afterwards: a name has one transfer at a time. */
    open_name: notInState(nullable(varchar(253))),
    years: integer(),
    price_minor: partOf('price', 'minor', bigint()),
    price_currency: partOf('price', 'currency', varchar(3)),
    /** NULL once the transfer has ended. */
    registrant: nullable(json<Registrant>()),
    auto_renew: flag(),
    status: varchar<TransferStatus>(12),
    /** Sealed; NULL once the registry has accepted the request, or the transfer has ended. */
    auth_code: named('sealedAuthCode', nullable(text())),
    attempts: integer(),
    transaction_id: varchar(64),
    uncertain_since: nullable(instant()),
    lost_at: nullable(instant()),
    cancel_requested_at: nullable(instant()),
    requested_at: nullable(instant()),
    ends_at: nullable(instant()),
    charged_minor: partOf('charged', 'minor', nullable(bigint())),
    charged_currency: partOf('charged', 'currency', nullable(varchar(3))),
    error_code: partOf('error', 'code', nullable(varchar<ErrorCode>(40))),
    error_message: partOf('error', 'message', nullable(text())),
    domain_id: nullable(varchar(40)),
    lease_owner: nullable(varchar(40)),
    lease_until: nullable(instant()),
    next_attempt_at: nullable(instant()),
    /** The end of the lease or the time of the next attempt; NULL once the transfer has ended. */
    due_at: notInState(nullable(instant())),
    created_at: instant(),
    updated_at: instant(),
    finished_at: nullable(instant()),
    former_expiry: nullable(instant()),
    added_years: nullable(integer()),
  },
  {
    indices: {
      transfers_by_account: ['account_id', 'created_at', 'id'],
      transfers_due: ['due_at'],
      transfers_by_end: ['finished_at'],
    },
    uniques: { transfers_by_open_name: ['open_name'] },
    references: [['account_id', 'accounts', 'id']],
  },
);
export type TransferRow = RowOf<typeof TransferTable>;
