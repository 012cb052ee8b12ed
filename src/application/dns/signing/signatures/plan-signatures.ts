import type { TouchedNames } from '../../../ports/dns/zone-repository';
import { ancestorsOf } from '../../../../domain/dns/dnssec/canonical-names';
import { chainKey, chainOwner, linkData, relink, type LinksBefore } from '../../../../domain/dns/dnssec/denial-chain';
import { RR_TYPE } from '../../../../domain/dns/dnssec/rr-types';
import { isOccluded, signedName, type NamedRrset, type SignedName } from '../../../../domain/dns/dnssec/signed-content';
import { DISCOVERY_NAME } from '../../../../domain/dns/discovery';
import { fullOwnerName, ROOT } from '../../../../domain/dns/records/record-name';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import type { SignedZoneState } from '../../../ports/dns/signing-repository';
import { runCooperatively, yieldBetween } from '../../../shared/run-cooperatively';
import { settleAll } from '../../../shared/settle-all';
import type { RrsetSigner } from './rrset-signer';
import { SignatureChanges, type PendingSignatures, type WantedRrset } from './signature-changes';
import { StoredRows, type PlanReader } from './stored-rows';

/** The RRsets at the apex that the service makes, and the TTL of NSEC and NSEC3 records. */
export interface ApexContent {
  readonly soa: NamedRrset;
  /** Most changes leave them as they are. */
  readonly others: () => readonly NamedRrset[];
  readonly denialTtl: number;
}

interface PlanParts {
  readonly zone: SignedZoneState;
  readonly apex: ApexContent;
  readonly reader: PlanReader;
  readonly signer: RrsetSigner;
  /** Derived RRsets that get new signatures, as `name type`, even if they do not change. */
  readonly expiring?: ReadonlySet<string>;
  readonly isOneOfMany?: boolean;
}

/** Longer work yields to the event loop after so many names. */
const NAMES_PER_SLICE = 100;
/** For more names than these, all derived RRsets are read at once. */
const MANY_NAMES = 1_000;

/**
 * What has to be written so that the signatures and the chain are those of the zone as it is now. Only what differs is signed. When it
 * returns, nothing is read any longer, so the zone may be written while it is signed.
 */
export async function planSignatures(parts: PlanParts, touched: TouchedNames | 'all'): Promise<PendingSignatures> {
  const { reader, zone } = parts;
  const stored = new StoredRows(zone, reader);
  if (touched === 'all' || touched.names.size > MANY_NAMES) await stored.loadAll();
  const names = touched === 'all' ? await allNames(zone, reader, stored) : await touchedNames(zone, reader, touched);
  // Together, so that a short transaction does not wait for one after the other.
  const [contents] = await settleAll([readContents(parts, names, stored), stored.load(names)]);
  const changes = new SignatureChanges(parts, stored);
  if (!names.has(ROOT)) await changes.add([wantedRrset(parts, ROOT, parts.apex.soa)]);
  for await (const some of yieldBetween(chunksOf(contents, NAMES_PER_SLICE)))
    await changes.add(some.flatMap(([name, { signed }]) => signed.map((rrset) => wantedRrset(parts, name, rrset))));
  for await (const some of yieldBetween(chunksOf(await planLinks(parts, contents, stored), NAMES_PER_SLICE)))
    await changes.add(some);
  changes.finish(names);
  return changes;
}

async function allNames(zone: SignedZoneState, reader: PlanReader, stored: StoredRows): Promise<ReadonlySet<string>> {
  const names = new Set([ROOT, ...(zone.discovery === undefined ? [] : [DISCOVERY_NAME])]);
  for (const name of stored.names()) names.add(name);
  for await (const some of yieldBetween(chunksOf(await reader.readNames(zone.domainId), NAMES_PER_SLICE)))
    for (const name of some) addWithAncestors(names, name, zone);
  return names;
}

async function touchedNames(
  zone: SignedZoneState,
  reader: PlanReader,
  { names, cuts }: TouchedNames,
): Promise<ReadonlySet<string>> {
  const touched = new Set<string>();
  for (const name of names) addWithAncestors(touched, name, zone);
  if (cuts.has(ROOT) && zone.discovery !== undefined) touched.add(DISCOVERY_NAME);
  for (const cut of cuts)
    for (const name of await reader.readNames(zone.domainId, cut)) addWithAncestors(touched, name, zone);
  return touched;
}

/** Empty non-terminals have NSEC3 records, so what happens below a name matters to it. The apex always has one. */
function addWithAncestors(names: Set<string>, name: string, { denial }: SignedZoneState): void {
  names.add(name);
  if (denial === 'nsec3') for (const ancestor of ancestorsOf(name)) if (ancestor !== ROOT) names.add(ancestor);
}

async function readContents(
  { apex, reader, zone }: PlanParts,
  names: ReadonlySet<string>,
  stored: StoredRows,
): Promise<ReadonlyMap<string, SignedName>> {
  const withAncestors = new Set(names);
  for await (const some of yieldBetween(chunksOf(names, NAMES_PER_SLICE)))
    for (const name of some) for (const ancestor of ancestorsOf(name)) withAncestors.add(ancestor);
  const rrsets = new Map(await reader.rrsetsAt(zone, [...withAncestors]));
  if (names.has(ROOT)) rrsets.set(ROOT, [...(rrsets.get(ROOT) ?? []), apex.soa, ...apex.others()]);
  const contents = new Map<string, SignedName>();
  const parents = new Set<string>();
  for await (const some of yieldBetween(
    chunksOf(zone.denial === 'nsec' ? names : deepestFirst(names), NAMES_PER_SLICE),
  ))
    for (const name of some) {
      let content = signedName(name, rrsets, zone.denial);
      if (!content.exists && zone.denial === 'nsec3' && !isOccluded(name, rrsets) && !rrsets.has(name)) {
        const isNonTerminal = parents.has(name) || (await hasNamesBelow(name, names, stored));
        if (isNonTerminal) content = { signed: [], types: [], exists: true };
      }
      contents.set(name, content);
      if (content.exists) for (const ancestor of ancestorsOf(name)) parents.add(ancestor);
    }
  return contents;
}

/** Whether names below `name` that the change does not touch exist. */
async function hasNamesBelow(name: string, touched: ReadonlySet<string>, stored: StoredRows): Promise<boolean> {
  const below = await stored.linkedNamesBelow(name, touched.size + 1);
  return below.some((each) => !touched.has(each));
}

function wantedRrset({ zone }: PlanParts, name: string, rrset: NamedRrset): WantedRrset {
  const { type, ttl, rdata, isOfService = name === ROOT && SERVICE_TYPES.has(type) } = rrset;
  const owner = fullOwnerName(name, zone.zoneName);
  return { name, rrset: { name: owner, type, ttl, rdata }, isDerived: isOfService, chainKey: null };
}

const SERVICE_TYPES: ReadonlySet<number> = new Set([
  RR_TYPE.SOA,
  RR_TYPE.DNSKEY,
  RR_TYPE.CDS,
  RR_TYPE.CDNSKEY,
  RR_TYPE.NSEC3PARAM,
]);

/** The links of the chain at the touched names, and those before a link that comes or goes. */
async function planLinks(
  { apex, zone }: PlanParts,
  contents: ReadonlyMap<string, SignedName>,
  stored: StoredRows,
): Promise<readonly WantedRrset[]> {
  const { denial, zoneName } = zone;
  const nameOf = new Map<string, string>();
  const present = new Map<string, readonly number[]>();
  for await (const some of yieldBetween(chunksOf(contents, NAMES_PER_SLICE)))
    for (const [name, { types }] of some) {
      const key = chainKey(name, zoneName, denial);
      nameOf.set(key, name);
      if (types) present.set(key, types);
    }
  const linksBefore: LinksBefore = async (keys) => {
    const found = await stored.linksBefore(keys);
    for (const link of found) if (link) nameOf.set(link.key, link.name);
    return found;
  };
  const links = await relink({ present, stored: stored.linksAt(nameOf.keys()) }, linksBefore, runCooperatively);
  const type = denial === 'nsec' ? RR_TYPE.NSEC : RR_TYPE.NSEC3;
  const wanted: WantedRrset[] = [];
  for await (const some of yieldBetween(chunksOf(links, NAMES_PER_SLICE)))
    for (const link of some)
      wanted.push({
        name: nameOf.get(link.key) as string,
        rrset: {
          name: chainOwner(link.key, zoneName, denial),
          type,
          ttl: apex.denialTtl,
          rdata: [linkData(link, zoneName, denial)],
        },
        isDerived: true,
        chainKey: link.key,
      });
  return wanted;
}

function* chunksOf<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let some: T[] = [];
  for (const item of items) {
    some.push(item);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** More labels first, so that the names below a name are known before it. */
function deepestFirst(names: Iterable<string>): readonly string[] {
  const byDepth = [...groupedBy(names, depthOf)].toSorted(([one], [other]) => other - one);
  return byDepth.flatMap(([, sameDepth]) => sameDepth);
}

function depthOf(name: string): number {
  return name === ROOT ? 0 : name.split('.').length;
}
