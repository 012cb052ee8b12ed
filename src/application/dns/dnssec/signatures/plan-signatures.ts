import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ancestorsOf } from '../../../../domain/dns/dnssec/canonical-names';
import { chainKey, chainOwner, linkData, relink } from '../../../../domain/dns/dnssec/denial-chain';
import type { Rrset } from '../../../../domain/dns/dnssec/rrsig';
import { RR_TYPE } from '../../../../domain/dns/dnssec/rr-types';
import { isOccluded, signedName, type NamedRrset, type SignedName } from '../../../../domain/dns/dnssec/signed-content';
import { fullName, ROOT } from '../../../../domain/dns/records/record-name';
import type {
  DerivedChange,
  DerivedRrset,
  SignedZoneState,
  SigningReader,
} from '../../../ports/dns/signing-repository';
import type { RrsetSigner, SignableRrset, Signatures } from './rrset-signer';
import { rowId, StoredRows } from './stored-rows';

/** What changed in a zone since it was last signed. */
export interface TouchedNames {
  /** Relative names with other records than before. */
  readonly names: ReadonlySet<string>;
  /** Those that became a delegation or DNAME or no longer are one, which concerns the names below them, too. */
  readonly cuts: ReadonlySet<string>;
}

/** The RRsets at the apex that the service makes, and the TTL of NSEC and NSEC3 records. */
export interface ApexContent {
  readonly rrsets: readonly NamedRrset[];
  readonly denialTtl: number;
}

export interface PlanParts {
  readonly zone: SignedZoneState;
  readonly apex: ApexContent;
  readonly reader: SigningReader;
  readonly signer: RrsetSigner;
  /** Derived RRsets that get new signatures, as `name type`, even if they do not change. */
  readonly expiring?: ReadonlySet<string>;
}

/** Longer work yields to the event loop after so many names. */
const NAMES_PER_SLICE = 50;
/** Fewer are signed in this thread, which is quicker. */
const SIGNED_AT_ONCE = 64;
/** For more names than these, all derived RRsets are read at once. */
const MANY_NAMES = 1_000;

interface Wanted {
  readonly name: string;
  readonly rrset: Rrset;
  /** The service makes the records. */
  readonly isDerived: boolean;
  readonly chainKey: string | null;
}

/** What has to be written so that the signatures and the chain are those of the zone as it is now. Only what differs is signed. */
export async function planSignatures(
  parts: PlanParts,
  touched: TouchedNames | 'all',
): Promise<readonly DerivedChange[]> {
  const { reader, zone } = parts;
  const stored = new StoredRows(zone, reader);
  if (touched === 'all' || touched.names.size > MANY_NAMES) await stored.loadAll();
  const names = touched === 'all' ? await allNames(zone, reader, stored) : await touchedNames(zone, reader, touched);
  await stored.load(names);
  const contents = await contentsOf(parts, names, stored);
  const wanted: Wanted[] = [];
  for (const [name, { signed }] of contents) wanted.push(...signed.map((rrset) => wantedOf(parts, name, rrset)));
  const links = await linksOf(parts, contents, stored);
  for (const link of links) wanted.push(link);
  return difference(parts, wanted, stored, names);
}

async function allNames(
  zone: SignedZoneState,
  reader: SigningReader,
  stored: StoredRows,
): Promise<ReadonlySet<string>> {
  const names = new Set([ROOT]);
  for (const name of stored.names()) names.add(name);
  for (const name of await reader.namesOf(zone.domainId)) addWithAncestors(names, name, zone);
  return names;
}

/** The apex is always touched, because the serial changes. */
async function touchedNames(
  zone: SignedZoneState,
  reader: SigningReader,
  { names, cuts }: TouchedNames,
): Promise<ReadonlySet<string>> {
  const touched = new Set([ROOT]);
  for (const name of names) addWithAncestors(touched, name, zone);
  for (const cut of cuts)
    for (const name of await reader.namesOf(zone.domainId, cut)) addWithAncestors(touched, name, zone);
  return touched;
}

/** Empty non-terminals have NSEC3 records, so what happens below a name matters to it. */
function addWithAncestors(names: Set<string>, name: string, { denial }: SignedZoneState): void {
  names.add(name);
  if (denial === 'nsec3') for (const ancestor of ancestorsOf(name)) names.add(ancestor);
}

async function contentsOf(
  { apex, reader, zone }: PlanParts,
  names: ReadonlySet<string>,
  stored: StoredRows,
): Promise<ReadonlyMap<string, SignedName>> {
  const withAncestors = new Set(names);
  for (const name of names) for (const ancestor of ancestorsOf(name)) withAncestors.add(ancestor);
  const rrsets = new Map(await reader.rrsetsAt(zone, [...withAncestors]));
  rrsets.set(ROOT, [...(rrsets.get(ROOT) ?? []), ...apex.rrsets]);
  const contents = new Map<string, SignedName>();
  const parents = new Set<string>();
  let count = 0;
  // Longest first, so that the names below a name are known before it.
  for (const name of zone.denial === 'nsec3' ? [...names].toSorted(byDepth) : names) {
    let content = signedName(name, rrsets, zone.denial);
    if (!content.exists && zone.denial === 'nsec3' && !isOccluded(name, rrsets) && !rrsets.has(name)) {
      const isNonTerminal = parents.has(name) || (await hasNamesBelow(name, names, stored));
      if (isNonTerminal) content = { signed: [], types: [], exists: true };
    }
    contents.set(name, content);
    if (content.exists) for (const ancestor of ancestorsOf(name)) parents.add(ancestor);
    count += 1;
    if (count % NAMES_PER_SLICE === 0) await yieldToEventLoop();
  }
  return contents;
}

/** Whether names below `name` that the change does not touch exist. */
async function hasNamesBelow(name: string, touched: ReadonlySet<string>, stored: StoredRows): Promise<boolean> {
  const below = await stored.linkedNamesBelow(name, touched.size + 1);
  return below.some((each) => !touched.has(each));
}

function wantedOf({ zone }: PlanParts, name: string, rrset: NamedRrset): Wanted {
  const isDerived = name === ROOT && SERVICE_TYPES.has(rrset.type);
  return { name, rrset: { name: fullName(name, zone.zoneName), ...rrset }, isDerived, chainKey: null };
}

const SERVICE_TYPES: ReadonlySet<number> = new Set([
  RR_TYPE.SOA,
  RR_TYPE.DNSKEY,
  RR_TYPE.CDS,
  RR_TYPE.CDNSKEY,
  RR_TYPE.NSEC3PARAM,
]);

/** The links of the chain at the touched names, and those before a link that comes or goes. */
async function linksOf(
  { apex, zone }: PlanParts,
  contents: ReadonlyMap<string, SignedName>,
  stored: StoredRows,
): Promise<readonly Wanted[]> {
  const { denial, zoneName } = zone;
  const nameOf = new Map<string, string>();
  const present = new Map<string, readonly number[]>();
  for await (const [name, { types }] of yieldEvery(NAMES_PER_SLICE, contents)) {
    const key = chainKey(name, zoneName, denial);
    nameOf.set(key, name);
    if (types) present.set(key, types);
  }
  const links = await relink({ present, stored: stored.linksAt(nameOf.keys()) }, async (keys) => {
    const found = await stored.linksBefore(keys);
    for (const link of found) if (link) nameOf.set(link.key, link.name);
    return found;
  });
  const type = denial === 'nsec' ? RR_TYPE.NSEC : RR_TYPE.NSEC3;
  const wanted: Wanted[] = [];
  for await (const link of yieldEvery(NAMES_PER_SLICE, links))
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

async function difference(
  { expiring, signer }: PlanParts,
  wanted: readonly Wanted[],
  stored: StoredRows,
  names: ReadonlySet<string>,
): Promise<readonly DerivedChange[]> {
  const seen = new Set<string>();
  const unsigned: { readonly each: Wanted; readonly signable: SignableRrset; readonly before: DerivedRrset | null }[] =
    [];
  for await (const each of yieldEvery(NAMES_PER_SLICE, wanted)) {
    const id = rowId(each.name, each.rrset.type);
    seen.add(id);
    const before = stored.row(id) ?? null;
    const signable = signer.signable(each.rrset);
    if (before?.digest !== signable.digest || expiring?.has(id)) unsigned.push({ each, signable, before });
  }
  const changes: DerivedChange[] = [];
  for (const some of chunksOf(unsigned, SIGNED_AT_ONCE)) {
    const signed =
      unsigned.length < SIGNED_AT_ONCE
        ? some.map(({ signable }) => signer.sign(signable))
        : await Promise.all(some.map(({ signable }) => signer.signInBackground(signable)));
    for (const [index, { each, before }] of some.entries()) {
      const { name, rrset, isDerived, chainKey: key } = each;
      const signatures = signed[index] as Signatures;
      const rdata = isDerived ? rrset.rdata : null;
      changes.push({ before, after: { name, type: rrset.type, ttl: rrset.ttl, rdata, chainKey: key, ...signatures } });
    }
  }
  for (const before of stored.rowsAt(names))
    if (!seen.has(rowId(before.name, before.type))) changes.push({ before, after: null });
  return changes;
}

async function* yieldEvery<T>(count: number, items: Iterable<T>): AsyncGenerator<T> {
  let done = 0;
  for (const item of items) {
    yield item;
    done += 1;
    if (done % count === 0) await yieldToEventLoop();
  }
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** More labels first. */
function byDepth(one: string, other: string): number {
  return ancestorsOf(other).length - ancestorsOf(one).length;
}
