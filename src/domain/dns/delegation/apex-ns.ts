import { DEFAULT_TTL, DnsRecord, type DnsRecordState } from '../records/dns-record';
import { ROOT } from '../records/record-name';

type NsRecord = Pick<DnsRecordState, 'content' | 'ttl'>;

interface NsRrset {
  readonly ttl: number;
  readonly hosts: readonly string[];
}

/** Whether a record belongs to the RRset that the zone shares with the delegation. */
export function isApexNs({ name, type }: Pick<DnsRecordState, 'name' | 'type'>): boolean {
  return name === ROOT && type === 'NS';
}

/**
 * The NS RRset of the apex: the delegation and the NS records at `@`, with one TTL (RFC 2181, section 5.2). A nameserver of the
 * delegation has the default TTL, unless a record repeats it with another.
 */
export function apexNsOf(
  { nameservers }: { readonly nameservers: readonly string[] },
  records: readonly NsRecord[],
): NsRrset {
  const ttls = new Map(nameservers.map((host) => [host, DEFAULT_TTL]));
  for (const { content, ttl } of records) ttls.set(content, ttl);
  return { ttl: ttls.size === 0 ? DEFAULT_TTL : Math.min(...ttls.values()), hosts: [...ttls.keys()] };
}

/** Set if a record has a longer TTL than the RRset gets (RFC 2181, section 5.2). @param records those at the apex */
export function apexTtlWarning(records: readonly DnsRecord[], nameservers: readonly string[]): string | undefined {
  const states = records.filter(isApexNs).map((record) => record.toState());
  const { ttl } = apexNsOf({ nameservers }, states);
  if (states.every((record) => record.ttl <= ttl)) return undefined;
  const unrepeated = nameservers.filter((host) => states.every(({ content }) => content !== host));
  return [
    `NS records at @ have different TTLs; the lowest, ${ttl}, is published for all`,
    ...(ttl === DEFAULT_TTL && unrepeated.length > 0
      ? [`nameservers of the domain have it unless an NS record at @ repeats them: ${unrepeated.join(', ')}`]
      : []),
  ].join('; ');
}

/** Whether the zone without this record serves the same: it repeats the delegation with its TTL. */
export function repeatsDelegation(record: DnsRecord, delegation: readonly string[]): boolean {
  return isApexNs(record) && record.ttl === DEFAULT_TTL && delegation.includes(record.toState().content);
}

/** Whether `wanted` is the RRset that the zone serves by the delegation and the `stored` records, which all are among it. */
export function isServedApexNs(
  wanted: readonly NsRecord[],
  stored: readonly NsRecord[],
  delegation: readonly string[],
): boolean {
  const served = apexNsOf({ nameservers: delegation }, stored);
  const after = apexNsOf({ nameservers: delegation }, wanted);
  const hosts = new Set(wanted.map(({ content }) => content));
  return (
    wanted.every(({ ttl }) => ttl === served.ttl) &&
    stored.every(({ content }) => hosts.has(content)) &&
    after.ttl === served.ttl &&
    after.hosts.length === served.hosts.length
  );
}

/** The delegation before and after a change of the nameservers. */
export interface DelegationChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * How the records at the apex that repeat the delegation follow it: those of former nameservers move to new ones, so that the RRset
 * keeps its TTL. Without that TTL to keep, or a new nameserver to move to, they are removed.
 */
export function followDelegation(
  records: readonly DnsRecord[],
  { before, after }: DelegationChange,
  newId: () => string,
  now: Date,
) {
  const present = records.filter(isApexNs).map((record) => record.toState());
  const { ttl } = apexNsOf({ nameservers: before }, present);
  const copies = present.filter(({ content }) => before.includes(content));
  const former = copies.filter(({ content }) => !after.includes(content));
  const missing =
    copies.length > 0 && ttl !== DEFAULT_TTL
      ? after.filter((host) => present.every(({ content }) => content !== host))
      : [];
  const changed = former.slice(0, missing.length).map((record, index) => ({
    before: DnsRecord.fromState(record),
    after: DnsRecord.fromState({ ...record, content: missing[index] ?? '', ttl, written: null, updatedAt: now }),
  }));
  const removed = former.slice(missing.length).map((record) => DnsRecord.fromState(record));
  const added = missing
    .slice(former.length)
    .flatMap((content) =>
      copies
        .slice(0, 1)
        .map((copy) =>
          DnsRecord.fromState({ ...copy, id: newId(), content, ttl, written: null, createdAt: now, updatedAt: now }),
        ),
    );
  return { added, changed, removed };
}
