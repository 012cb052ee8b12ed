import type { ImportedZone } from '../../../../application/dns/zones/import-zone-file';
import type { FormerZone } from '../../../../application/dns/zones/read-zone-history';
import type { ZonePlan } from '../../../../application/dns/zones/zone-plan';
import type { RecordTouched, ZoneVersion } from '../../../../application/ports/dns/zone-history';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import type { DnsRecord } from '../../../../domain/dns/records/dns-record';
import { recordWarnings } from '../../../../domain/dns/record-warnings';
import { LongList } from '../../../shared/long-list';
import { dnsRecord } from './record-presenter';

const MAX_WARNINGS = 100;
/** A record that is yet to be written has no id and no times. */
const UNWRITTEN: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

export function writtenChange({ added, changed, removed }: ZoneChange, version: number): object {
  return {
    created: new LongList(added, (record) => dnsRecord(record.toState())),
    updated: new LongList(changed, ({ after }) => dnsRecord(after.toState())),
    deleted: removed.map(({ id }) => id),
    version,
  };
}

export function importReport({ notes, skippedTypes }: ImportedZone): object {
  return { notes, skipped_types: skippedTypes };
}

/** Likely mistakes in what was written; absent if there are none. */
export function warningsMember(warnings: readonly string[]): object {
  return warnings.length === 0 ? {} : { warnings: warnings.slice(0, MAX_WARNINGS) };
}

/** Those of the records that a request wrote one by one. */
export function writtenWarnings(records: readonly DnsRecord[], zoneName: string): object {
  return warningsMember(records.flatMap((record) => recordWarnings(record, zoneName)));
}

/** `version` is that of the zone as it is. */
export function zonePlan({ zoneVersion, change: { added, changed, removed }, warnings }: ZonePlan): object {
  return {
    dry_run: true,
    version: zoneVersion,
    added: new LongList(added, unwritten),
    changed: new LongList(changed, ({ before, after }) => ({
      before: dnsRecord(before.toState()),
      after: unwritten(after),
    })),
    removed: new LongList(removed, (record) => dnsRecord(record.toState())),
    warnings,
  };
}

export function zoneVersion({ version, at, actor, added, changed, removed }: ZoneVersion): object {
  return {
    version,
    created_at: at.toISOString(),
    by: { kind: actor.kind, id: 'id' in actor ? actor.id : null },
    added,
    changed,
    removed,
  };
}

export function formerZone({ records, changes, ...version }: FormerZone): object {
  return {
    ...zoneVersion(version),
    changes: new LongList(changes, touched),
    records: new LongList(records, dnsRecord),
  };
}

function touched({ before, after }: RecordTouched): object {
  return { before: before && dnsRecord(before), after: after && dnsRecord(after) };
}

function unwritten(record: DnsRecord): object {
  return Object.fromEntries(Object.entries(dnsRecord(record.toState())).filter(([member]) => !UNWRITTEN.has(member)));
}
