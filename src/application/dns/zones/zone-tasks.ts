import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { LimitExceeded, RecordConflict } from '../../../domain/dns/errors';
import { ZoneFileReader, type ZoneFileReading } from '../../../domain/dns/zone-file/read-zone-file';
import { zoneFileEntries } from '../../../domain/dns/zone-file/zone-file-entries';
import { ruleViolations, type ZoneLimits } from '../../../domain/dns/zone-rules';
import { ZoneInspection } from '../../../domain/dns/zone-warnings';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { CooperativeTask } from '../../run-cooperatively';

/** Reads a zone file line by line. `text` may come in pieces of any length. */
export function* readZoneFile(
  text: string | Iterable<string>,
  zoneName: string,
  maxRecords: number,
): CooperativeTask<ZoneFileReading> {
  const reader = new ZoneFileReader(zoneName, maxRecords);
  for (const entry of zoneFileEntries(text)) {
    yield;
    if (entry && !reader.add(entry)) break;
  }
  return reader.finish();
}

/**
 * Checks the zone that a write would produce, owner name by owner name.
 * @param records all records of the resulting zone at the owner names of `changed`
 */
export function* findZoneRuleViolations(
  records: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  limits?: ZoneLimits,
): CooperativeTask<readonly (RecordConflict | LimitExceeded)[]> {
  const found: (RecordConflict | LimitExceeded)[] = [];
  for (const sameName of groupedBy(records, (record) => record.name).values()) {
    yield;
    found.push(...ruleViolations(sameName, changed, limits));
  }
  return found;
}

/** All warnings about a zone, each once, in record order. */
export function* zoneWarnings(
  records: readonly DnsRecord[],
  zoneName: string,
  nameservers: readonly string[] = [],
): CooperativeTask<readonly string[]> {
  const inspection = new ZoneInspection(zoneName);
  for (const record of records) {
    yield;
    inspection.add(record);
  }
  const warnings = new Set<string>();
  for (const record of records) {
    yield;
    for (const warning of inspection.warningsOf(record)) warnings.add(warning);
  }
  for (const warning of inspection.warningsOfDelegation(nameservers)) warnings.add(warning);
  return [...warnings];
}
