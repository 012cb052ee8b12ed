import { sorted, type Task } from '../../shared/sorted';
import { fullOwnerName, relativeOwnerName } from '../records/record-name';
import { canonicalKey } from './canonical-names';
import { writeName } from '../records/types/rdata/wire-name';
import { RR_TYPE } from './rr-types';
import { base32hex, fromBase32hex, NSEC3PARAM_DATA, nsec3Hash, typeBitmap } from './signing-records';
import type { Denial } from './zone-signing-state';

/** An NSEC or NSEC3 record. Keys sort in the order of the chain, which is a circle. */
export interface ChainLink {
  readonly key: string;
  readonly next: string;
  /** RFC 4034, section 4.1.2. */
  readonly bitmap: Buffer;
}

/** Where the name is in the chain: its canonical key, or the hash of NSEC3. */
export function chainKey(name: string, zoneName: string, denial: Denial): string {
  return denial === 'nsec' ? canonicalKey(name) : base32hex(nsec3Hash(fullOwnerName(name, zoneName)));
}

/** The full owner name of a link. */
export function chainOwner(key: string, zoneName: string, denial: Denial): string {
  if (denial === 'nsec3') return `${key}.${zoneName}`;
  return key === '' ? zoneName : `${key.split('!').toReversed().join('.')}.${zoneName}`;
}

export function linkData({ next, bitmap }: ChainLink, zoneName: string, denial: Denial): Buffer {
  if (denial === 'nsec') return Buffer.concat([writeName(chainOwner(next, zoneName, denial)), bitmap]);
  const hash = fromBase32hex(next);
  return Buffer.concat([NSEC3PARAM_DATA, Buffer.from([hash.length]), hash, bitmap]);
}

/** The link of stored RDATA. */
export function readLink(key: string, type: number, data: Buffer, zoneName: string): ChainLink {
  if (type === RR_TYPE.NSEC3) {
    const start = NSEC3PARAM_DATA.length + 1;
    const end = start + data.readUInt8(start - 1);
    return { key, next: base32hex(data.subarray(start, end)), bitmap: data.subarray(end) };
  }
  const labels: string[] = [];
  let at = 0;
  for (let length = data.readUInt8(at); length > 0; length = data.readUInt8(at)) {
    labels.push(data.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const next = labels.join('.');
  const relative = relativeOwnerName(next, zoneName);
  return { key, next: canonicalKey(relative), bitmap: data.subarray(at + 1) };
}

interface ChainChange {
  /** Bitmaps of the links that exist afterwards, among those that the change touches. */
  readonly present: ReadonlyMap<string, readonly number[]>;
  /** Links among those that the change touches, as stored. */
  readonly stored: ReadonlyMap<string, ChainLink>;
}

/** Returns for each key the stored link with the greatest smaller key, or the last link if there is none; undefined in an empty chain. */
export type LinksBefore = (keys: readonly string[]) => Promise<readonly (ChainLink | undefined)[]>;

/**
 * The links of the touched names, and those before a link that comes or goes. All others stay as they are.
 * @param run runs work that takes long for many names to its end
 */
export async function relink(
  { present, stored }: ChainChange,
  linksBefore: LinksBefore,
  run: <T>(task: Task<T>) => Promise<T>,
): Promise<readonly ChainLink[]> {
  const added = await run(sorted([...present.keys()].filter((key) => !stored.has(key))));
  const gone = new Set([...stored.keys()].filter((key) => !present.has(key)));
  const anchors = await readAnchors([...added, ...gone], gone, linksBefore);
  const nextOf = await run(nextKeys(added, { anchors, gone, stored }));
  return run(linksToWrite({ present, stored }, anchors, nextOf));
}

interface Anchored {
  readonly anchors: ReadonlyMap<string, ChainLink>;
  readonly gone: ReadonlySet<string>;
  readonly stored: ReadonlyMap<string, ChainLink>;
}

/** What follows each anchor, and each of the sorted keys that are added between them. */
function* nextKeys(added: readonly string[], { anchors, gone, stored }: Anchored): Task<ReadonlyMap<string, string>> {
  const nextOf = new Map<string, string>();
  const sortedAnchors = yield* sorted([...anchors.keys()]);
  if (sortedAnchors.length === 0) yield* circle(added, nextOf);
  let at = added.findIndex((key) => key > (sortedAnchors[0] ?? ''));
  if (at === -1) at = added.length;
  const beforeFirst = added.slice(0, at);
  for (const [index, anchor] of sortedAnchors.entries()) {
    yield;
    const until = sortedAnchors[index + 1];
    const end = until === undefined ? added.length : indexFrom(added, at, until);
    const run = [anchor].concat(added.slice(at, end));
    at = end;
    // The chain is a circle: after the last link come the keys before the first one.
    if (until === undefined) for (const key of beforeFirst) run.push(key);
    let next = anchors.get(anchor)?.next ?? anchor;
    while (gone.has(next)) next = stored.get(next)?.next ?? anchor;
    for (const [position, key] of run.entries()) {
      nextOf.set(key, run[position + 1] ?? next);
      yield;
    }
  }
  return nextOf;
}

function* linksToWrite(
  { present, stored }: ChainChange,
  anchors: ReadonlyMap<string, ChainLink>,
  nextOf: ReadonlyMap<string, string>,
): Task<readonly ChainLink[]> {
  const links: ChainLink[] = [];
  const others = [...anchors.keys()].filter((key) => !present.has(key));
  for (const keys of [present.keys(), others])
    for (const key of keys) {
      yield;
      const before = stored.get(key) ?? anchors.get(key);
      const types = present.get(key);
      const bitmap = types ? typeBitmap(types) : before?.bitmap;
      const next = nextOf.get(key) ?? before?.next;
      if (!bitmap || next === undefined) throw new Error(`the chain has no link ${key}`);
      if (types || before?.next !== next) links.push({ key, next, bitmap });
    }
  return links;
}

/** The links before `keys` that stay. */
async function readAnchors(
  keys: readonly string[],
  gone: ReadonlySet<string>,
  linksBefore: LinksBefore,
): Promise<ReadonlyMap<string, ChainLink>> {
  const anchors = new Map<string, ChainLink>();
  const asked = new Set<string>();
  for (let unresolved = keys; unresolved.length > 0;) {
    for (const key of unresolved) asked.add(key);
    const found = await linksBefore(unresolved);
    const further: string[] = [];
    for (const link of found) {
      if (!link) continue;
      if (!gone.has(link.key)) anchors.set(link.key, link);
      else if (!asked.has(link.key)) further.push(link.key);
    }
    unresolved = [...new Set(further)];
  }
  return anchors;
}

/** The index of the first of sorted `keys` that is not before `key`, from `start` on. */
function indexFrom(keys: readonly string[], start: number, key: string): number {
  let index = start;
  while (index < keys.length && (keys[index] ?? '') < key) index += 1;
  return index;
}

function* circle(keys: readonly string[], nextOf: Map<string, string>): Task<void> {
  for (const [index, key] of keys.entries()) {
    nextOf.set(key, keys[(index + 1) % keys.length] as string);
    yield;
  }
}
