import { canonicalKey, keysBelow } from '../../../../domain/dns/dnssec/canonical-names';
import { chainKey, readLink } from '../../../../domain/dns/dnssec/denial-chain';
import { RR_TYPE } from '../../../../domain/dns/dnssec/rr-types';
import { ROOT } from '../../../../domain/dns/records/record-name';
import { sorted } from '../../../../domain/shared/sorted';
import { runCooperatively } from '../../../shared/run-cooperatively';
import { settleAll } from '../../../shared/settle-all';
import type { DerivedRrset, NamedLink, SignedZoneState, SigningReader } from '../../../ports/dns/signing-repository';

/** Reads the zone that is to be signed, and its derived RRsets. */
export type PlanReader = Pick<
  SigningReader,
  'rrsetsAt' | 'readNames' | 'derivedAt' | 'derived' | 'linksBefore' | 'linkedNamesBelow'
>;

export function rowId(name: string, type: number): string {
  return `${name} ${type}`;
}

/** The link of a stored NSEC or NSEC3 record. */
function linkOf(derived: DerivedRrset, zoneName: string): NamedLink {
  const { chainKey, rdata, type, name } = derived;
  const [data] = rdata ?? [];
  if (chainKey === null || !data) throw new Error(`${name} has no link`);
  return { ...readLink(chainKey, type, data, zoneName), name };
}

export function chainType({ denial }: Pick<SignedZoneState, 'denial'>): number {
  return denial === 'nsec' ? RR_TYPE.NSEC : RR_TYPE.NSEC3;
}

/** For so few names, the links before them are read ahead. */
const FEW_NAMES = 4;

function isBelowApex(name: string): boolean {
  return name !== ROOT;
}

/** The derived RRsets of a zone before a change: all of them, or those that it needs. */
export class StoredRows {
  private readonly rows = new Map<string, DerivedRrset>();
  private readonly byName = new Map<string, DerivedRrset[]>();
  private isComplete = false;
  /** Of a complete set, in order. */
  private keys: readonly string[] = [];
  private linkedNames: { readonly keys: readonly string[]; readonly names: readonly string[] } = {
    keys: [],
    names: [],
  };
  private readonly byKey = new Map<string, DerivedRrset>();
  /** The links before chain keys, read ahead. */
  private readonly before = new Map<string, DerivedRrset | undefined>();

  constructor(
    private readonly zone: SignedZoneState,
    private readonly reader: PlanReader,
  ) {}

  async loadAll(): Promise<void> {
    this.add(await this.reader.derived(this.zone.domainId));
    this.isComplete = true;
    this.keys = await runCooperatively(sorted([...this.byKey.keys()]));
    if (this.zone.denial === 'nsec') return;
    const nameOf = new Map([...this.byKey.values()].map(({ name }) => [canonicalKey(name), name]));
    const keys = await runCooperatively(sorted([...nameOf.keys()]));
    this.linkedNames = { keys, names: keys.map((key) => nameOf.get(key) as string) };
  }

  async load(names: ReadonlySet<string>): Promise<void> {
    if (this.isComplete) return;
    const { domainId, denial, zoneName } = this.zone;
    const keys =
      names.size > FEW_NAMES ? [] : [...names].filter(isBelowApex).map((name) => chainKey(name, zoneName, denial));
    const [rows, links] = await settleAll([
      this.reader.derivedAt(domainId, [...names]),
      this.reader.linksBefore(this.zone, keys),
    ]);
    this.add(rows);
    for (const [index, key] of keys.entries()) this.before.set(key, links[index]);
  }

  names(): Iterable<string> {
    return this.byName.keys();
  }

  row(id: string): DerivedRrset | undefined {
    return this.rows.get(id);
  }

  *rowsAt(names: Iterable<string>): Generator<DerivedRrset> {
    for (const name of names) yield* this.byName.get(name) ?? [];
  }

  linksAt(keys: Iterable<string>): ReadonlyMap<string, NamedLink> {
    const links = new Map<string, NamedLink>();
    for (const key of keys) {
      const row = this.byKey.get(key);
      if (row) links.set(key, linkOf(row, this.zone.zoneName));
    }
    return links;
  }

  async linksBefore(keys: readonly string[]): Promise<readonly (NamedLink | undefined)[]> {
    const { reader, zone } = this;
    if (!this.isComplete) {
      const isRead = keys.every((key) => this.before.has(key));
      const rows = isRead ? keys.map((key) => this.before.get(key)) : await reader.linksBefore(zone, keys);
      this.add(rows.filter((row) => row !== undefined));
      return rows.map((row) => row && linkOf(row, zone.zoneName));
    }
    return keys.map((key) => {
      const before = this.keys[firstAtLeast(this.keys, key) - 1] ?? this.keys.at(-1);
      const row = before === undefined ? undefined : this.byKey.get(before);
      return row && linkOf(row, zone.zoneName);
    });
  }

  /** Some names below `name` with a link, at most `limit`. */
  async linkedNamesBelow(name: string, limit: number): Promise<readonly string[]> {
    if (!this.isComplete) return this.reader.linkedNamesBelow(this.zone.domainId, name, limit);
    const [from, to] = keysBelow(name);
    const { keys, names } = this.linkedNames;
    const start = firstAtLeast(keys, from);
    return names.slice(start, Math.min(firstAtLeast(keys, to), start + limit));
  }

  private add(rows: readonly DerivedRrset[]): void {
    const type = chainType(this.zone);
    for (const row of rows) {
      const id = rowId(row.name, row.type);
      if (this.rows.has(id)) continue;
      this.rows.set(id, row);
      const sameName = this.byName.get(row.name);
      if (sameName) sameName.push(row);
      else this.byName.set(row.name, [row]);
      if (row.chainKey !== null && row.type === type) this.byKey.set(row.chainKey, row);
    }
  }
}

/** The index of the first of sorted `keys` that is at least `key`. */
function firstAtLeast(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
