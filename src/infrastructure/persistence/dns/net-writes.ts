import type { ZoneChange, ZoneWrite } from '../../../application/ports/dns/zone-repository';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { groupedBy } from '../../../domain/shared/grouped-by';

export interface WrittenRecord {
  readonly domainId: string;
  readonly record: DnsRecord;
}

interface Rise {
  readonly domainIds: readonly string[];
  /** By how many versions each of these zones rises. */
  readonly times: number;
  /** By how many records each of them grows; negative if it shrinks. */
  readonly growth: number;
}

/** The net effect of writes in their order: the ids of stored records to delete, and the records to insert after that. */
export function netRecords(writes: readonly ZoneWrite[]): {
  readonly deleted: readonly string[];
  readonly inserted: readonly WrittenRecord[];
} {
  const deleted: string[] = [];
  const inserted = new Map<string, WrittenRecord>();
  for (const { zone, change } of writes) {
    const { added, changed, removed } = change;
    for (const { id } of [...changed.map(({ before }) => before), ...removed])
      if (!inserted.delete(id)) deleted.push(id);
    for (const record of [...changed.map(({ after }) => after), ...added])
      inserted.set(record.id, { domainId: zone.domainId, record });
  }
  return { deleted, inserted: [...inserted.values()] };
}

/** The zones of `writes`, those that change equally often and grow equally together. */
export function risesOf(writes: readonly ZoneWrite[]): readonly Rise[] {
  const zones = [...groupedBy(writes, ({ zone }) => zone.domainId)].map(([domainId, ofZone]) => ({
    domainId,
    times: ofZone.length,
    growth: ofZone.reduce((sum, { change }) => sum + growthOf(change), 0),
  }));
  return [...groupedBy(zones, ({ times, growth }) => `${times} ${growth}`).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ times, growth }) => ({ domainIds: alike.map(({ domainId }) => domainId), times, growth })),
  );
}

export function growthOf({ added, removed }: ZoneChange): number {
  return added.length - removed.length;
}
