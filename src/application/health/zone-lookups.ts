import type { DnsRecord } from '../../domain/dns/records/dns-record';
import { fullOwnerName, ROOT } from '../../domain/dns/records/record-name';
import { joinTxt } from '../../domain/dns/records/text/txt-content';
import { NO_TARGET } from '../../domain/dns/records/target-name';
import { ancestors, coveringRecords, wildcardsOf } from '../../domain/dns/zone-view';
import type { Lookup, LookupType } from '../../domain/health/lookup';
import type { PublishedZones } from '../ports/dns/publishing';
import type { ZoneReader } from '../ports/dns/zone-repository';
import type { DnsProbe } from '../ports/health/health-repository';

const MAX_HOPS = 8;

export interface StoredZone {
  readonly domainId: string;
  readonly zoneName: string;
}

/** Answers for names in a zone that is served here from its stored records, and for all others through the resolver. */
export class ZoneLookups {
  private readonly known = new Map<string, readonly DnsRecord[]>();

  constructor(
    private readonly zone: StoredZone,
    private readonly stores: {
      readonly zones: Pick<ZoneReader, 'recordsAt'>;
      readonly published: Pick<PublishedZones, 'hasName'>;
    },
    private readonly probe: DnsProbe,
  ) {}

  /** Reads the records at some names in one query. */
  async load(names: readonly string[]): Promise<void> {
    const missing = [...new Set(names)].filter((name) => !this.known.has(name));
    if (missing.length === 0) return;
    const { domainId } = this.zone;
    const found = (await this.stores.zones.recordsAt([{ domainId, names: missing }])).get(domainId) ?? [];
    for (const name of missing)
      this.known.set(
        name,
        found.filter((record) => record.name === name),
      );
  }

  async resolve(name: string, type: LookupType, via: readonly string[] = []): Promise<Lookup> {
    const relative = this.relative(name);
    if (relative === undefined) return withVia(await this.probe.resolve({ name, type }), via);
    const above = ancestors(relative);
    await this.load([relative, ...above, ...wildcardsOf(relative)]);
    const isDelegated = [...(relative === ROOT ? [] : [relative]), ...above].some((each) =>
      this.at(each).some((record) => record.type === 'NS' || record.type === 'DNAME'),
    );
    if (isDelegated) return withVia(await this.probe.resolve({ name, type }), via);
    const records = await this.answers(relative);
    if (!records) return { kind: 'no_name', via };
    const texts = records.flatMap((record) => textOf(record, type));
    if (texts.length > 0) return { kind: 'found', records: texts, via, isAuthentic: false };
    const cname = records.find((record) => record.type === 'CNAME')?.toState().content;
    if (cname === undefined || via.length >= MAX_HOPS) return { kind: 'no_data', via };
    return this.resolve(cname, type, [...via, cname]);
  }

  /** The records that a nameserver answers with; undefined if the name does not exist. */
  private async answers(relative: string): Promise<readonly DnsRecord[] | undefined> {
    const own = this.at(relative);
    if (own.length > 0 || relative === ROOT) return own;
    const hasName = (name: string) => this.stores.published.hasName(this.zone.domainId, name);
    return (await hasName(relative)) ? [] : coveringRecords(relative, (name) => this.at(name), hasName);
  }

  private at(name: string): readonly DnsRecord[] {
    return this.known.get(name) ?? [];
  }

  private relative(name: string): string | undefined {
    const { zoneName } = this.zone;
    if (name === zoneName) return ROOT;
    return name.endsWith(`.${zoneName}`) ? name.slice(0, -zoneName.length - 1) : undefined;
  }

  /** The whole owner name. */
  fullName(relative: string): string {
    return fullOwnerName(relative, this.zone.zoneName);
  }
}

function textOf(record: DnsRecord, type: LookupType): readonly string[] {
  const { content, priority } = record.toState();
  const isAlias = record.type === 'ALIAS' && (type === 'A' || type === 'AAAA');
  if (isAlias) return [`ALIAS ${content}`];
  if (record.type !== type) return [];
  if (type === 'MX') return [`${priority ?? 0} ${content === NO_TARGET ? '' : content}`];
  return [type === 'TXT' ? joinTxt(content) : content];
}

function withVia(lookup: Lookup, via: readonly string[]): Lookup {
  return via.length > 0 && 'via' in lookup ? { ...lookup, via: [...via, ...lookup.via] } : lookup;
}
