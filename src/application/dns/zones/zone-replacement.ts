import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { CooperativeTask } from '../../run-cooperatively';
import type { ChangedRecord, ZoneChange } from '../../ports/dns/zone-repository';

/**
 * What makes a zone consist of the `wanted` records, touching as little as possible: records that are there already stay,
 * and one that differs from another of its name and type takes that one's place. The domain's own delegation comes from
 * the registry, so that repeating it at the root adds no record.
 */
export function* replacement(
  current: readonly DnsRecordState[],
  wanted: readonly DnsRecord[],
  delegation: readonly string[],
  now: Date,
): CooperativeTask<ZoneChange> {
  const there = new Map<string, DnsRecord>();
  for (const record of current.map((state) => DnsRecord.fromState(state))) {
    yield;
    there.set(record.identity(), record);
  }
  const changed: ChangedRecord[] = [];
  const missing: DnsRecord[] = [];
  for (const record of wanted) {
    yield;
    const identity = record.identity();
    const before = there.get(identity);
    there.delete(identity);
    if (before && before.ttl !== record.ttl) changed.push({ before, after: inPlaceOf(before, record, now) });
    else if (!before && !repeatsDelegation(record, delegation)) missing.push(record);
  }
  const superfluous = groupedBy(there.values(), placeOf);
  const added: DnsRecord[] = [];
  for (const record of missing) {
    yield;
    const before = superfluous.get(placeOf(record))?.shift();
    if (before) changed.push({ before, after: inPlaceOf(before, record, now) });
    else added.push(DnsRecord.fromState({ ...record.toState(), createdAt: now, updatedAt: now }));
  }
  return { added, changed, removed: [...superfluous.values()].flat() };
}

function placeOf({ name, type }: DnsRecord): string {
  return `${name} ${type}`;
}

function inPlaceOf(before: DnsRecord, record: DnsRecord, updatedAt: Date): DnsRecord {
  const { id, createdAt } = before.toState();
  return DnsRecord.fromState({ ...record.toState(), id, createdAt, updatedAt });
}

function repeatsDelegation(record: DnsRecord, delegation: readonly string[]): boolean {
  return record.type === 'NS' && record.name === ROOT && delegation.includes(record.toState().content);
}
