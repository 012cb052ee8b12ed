import type { Answer } from 'dns-packet';
import type { RrsetChange, ZoneSnapshot } from '../../../application/ports/dns/published-zones';
import { ROOT } from '../../../domain/dns/records/record-name';
import type { PrimarySettings } from '../primary-settings';
import { apexNs, recordRrset, SERIAL_NAME, serialRecord, zoneSoa } from '../zone-rrsets';
import type { Difference } from './zone-transfers';

/**
 * Compares what was published with `serial` to what is published now. Undefined if the history does not tell, or if the whole zone is
 * shorter. RRsets are compared and not records, because a record can change the TTL of others (RFC 2181, section 5.2).
 */
export async function zoneDifference(
  zone: ZoneSnapshot,
  serial: number,
  { settings, withSerialRecord }: { readonly settings: PrimarySettings; readonly withSerialRecord: boolean },
): Promise<Difference | undefined> {
  // The history of signatures is not read yet.
  if ('signed' in zone) return undefined;
  const found = await zone.differenceFrom(serial, withSerialRecord ? [SERIAL_NAME] : []);
  if (!found) return undefined;
  const { nameservers, rrsets } = found;
  const former = { ...zone, serial, nameservers };
  const rootNs = rrsets.find(isRootNs) ?? { before: await zone.rootNameservers(), after: await zone.rootNameservers() };
  const pairs: (readonly [before: readonly Answer[], after: readonly Answer[]])[] = [
    [apexNs(former, rootNs.before), apexNs(zone, rootNs.after)],
    ...rrsets
      .filter((rrset) => !isRootNs(rrset))
      .map(({ before, after }) => [recordRrset(before, zone.zoneName), recordRrset(after, zone.zoneName)] as const),
  ];
  if (withSerialRecord) pairs.push([serialRrset(former, rrsets, 'before'), serialRrset(zone, rrsets, 'after')]);
  const removed = pairs.flatMap(([before, after]) => missingIn(after, before));
  const added = pairs.flatMap(([before, after]) => missingIn(before, after));
  if (removed.length + added.length > zone.recordCount + zone.nameservers.length) return undefined;
  return { before: zoneSoa(former, settings), removed, added };
}

function isRootNs({ name, type }: RrsetChange): boolean {
  return name === ROOT && type === 'NS';
}

/** The user's own records at that name take precedence. */
function serialRrset(
  zone: Parameters<typeof serialRecord>[0],
  rrsets: readonly RrsetChange[],
  side: 'before' | 'after',
): readonly Answer[] {
  const isTaken = rrsets.some((rrset) => rrset.name === SERIAL_NAME && rrset[side].length > 0);
  return isTaken ? [] : [serialRecord(zone)];
}

/** The records of `wanted` that `others` does not have with the same TTL. */
function missingIn(others: readonly Answer[], wanted: readonly Answer[]): readonly Answer[] {
  const keys = new Set(others.map(keyOf));
  return wanted.filter((answer) => !keys.has(keyOf(answer)));
}

/** All records of a pair have one name and type. */
function keyOf(answer: Answer): string {
  return 'data' in answer && 'ttl' in answer ? JSON.stringify([answer.ttl, answer.data]) : '';
}
