import { apexTtlWarning, isApexNs } from './delegation/apex-ns';
import { isSpfText, parseSpf } from './mail/spf';
import { NEED_HOST, recordWarnings } from './records/record-warnings';
import type { DnsRecord } from './records/dns-record';
import { fullOwnerName, ROOT } from './records/record-name';
import { joinTxt } from './records/text/txt-content';
import type { RecordType } from './records/types/record-types';
import { ZoneView } from './zone-view';

/** Finds likely mistakes in a zone that do not prevent its publication, one sentence each. Add all records before asking. */
export class ZoneInspection {
  private readonly zone: ZoneView;
  private readonly ttls = new RrsetTtls();

  /** @param seesName whether all records at a name are added; what is missing at another one is no mistake */
  constructor(
    zoneName: string,
    private readonly seesName: (name: string) => boolean = () => true,
  ) {
    this.zone = new ZoneView(zoneName);
  }

  add(record: DnsRecord): void {
    this.zone.add(record);
    this.ttls.add(record);
  }

  warningsOf(record: DnsRecord): readonly string[] {
    return [
      ...recordWarnings(record, this.zone.zoneName),
      ...this.targetWarnings(record),
      ...occlusionWarnings(record, this.zone),
      ...this.ttls.warnings(record),
      ...spfWarnings(record, this.zone),
    ];
  }

  private targetWarnings(record: DnsRecord): readonly string[] {
    const target = this.zone.relative(record.toState().content);
    return target === undefined || this.seesName(target) ? targetWarnings(record, this.zone) : [];
  }

  /** Of a delegation to these nameservers. */
  warningsOfDelegation(nameservers: readonly string[]): readonly string[] {
    const withoutGlue = nameservers.filter((host) => {
      const name = this.zone.relative(host);
      if (name === undefined || !this.seesName(name)) return false;
      return !this.zone.answers(name).some(({ type }) => GLUE.includes(type));
    });
    const ttlWarning = apexTtlWarning(this.zone.at(ROOT), nameservers);
    return [
      ...withoutGlue.map(glueWarning),
      ...this.warningsOfApexNs(nameservers),
      ...(ttlWarning === undefined ? [] : [ttlWarning]),
    ];
  }

  /** The registry delegates to the domain's nameservers only, but resolvers use the NS records of the zone, too (RFC 2181, section 5.4.1). */
  private warningsOfApexNs(nameservers: readonly string[]): readonly string[] {
    const others = this.zone
      .at(ROOT)
      .filter((record) => isOfOtherProvider(record, nameservers))
      .map((record) => record.toState().content);
    return nameservers.length === 0
      ? []
      : others.map(
          (host) =>
            `NS at @ names ${host}, which is not a nameserver of the domain; it is served beside ${nameservers.join(', ')}, and resolvers may ask it`,
        );
  }
}

/** Whether the record is an NS record at the apex for a host that the domain is not delegated to. */
export function isOfOtherProvider(record: DnsRecord, nameservers: readonly string[]): boolean {
  return isApexNs(record) && !nameservers.includes(record.toState().content);
}

const GLUE: readonly RecordType[] = ['A', 'AAAA'];
const ADDRESSES: readonly RecordType[] = [...GLUE, 'ALIAS'];
/** What the zone itself serves at the name of a delegation (RFC 4035, section 2.6). */
const AT_DELEGATION: readonly RecordType[] = ['NS', 'DS'];
function targetWarnings(record: DnsRecord, zone: ZoneView): string[] {
  const { type, content } = record.toState();
  const needsHost = NEED_HOST.includes(type);
  const name = needsHost || type === 'CNAME' ? zone.relative(content) : undefined;
  if (name === undefined) return [];
  const answers = zone.answers(name);
  const subject = `${type} at ${record.name} points to ${content}`;
  if (needsHost && answers.some((target) => target.type === 'CNAME'))
    return [`${subject}, which is a CNAME; the target must have its own address records`];
  if (zone.delegationOf(name) !== undefined && type !== 'NS') return [];
  if (needsHost && !answers.some((target) => ADDRESSES.includes(target.type)))
    return [`${subject}, which has no address in this zone`];
  return type === 'CNAME' && answers.length === 0 && name !== ROOT
    ? [`${subject}, which has no records in this zone`]
    : [];
}

function spfWarnings(record: DnsRecord, zone: ZoneView): string[] {
  if (!isSpf(record.toState())) return [];
  const [error] = parseSpf(joinTxt(record.toState().content)).errors;
  const invalid =
    error === undefined ? [] : [`TXT at ${record.name} is an SPF record that mail servers do not use: ${error}`];
  const warning = spfWarning(record.name, zone.at(record.name).filter((each) => isSpf(each.toState())).length);
  return warning === undefined ? invalid : [...invalid, warning];
}

function isSpf({ type, content }: { readonly type: RecordType; readonly content: string }): boolean {
  return type === 'TXT' && isSpfText(joinTxt(content));
}

/** RFC 7208, section 4.5: more than one SPF record at a name is a permanent error. */
function spfWarning(name: string, count: number): string | undefined {
  return count > 1
    ? `TXT at ${name} has ${count} SPF records; mail servers treat more than one as an error. Merge them into one record`
    : undefined;
}

/** For an in-bailiwick nameserver of the zone (RFC 9499). */
export function glueWarning(host: string): string {
  return `Nameserver ${host} is in this zone but has no address record, so the registry gets no glue (or keeps its last) and resolvers may not reach it. Add an A or AAAA record`;
}

/** RFC 1034, section 4.2.1: below a delegation, a zone has only glue; other records are occluded (RFC 9499). */
function occlusionWarnings(record: DnsRecord, zone: ZoneView): string[] {
  const delegation = zone.delegationOf(record.name);
  if (
    delegation === undefined ||
    (AT_DELEGATION.includes(record.type) && record.name === delegation) ||
    isGlue(record, delegation, zone)
  )
    return [];
  return [`${record.type} at ${record.name} is hidden: ${delegation} is delegated to other nameservers`];
}

function isGlue(record: DnsRecord, delegation: string, zone: ZoneView): boolean {
  const host = fullOwnerName(record.name, zone.zoneName);
  return (
    GLUE.includes(record.type) && zone.at(delegation).some((ns) => ns.type === 'NS' && ns.toState().content === host)
  );
}

/** RFC 2181, section 5.2. The set at the apex that the delegation is part of has a warning. */
class RrsetTtls {
  private readonly sets = new Map<string, Set<number>>();

  add(record: DnsRecord): void {
    const ttls = this.sets.get(rrsetKey(record));
    if (ttls) ttls.add(record.ttl);
    else this.sets.set(rrsetKey(record), new Set([record.ttl]));
  }

  warnings(record: DnsRecord): string[] {
    if (isApexNs(record)) return [];
    const ttls = this.sets.get(rrsetKey(record)) ?? new Set();
    return ttls.size > 1
      ? [
          `${record.type} records at ${record.name} have different TTLs; the lowest, ${Math.min(...ttls)}, is published for all`,
        ]
      : [];
  }
}

function rrsetKey({ name, type }: DnsRecord): string {
  return `${name} ${type}`;
}
