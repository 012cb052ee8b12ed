import { groupedBy } from '../../shared/grouped-by';
import { isAtOrBelow } from '../../shared/name-relation';
import { DnsRecord } from '../records/dns-record';
import { fullOwnerName, relativeOwnerName } from '../records/record-name';
import { isKeptFor, isKeptForZone, type SubZone } from './sub-zone';
import type { ZoneChange } from '../zone-change';
import { zoneIdOf } from '../zone-id';
import { addressesOfClassless, readClassless } from '../zone-names/classless-label';
import { isReverseName } from '../zone-names/reverse-tree';

/** Of a delegation, in the zone above it. */
interface DelegationPlace {
  /** Of its NS records. */
  readonly owner: string;
  /** Of the aliases that lead into a part of a /24 network (RFC 2317): one for each address. */
  readonly aliases: readonly string[];
}

export function delegationPlace(above: string, zoneName: string): DelegationPlace {
  return {
    owner: relativeOwnerName(zoneName, above),
    aliases: aliasesInto(zoneName).map(({ name }) => relativeOwnerName(name, above)),
  };
}

/**
 * What the zone `above` keeps of a zone: its NS records, the addresses of nameservers that lie in the zone itself (glue), and aliases
 * into a part of a /24 network. DS records come by themselves.
 * @param addresses of nameservers, as the zone has them @param newId of a record
 */
export function delegationRecords(
  above: string,
  { id, name, nameservers }: SubZone,
  addresses: readonly DnsRecord[],
  newId: () => string,
  now: Date,
): readonly DnsRecord[] {
  const managedBy = zoneIdOf(id);
  const ns = nameservers.map((content) => ({ type: 'NS', name, content }));
  const glue = addresses.map((record) => {
    const { type, content, ttl, name: owner } = record.toState();
    return { type, name: fullOwnerName(owner, name), content, ttl };
  });
  const aliases = aliasesInto(name).map((alias) => ({ type: 'CNAME', ...alias }));
  return [...ns, ...glue, ...aliases].map((draft) =>
    DnsRecord.create({ ...draft, name: relativeOwnerName(draft.name, above), managedBy }, above, newId(), now, [
      'NS',
      'A',
      'AAAA',
      'CNAME',
    ]),
  );
}

/** The names of nameservers that lie in the zone itself, relative to it: only the zone above can tell resolvers their addresses. */
export function hostsInside({ name, nameservers }: Pick<SubZone, 'name' | 'nameservers'>): readonly string[] {
  return nameservers.filter((host) => isAtOrBelow(host, name)).map((host) => relativeOwnerName(host, name));
}

/**
 * How the zone above comes to have the `wanted` delegation of a zone, DS records apart. An alias gives way to what stands at its name,
 * but for one into a larger network.
 * @param present at all names where the zone above keeps something for the zone, and the new ones
 */
export function delegationChange(
  zone: Pick<SubZone, 'id'>,
  present: readonly DnsRecord[],
  wanted: readonly DnsRecord[],
): ZoneChange {
  const byName = groupedBy(present, ({ name }) => name);
  const isFree = (alias: DnsRecord): boolean =>
    (byName.get(alias.name) ?? []).every((each) => isKeptFor(zone, each) || isInto(each, alias));
  const possible = wanted.filter((each) => each.type !== 'CNAME' || isFree(each));
  const [known, stays] = [present, possible].map((records) => new Set(records.map((each) => each.identity())));
  const added = possible.filter((each) => !known?.has(each.identity()));
  const replaced = added.flatMap((each) => (each.type === 'CNAME' ? (byName.get(each.name) ?? []) : []));
  const kept = present.filter((each) => isKeptFor(zone, each) && each.type !== 'DS' && !stays?.has(each.identity()));
  return { added, changed: [], removed: [...new Set([...kept, ...replaced])] };
}

/** Of the delegations of several zones: of the aliases at one name, only that into the smallest network. */
export function withoutLargerAliases(records: readonly DnsRecord[]): readonly DnsRecord[] {
  const aliases = new Map<string, DnsRecord>();
  for (const each of records.filter(({ type }) => type === 'CNAME')) {
    const other = aliases.get(each.name);
    if (!other || isInto(other, each)) aliases.set(each.name, each);
  }
  return records.filter((each) => each.type !== 'CNAME' || aliases.get(each.name) === each);
}

/** Whether the alias of another zone leads into a larger network than `alias`. */
function isInto(other: DnsRecord, alias: DnsRecord): boolean {
  const [network, smaller] = [other, alias].map((each) => readClassless(each.toState().content.split('.')[1] ?? ''));
  return isKeptForZone(other.toState()) && other.type === 'CNAME' && (network?.length ?? 0) < (smaller?.length ?? 0);
}

interface AliasOfAddress {
  /** Full. */
  readonly name: string;
  readonly content: string;
}

function aliasesInto(zoneName: string): readonly AliasOfAddress[] {
  const [label = '', ...network] = zoneName.split('.');
  const part = isReverseName(zoneName) && network.length === LABELS_OF_24 ? readClassless(label) : undefined;
  if (!part) return [];
  return addressesOfClassless(part).map((octet) => ({
    name: `${octet}.${network.join('.')}`,
    content: `${octet}.${zoneName}`,
  }));
}

/** `2.0.192.in-addr.arpa` */
const LABELS_OF_24 = 5;
