import { quoteCharacterString } from '../dns/records/text/character-string';
import { clampTtl, DnsRecord } from '../dns/records/dns-record';
import { joinTxt } from '../dns/records/text/txt-content';
import { isSpfText } from '../dns/mail/spf';
import { ROOT } from '../dns/records/record-name';
import { ancestors } from '../dns/zone-view';
import { groupedBy } from '../shared/grouped-by';
import type { Task } from '../shared/sorted';
import type { AppliedInstance, InstanceSpf } from './applied-instance';
import type { RecordMaking } from './templates/resolve-template';
import { isSameSpf, mergedSpf, type SpfChange } from './spf-rules';

/** The records of a zone while a template or its removal is planned. */
export class ZoneDraft {
  private readonly byName: ReadonlyMap<string, readonly DnsRecord[]>;
  private readonly identities = new Map<DnsRecord, string>();
  private readonly texts = new Map<DnsRecord, string>();
  private readonly gone = new Set<DnsRecord>();
  private readonly added: DnsRecord[] = [];
  private below: ReadonlyMap<string, readonly DnsRecord[]> | undefined;

  constructor(
    private readonly present: readonly DnsRecord[],
    private readonly zoneName: string,
    private readonly making: RecordMaking,
  ) {
    this.byName = groupedBy(present, ({ name }) => name);
  }

  get superseded(): readonly DnsRecord[] {
    return [...this.gone];
  }

  get wanted(): readonly DnsRecord[] {
    return this.added;
  }

  /** Those that stay at these names, and the new ones. */
  recordsAt(names: Iterable<string>): readonly DnsRecord[] {
    const wanted = new Set(names);
    return [...this.stayingAt(wanted), ...this.added.filter(({ name }) => wanted.has(name))];
  }

  /** The records that can conflict with one: at its name, delegations above it, and for a delegation all below it. */
  *near({ name, type }: DnsRecord): Task<readonly DnsRecord[]> {
    if (type !== 'NS') return this.stayingAt([name, ...ancestors(name)]);
    this.below ??= yield* this.allBelow();
    return (this.below.get(name) ?? []).filter((each) => !this.gone.has(each));
  }

  /** As `DnsRecord.identity`, made once. */
  identityOf(record: DnsRecord): string {
    return lookUp(this.identities, record, (each) => each.identity());
  }

  /** The octets of a TXT record as characters, joined once. */
  textOf(record: DnsRecord): string {
    return lookUp(this.texts, record, (each) => joinTxt(each.toState().content));
  }

  remove(record: DnsRecord): void {
    this.gone.add(record);
  }

  /** Those that the zone has already, and that stay, are not added again. */
  addAll(records: readonly DnsRecord[]): void {
    const names = new Set(records.map(({ name }) => name));
    const known = new Set(this.recordsAt(names).map((each) => this.identityOf(each)));
    for (const record of records) {
      const identity = this.identityOf(record);
      if (!known.has(identity)) this.added.push(record);
      known.add(identity);
    }
  }

  /** Removes what only these instances added. @param others those that stay */
  *removeRecordsOf(instances: readonly AppliedInstance[], others: readonly AppliedInstance[]): Task<void> {
    const kept = new Set(others.flatMap(({ records }) => records.map(({ identity }) => identity)));
    const records = instances.flatMap((each) => each.records).filter(({ identity }) => !kept.has(identity));
    const identities = new Set(records.map(({ identity }) => identity));
    for (const record of this.stayingAt(new Set(records.map(({ name }) => name)))) {
      yield;
      if (identities.has(this.identityOf(record))) this.remove(record);
    }
  }

  /** The texts of the SPF records that stay at a name. */
  spfAt(name: string): readonly string[] {
    return this.spfRecordsAt(name).map((each) => this.textOf(each));
  }

  /** @param ttl of a new SPF record */
  changeSpf(name: string, change: SpfChange, ttl?: number): void {
    const records = this.spfRecordsAt(name);
    const texts = records.map((each) => this.textOf(each));
    const merged = mergedSpf(texts, change);
    const [first] = texts;
    if (texts.length === 1 && first !== undefined && merged !== undefined && isSameSpf(first, merged)) return;
    for (const record of records) this.remove(record);
    if (merged !== undefined) this.added.push(this.spfRecord(name, merged, records[0]?.ttl ?? clampTtl(ttl)));
  }

  /** The records at and below each name. */
  private *allBelow(): Task<ReadonlyMap<string, readonly DnsRecord[]>> {
    const groups = new Map<string, DnsRecord[]>();
    for (const record of this.present) {
      yield;
      for (const name of [record.name, ...ancestors(record.name)]) {
        const group = groups.get(name);
        if (group) group.push(record);
        else groups.set(name, [record]);
      }
    }
    return groups;
  }

  private spfRecord(name: string, text: string, ttl: number): DnsRecord {
    const { types, newId, now } = this.making;
    const owner = name === ROOT ? `${this.zoneName}.` : `${name}.${this.zoneName}.`;
    return DnsRecord.create(
      { type: 'TXT', name: owner, content: quoteCharacterString(text), ttl },
      this.zoneName,
      newId(),
      now,
      types,
    );
  }

  private spfRecordsAt(name: string): readonly DnsRecord[] {
    return this.stayingAt([name]).filter((each) => each.type === 'TXT' && isSpfText(this.textOf(each)));
  }

  private stayingAt(names: Iterable<string>): readonly DnsRecord[] {
    return [...names].flatMap((name) => this.byName.get(name) ?? []).filter((each) => !this.gone.has(each));
  }
}

/** The terms that instances added to the SPF record of a name. */
export function spfTermsAt(instances: readonly AppliedInstance[], name: string): readonly string[] {
  return instances
    .flatMap(({ spf }) => spf.filter((each) => each.name === name))
    .flatMap(({ terms }: InstanceSpf) => terms);
}

function lookUp(values: Map<DnsRecord, string>, record: DnsRecord, make: (record: DnsRecord) => string): string {
  const value = values.get(record) ?? make(record);
  values.set(record, value);
  return value;
}
