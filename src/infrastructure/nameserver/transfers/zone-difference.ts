import type { Answer, SoaAnswer } from 'dns-packet';
import type {
  PublishedDerived,
  PublishedDerivedChange,
  RrsetChange,
  ZoneSnapshot,
} from '../../../application/ports/dns/publishing';
import { isApexNs } from '../../../domain/dns/delegation/apex-ns';
import type { PrimaryZoneSettings } from '../primary-zone-settings';
import { RR_TYPE } from '../../../domain/dns/dnssec/rr-types';
import { DISCOVERY_NAME } from '../../../domain/dns/discovery';
import {
  apexNs,
  derivedAnswers,
  discoveryRecords,
  recordRrset,
  signedSoa,
  SERIAL_NAME,
  serialRecord,
  zoneSoa,
} from '../zone-rrsets';

/** The records that lead from the client's version of a zone to the current one: RFC 1995, section 4. */
export interface TransferDifference {
  readonly before: SoaAnswer;
  readonly removed: readonly Answer[];
  readonly added: readonly Answer[];
}

/**
 * Compares what was published with `serial` to what is published now. Undefined if the history does not tell, or if the whole zone is
 * shorter. RRsets are compared and not records, because a record can change the TTL of others (RFC 2181, section 5.2).
 */
export async function zoneDifference(
  zone: ZoneSnapshot,
  serial: number,
  { settings, withSerialRecord }: { readonly settings: PrimaryZoneSettings; readonly withSerialRecord: boolean },
): Promise<TransferDifference | undefined> {
  const found = await zone.differenceFrom(serial, [DISCOVERY_NAME, ...(withSerialRecord ? [SERIAL_NAME] : [])]);
  if (!found) return undefined;
  const { derived, nameservers, rrsets } = found;
  const former = { ...zone, serial, nameservers };
  const rootNs = rrsets.find(isApexNs) ?? { before: await zone.rootNameservers(), after: await zone.rootNameservers() };
  const pairs: (readonly [before: readonly Answer[], after: readonly Answer[]])[] = [
    [apexNs(former, rootNs.before), apexNs(zone, rootNs.after)],
    ...rrsets
      .filter((rrset) => !isApexNs(rrset))
      .map(({ before, after }) => [recordRrset(before, zone.zoneName), recordRrset(after, zone.zoneName)] as const),
  ];
  pairs.push(...derived.map(({ before, after }) => [published(zone, before), published(zone, after)] as const));
  // It was the same at the former serial: no difference leads past its change.
  if (!zone.signed)
    pairs.push([
      unlessTaken(DISCOVERY_NAME, rrsets, 'before', () => discoveryRecords(zone)),
      unlessTaken(DISCOVERY_NAME, rrsets, 'after', () => discoveryRecords(zone)),
    ]);
  // A secondary does not sign a zone that the service signs.
  if (withSerialRecord && !zone.signed)
    pairs.push([
      unlessTaken(SERIAL_NAME, rrsets, 'before', () => [serialRecord(former)]),
      unlessTaken(SERIAL_NAME, rrsets, 'after', () => [serialRecord(zone)]),
    ]);
  const removed = pairs.flatMap(([before, after]) => missingIn(after, before));
  const added = pairs.flatMap(([before, after]) => missingIn(before, after));
  // Each RRset of a signed zone has a signature, and each name an NSEC record.
  const whole = (zone.recordCount + zone.nameservers.length) * (zone.signed ? 2 : 1);
  if (removed.length + added.length > whole) return undefined;
  const before = zone.signed ? formerSoa(zone.zoneName, derived) : zoneSoa(former, settings);
  return before && { before, removed, added };
}

function published({ zoneName }: ZoneSnapshot, derived: PublishedDerived | null): readonly Answer[] {
  return derived ? derivedAnswers(zoneName, derived) : [];
}

/** The SOA record that was signed; it changes with every serial. */
function formerSoa(zoneName: string, derived: readonly PublishedDerivedChange[]): SoaAnswer | undefined {
  const soa = derived.find(({ before }) => before?.type === RR_TYPE.SOA)?.before;
  return soa ? signedSoa(zoneName, soa) : undefined;
}

/** The user's own records at that name take precedence. */
function unlessTaken(
  name: string,
  rrsets: readonly RrsetChange[],
  side: 'before' | 'after',
  records: () => readonly Answer[],
): readonly Answer[] {
  const isTaken = rrsets.some((rrset) => rrset.name === name && rrset[side].length > 0);
  return isTaken ? [] : records();
}

/** The records of `wanted` that `others` does not have with the same TTL. */
function missingIn(others: readonly Answer[], wanted: readonly Answer[]): readonly Answer[] {
  const keys = new Set(others.map(keyOf));
  return wanted.filter((answer) => !keys.has(keyOf(answer)));
}

/** All records of a pair have one name. */
function keyOf(answer: Answer): string {
  return 'data' in answer && 'ttl' in answer ? JSON.stringify([answer.type, answer.ttl, answer.data]) : '';
}
