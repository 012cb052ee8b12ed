import type { DnsRecord } from './dns-record';
import { ROOT } from './record-name';

/** A zone's records as a nameserver sees them. Names are relative to the zone. */
export class ZoneView {
  private readonly byName = new Map<string, DnsRecord[]>();
  /** With the empty names that lie between. */
  private readonly existing: ReadonlySet<string>;
  private readonly delegated = new Set<string>();

  constructor(
    records: readonly DnsRecord[],
    readonly zoneName: string,
  ) {
    for (const record of records) {
      const there = this.byName.get(record.name);
      if (there) there.push(record);
      else this.byName.set(record.name, [record]);
      if (record.type === 'NS' && record.name !== ROOT) this.delegated.add(record.name);
    }
    this.existing = new Set([...this.byName.keys()].flatMap((name) => [name, ...ancestors(name)]));
  }

  at(name: string): readonly DnsRecord[] {
    return this.byName.get(name) ?? [];
  }

  /** What is answered for a name: its own records, or those of the wildcard that covers it (RFC 4592, section 3.3.1). */
  answers(name: string): readonly DnsRecord[] {
    if (this.existing.has(name)) return this.at(name);
    const encloser = ancestors(name).find((ancestor) => this.existing.has(ancestor));
    return this.at(encloser === undefined ? '*' : `*.${encloser}`);
  }

  /** The delegation that a name is at or below. */
  delegationOf(name: string): string | undefined {
    return [name, ...ancestors(name)].find((ancestor) => this.delegated.has(ancestor));
  }

  /** Undefined for a name that is not in the zone. */
  relative(target: string): string | undefined {
    if (target === this.zoneName) return ROOT;
    return target.endsWith(`.${this.zoneName}`) ? target.slice(0, -this.zoneName.length - 1) : undefined;
  }
}

/** Nearest first, without the root. */
function ancestors(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_label, index) => labels.slice(index + 1).join('.'));
}
