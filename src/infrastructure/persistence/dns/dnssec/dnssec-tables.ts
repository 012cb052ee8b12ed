import type { DsRecord } from '../../../../domain/dns/delegation/ds-record';
import type { ScanOutcome } from '../../../../domain/dns/dnssec/parent/cds-scan';
import type { ParentNotice } from '../../../../domain/dns/dnssec/parent/parent-notice';
import type { SigningStep } from '../../../../domain/dns/dnssec/signing-step';
import type { Denial } from '../../../../domain/dns/dnssec/zone-signing-state';
import {
  bigint,
  buffers,
  instant,
  integer,
  json,
  key,
  longText,
  named,
  notInState,
  nullable,
  partOf,
  storedIn,
  text,
  varchar,
} from '../../database/columns';
import { table, type RowOf } from '../../database/table';

/** JSON, with the time in milliseconds since 1970. */
function parentNotice() {
  return storedIn<string, ParentNotice>(text(), {
    read: (stored) => {
      const { sentAt, ...notice } = JSON.parse(stored) as Omit<ParentNotice, 'sentAt'> & { readonly sentAt: number };
      return { ...notice, sentAt: new Date(sentAt) };
    },
    write: ({ sentAt, ...notice }) => JSON.stringify({ ...notice, sentAt: sentAt.getTime() }),
  });
}

/** A zone whose signing is on, or is being switched off; none if it is off. */
export const ZoneSigningTable = table(
  'zone_signing',
  {
    domain_id: key(varchar(40)),
    step: varchar<SigningStep>(20),
    denial: varchar<Denial>(5),
    step_since: instant(),
    state_since: named('since', instant()),
    due_at: instant(),
    serial: nullable(bigint()),
    cached_seconds: integer(),
    wait_until: named('until', nullable(instant())),
    operation_id: nullable(varchar(40)),
    signers: named('dsRecords', nullable(json<readonly DsRecord[]>())),
    key_id: nullable(varchar(40)),
    new_key_id: nullable(varchar(40)),
    key_since: nullable(instant()),
    problem_reason: partOf('problem', 'reason', nullable(text())),
    problem_remedy: partOf('problem', 'remedy', nullable(text())),
    notice: nullable(parentNotice()),
  },
  { indices: { zone_signing_due: ['due_at'] }, references: [['domain_id', 'domains', 'id']] },
);
export type ZoneSigningRow = RowOf<typeof ZoneSigningTable>;

/** The last scan for CDS records of a domain with foreign nameservers. */
export const CdsScanTable = table(
  'cds_scans',
  {
    domain_id: key(varchar(40)),
    outcome: varchar<ScanOutcome>(12),
    reason: nullable(text()),
    scanned_at: instant(),
    due_at: instant(),
    /** Seconds since 1970. */
    inception: nullable(bigint()),
    waiting_signers: partOf('waiting', 'dsRecords', nullable(json<readonly DsRecord[]>())),
    waiting_since: partOf('waiting', 'since', nullable(instant())),
  },
  { references: [['domain_id', 'domains', 'id']] },
);
export type CdsScanRow = RowOf<typeof CdsScanTable>;

export const ZoneKeyTable = table(
  'zone_keys',
  {
    id: key(varchar(40)),
    domain_id: notInState(varchar(40)),
    algorithm: integer(),
    key_tag: integer(),
    /** Base64, as in the DNSKEY record. */
    public_key: varchar(700),
    sealed_private_key: text(),
    created_at: instant(),
    retired_at: nullable(instant()),
  },
  {
    indices: { zone_keys_of_zone: ['domain_id', 'created_at', 'id'] },
    references: [['domain_id', 'zones', 'domain_id']],
  },
);
export type ZoneKeyRow = RowOf<typeof ZoneKeyTable>;

/** What the service adds to a signed zone: a row for each RRset that it makes, and for the signatures of each that it does not. */
export const DerivedRrsetTable = table(
  'derived_rrsets',
  {
    domain_id: notInState(key(varchar(40))),
    /** Relative; of an NSEC3 record, the name whose hash is its owner. */
    name: key(varchar(253)),
    type: key(integer()),
    ttl: integer(),
    /** RDATA; null if the records are the user's. */
    rdata: nullable(buffers(longText('mediumtext'))),
    /** The RDATA of RRSIG records. */
    signatures: buffers(),
    digest: varchar(43),
    refresh_at: instant(),
    /** Sorts NSEC and NSEC3 records in the order of their chain. */
    chain_key: nullable(varchar(253)),
    /** Sorts the names of NSEC3 records in canonical order. */
    tree_key: notInState(nullable(varchar(253))),
  },
  {
    indices: {
      derived_rrsets_in_chain: ['domain_id', 'type', 'chain_key'],
      derived_rrsets_in_tree: ['domain_id', 'tree_key'],
      derived_rrsets_to_refresh: ['refresh_at', 'domain_id'],
    },
    references: [['domain_id', 'zones', 'domain_id']],
  },
);
export type DerivedRrsetRow = RowOf<typeof DerivedRrsetTable>;

/** The derived RRsets before and after the change that led to a serial (RFC 1995); many take several rows (`part`). */
export const DerivedChangeTable = table(
  'derived_changes',
  {
    domain_id: key(varchar(40)),
    serial: key(bigint()),
    part: key(integer()),
    happened_at: instant(),
    /** A JSON array of `StoredDerivedChange`. */
    rrsets: longText('longtext'),
  },
  {
    indices: { derived_changes_by_age: ['happened_at'] },
    references: [['domain_id', 'zones', 'domain_id']],
  },
);
export type DerivedChangeRow = RowOf<typeof DerivedChangeTable>;
