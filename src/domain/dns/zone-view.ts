import type { DnsRecord } from './records/dns-record';
import { ROOT } from './records/record-name';

/** A zone's records, answered like a nameserver does. Names are relative to the zone. */
export class ZoneView {
  private readonly byName = new Map<string, DnsRecord[]>();
  /** Includes empty non-terminals (RFC 9499) and the apex, which always has SOA and NS records. */
  private readonly existing = new Set<string>([ROOT]);
  private readonly delegated = new Set<string>();

  constructor(readonly zoneName: string) {}

  add(record: DnsRecord): void {
    const sameName = this.byName.get(record.name);
    if (sameName) sameName.push(record);
    else this.byName.set(record.name, [record]);
    if (record.type === 'NS' && record.name !== ROOT) this.delegated.add(record.name);
    this.addExisting(record.name);
  }

  at(name: string): readonly DnsRecord[] {
    return this.byName.get(name) ?? [];
  }

  /** The records that answer a query for a name: its own, or those of the wildcard that covers it (RFC 4592, section 3.3.1). */
  answers(name: string): readonly DnsRecord[] {
    if (this.existing.has(name)) return this.at(name);
    const encloser = ancestors(name).find((ancestor) => this.existing.has(ancestor));
    return this.at(wildcardBelow(encloser ?? ROOT));
  }

  /** The owner name of the delegation at or above a name. */
  delegationOf(name: string): string | undefined {
    return this.delegated.size === 0
      ? undefined
      : [name, ...ancestors(name)].find((ancestor) => this.delegated.has(ancestor));
  }

  private addExisting(name: string): void {
    for (const each of [name, ...ancestors(name)]) {
      if (this.existing.has(each)) return;
      this.existing.add(each);
    }
  }

  /** Returns undefined if the name is not in the zone. */
  relative(target: string): string | undefined {
    if (target === this.zoneName) return ROOT;
    return target.endsWith(`.${this.zoneName}`) ? target.slice(0, -this.zoneName.length - 1) : undefined;
  }
}

/** The names above a name, relative to the zone: nearest first, without the apex. */
export function ancestors(name: string): string[] {
  const found: string[] = [];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) found.push(name.slice(dot + 1));
  return found;
}

/** The names of the wildcards that may cover a name, nearest first. */
export function wildcardsOf(name: string): readonly string[] {
  return name === ROOT ? [] : [...ancestors(name), ROOT].map(wildcardBelow);
}

/** The highest of a name and the names above it that the wildcard is a sibling of: unless one exists, the wildcard covers the name. */
export function topBelow(wildcard: string, name: string): string {
  return name.split('.').slice(-wildcard.split('.').length).join('.');
}

/**
 * The records of the wildcard that covers a name that does not exist: the one below its closest encloser (RFC 4592, section
 * 3.3.1). Undefined if it has none.
 * @param at the records at a name, which are loaded for the names above and their wildcards
 * @param hasName whether a record is at or below a name
 */
export async function coveringRecords(
  name: string,
  at: (name: string) => readonly DnsRecord[],
  hasName: (name: string) => Promise<boolean>,
): Promise<readonly DnsRecord[] | undefined> {
  if (wildcardsOf(name).every((wildcard) => at(wildcard).length === 0)) return undefined;
  let encloser = ROOT;
  // From the top: below a name that does not exist there is none, so a long name costs no more than the depth of the zone.
  for (const ancestor of ancestors(name).toReversed()) {
    const isKnown = at(ancestor).length > 0 || at(wildcardBelow(ancestor)).length > 0;
    if (!isKnown && !(await hasName(ancestor))) break;
    encloser = ancestor;
  }
  const wildcard = at(wildcardBelow(encloser));
  return wildcard.length > 0 ? wildcard : undefined;
}

function wildcardBelow(encloser: string): string {
  return encloser === ROOT ? '*' : `*.${encloser}`;
}
