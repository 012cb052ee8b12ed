import type { AliasAddresses } from '../../../domain/dns/alias/alias-addresses';
import type { AliasTarget } from '../../../domain/dns/alias/alias-target';
import type { DelegationState } from '../../../domain/dns/delegation/delegation';
import type { CdsContent } from '../../../domain/dns/dnssec/signing-step';
import type { Denial } from '../../../domain/dns/dnssec/zone-signing-state';
import type { RecordType } from '../../../domain/dns/records/types/record-types';
import type { TsigAlgorithm } from '../../../domain/dns/secondaries/tsig-key';
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
  presence,
  storedIn,
  text,
  varchar,
  withDefault,
} from '../database/columns';
import { actor } from '../access/actor-column';
import { table, type RowOf } from '../database/table';

export const ZoneTable = table(
  'zones',
  {
    domain_id: key(varchar(40)),
    version: bigint(),
    record_count: integer(),
    /** By which other processes find changed zones. */
    changed_at: withDefault(instant(), 0),
    /** The SOA serial is the version plus this, which can be negative: docs/decisions/0015. */
    serial_offset: withDefault(bigint(), 0),
    /** Null if the zone is not signed. */
    denial: nullable(varchar<Denial>(5)),
    cds: nullable(varchar<CdsContent>(6)),
    /** Whose records a desired state lists; empty: all records are the state's; null: no state. */
    state_owner: nullable(varchar(64)),
    /** Whether service providers may ask to change the zone. */
    connects: withDefault(flag(), 1),
    /** The text of the discovery record that the zone is served with. */
    discovery: nullable(varchar(255)),
    /** The first version that readers of the history see: those before are a former account's. */
    history_from: withDefault(bigint(), 0),
  },
  {
    indices: { zones_in_order_of_change: ['changed_at', 'domain_id'] },
    references: [['domain_id', 'domains', 'id']],
  },
);
export type ZoneRow = RowOf<typeof ZoneTable>;

export const RecordTable = table(
  'dns_records',
  {
    id: key(varchar(40)),
    domain_id: notInState(varchar(40)),
    name: varchar(253),
    type: varchar<RecordType>(10),
    content: text(),
    ttl: integer(),
    priority: nullable(integer()),
    weight: nullable(integer()),
    port: nullable(integer()),
    /** SHA-256 of the record's identity: the database refuses duplicates, whatever the length of the content. */
    identity_digest: notInState(digest()),
    created_at: instant(),
    updated_at: instant(),
    /** The RDATA as a program wrote it, if it reads back another text than the canonical one. */
    written: optional(text()),
    comment: optional(varchar(500)),
    managed_by: optional(varchar(64)),
    /** Of the zone, in which the record was last changed; null if that was before there was this column. */
    version: notInState(nullable(bigint())),
    /** Whether the service keeps a PTR record for the address. */
    ptr: presence(),
  },
  {
    indices: {
      dns_records_in_order: ['domain_id', 'created_at', 'id'],
      dns_records_in_sets: ['domain_id', 'name', 'type', 'id'],
      dns_records_by_type: ['domain_id', 'type', 'created_at', 'id'],
    },
    uniques: { dns_records_by_identity: ['domain_id', 'identity_digest'] },
    references: [['domain_id', 'zones', 'domain_id']],
  },
);
export type RecordRow = RowOf<typeof RecordTable>;

/** What the parents of zones without a registration said last. */
export const ZoneDelegationTable = table(
  'zone_delegations',
  {
    domain_id: key(varchar(40)),
    account_id: varchar(40),
    state: varchar<DelegationState>(12),
    nameservers: json<readonly string[]>(),
    asked_at: instant(),
  },
  { indices: { zone_delegations_by_state: ['account_id', 'state', 'domain_id'] } },
);
export type ZoneDelegationRow = RowOf<typeof ZoneDelegationTable>;

/** The latest serial of each zone that every secondary was seen to serve, and that has an event. */
export const ZonePublicationTable = table('zone_publications', {
  domain_id: key(varchar(40)),
  serial: bigint(),
});
export type ZonePublicationRow = RowOf<typeof ZonePublicationTable>;

/** The changes that led to each version of a zone; one of many records takes several rows (`part`). */
export const ZoneChangeTable = table(
  'zone_changes',
  {
    domain_id: key(varchar(40)),
    version: key(bigint()),
    part: key(integer()),
    happened_at: named('at', instant()),
    actor: actor(),
    added: integer(),
    changed: integer(),
    removed: integer(),
    records: longText('longtext'),
    /** The SOA serial that the change led to is the version plus this. */
    serial_offset: withDefault(bigint(), 0),
    /** If the version has another delegation than the one before: that of the one before, as a JSON array of host names. */
    nameservers: nullable(text()),
  },
  { references: [['domain_id', 'zones', 'domain_id']] },
);
export type ZoneChangeRow = RowOf<typeof ZoneChangeTable>;

/** One row: the version of the catalog zone. */
export const CatalogTable = table('dns_catalog', { id: key(integer()), version: bigint() });

/** The domain that joined or left the catalog with each version. */
export const CatalogChangeTable = table(
  'catalog_changes',
  {
    version: key(bigint()),
    domain_id: varchar(40),
    zone_name: varchar(253),
    /** Whether it is a member from this version on. */
    is_member: flag(),
    happened_at: instant(),
  },
  { indices: { catalog_changes_by_time: ['happened_at'] } },
);
export type CatalogChangeRow = RowOf<typeof CatalogChangeTable>;

export const TsigKeyTable = table('tsig_keys', {
  name: key(varchar(63)),
  algorithm: varchar<TsigAlgorithm>(20),
  sealed_secret: text(),
  created_at: instant(),
  revoked_at: nullable(instant()),
});
export type TsigKeyRow = RowOf<typeof TsigKeyTable>;

export const SecondaryTable = table(
  'secondaries',
  {
    name: key(varchar(63)),
    address: partOf('endpoint', 'address', varchar(45)),
    port: partOf('endpoint', 'port', integer()),
    key_name: varchar(63),
    signs: flag(),
    created_at: instant(),
    /** Zones changed before this time are known to be served by the secondary. */
    caught_up_to: notInState(withDefault(instant(), 0)),
  },
  { references: [['key_name', 'tsig_keys', 'name']] },
);
export type SecondaryRow = RowOf<typeof SecondaryTable>;

/** One row for each ALIAS record: what its zone has in its place. */
export const AliasTable = table(
  'aliases',
  {
    domain_id: key(varchar(40)),
    name: key(varchar(253)),
    /** The canonical target. */
    target: varchar(253),
    addresses: json<AliasAddresses>(),
    /** When the addresses are to be compared with the target's; null if that is done. */
    due_at: nullable(instant()),
  },
  {
    indices: { aliases_due: ['due_at'], aliases_by_target: ['target', 'domain_id', 'name'] },
    references: [['domain_id', 'zones', 'domain_id']],
  },
);
export type AliasRow = RowOf<typeof AliasTable>;

/** What is known of the targets of ALIAS records, for all records that have the target. */
export const AliasTargetTable = table(
  'alias_targets',
  {
    target: key(varchar(253)),
    /** JSON, with times as epoch milliseconds. */
    answers: storedIn<string, AliasTarget['answers']>(text(), {
      read: (stored) =>
        JSON.parse(stored, (member, value) =>
          member === 'answeredAt' ? new Date(Number(value)) : (value as unknown),
        ) as AliasTarget['answers'],
      write: (answers) =>
        JSON.stringify(
          Object.fromEntries(
            Object.entries(answers).map(([type, answer]) => [
              type,
              { ...answer, answeredAt: answer.answeredAt.getTime() },
            ]),
          ),
        ),
    }),
    error: nullable(text()),
    failing_since: nullable(instant()),
    failures: integer(),
    checked_at: nullable(instant()),
    due_at: instant(),
  },
  { indices: { alias_targets_due: ['due_at'] } },
);
export type AliasTargetRow = RowOf<typeof AliasTargetTable>;
