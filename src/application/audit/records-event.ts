import type { EventData } from '../../domain/access/events/account-event';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import { zoneIdOf } from '../../domain/dns/zone-id';
import { sizeOf, type ZoneChange } from '../../domain/dns/zone-change';

/** Octets of JSON; a larger change has a link to the version in the zone's history instead of its records. */
const MAX_OCTETS = 20_000;
/** Of a record in JSON without its texts. */
const SMALLEST_RECORD = 100;
/** So many records with so short texts fit, even if each character is written as six. */
const FEW_RECORDS = 4;
const SHORT_TEXTS = 700;

/** What an event tells of a change of records. */
export function recordsData(change: ZoneChange, version: number, domainId: string): EventData {
  const { added, changed, removed } = change;
  const counts = { added_count: added.length, changed_count: changed.length, removed_count: removed.length };
  const records = sizeOf(change) * SMALLEST_RECORD > MAX_OCTETS ? undefined : shownChange(change);
  if (records && (isSmall(change) || Buffer.byteLength(JSON.stringify(records)) <= MAX_OCTETS))
    return { version, ...counts, ...records };
  return { version, ...counts, link: versionLink(domainId, version) };
}

/** Below the zone: a name without a registration has no domain. */
export function versionLink(domainId: string, version: number): string {
  return `/api/zones/${zoneIdOf(domainId)}/dns/history/${version}`;
}

/** Without writing it as JSON, which the creation of each record would pay. */
function isSmall({ added, changed, removed }: ZoneChange): boolean {
  if (added.length + 2 * changed.length + removed.length > FEW_RECORDS) return false;
  const records = [...added, ...changed.flatMap(({ before, after }) => [before, after]), ...removed];
  return records.every((record) => {
    const { name, content, comment, managedBy } = record.toState();
    return name.length + content.length + (comment?.length ?? 0) + (managedBy?.length ?? 0) <= SHORT_TEXTS;
  });
}

function shownChange({ added, changed, removed }: ZoneChange): EventData {
  return {
    added: added.map(shownRecord),
    changed: changed.map(({ before, after }) => ({ before: shownRecord(before), after: shownRecord(after) })),
    removed: removed.map(shownRecord),
  };
}

function shownRecord(record: DnsRecord): EventData {
  const { id, name, type, content, ttl, priority, weight, port, comment, managedBy } = record.toState();
  return {
    id,
    type,
    name,
    content,
    ttl,
    priority,
    ...(type === 'SRV' && { weight, port }),
    ...(comment !== null && { comment }),
    ...(managedBy !== null && { managed_by: managedBy }),
  };
}
