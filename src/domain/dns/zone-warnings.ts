import { isSpfText, parseSpf } from './mail/spf';
import type { DnsRecord } from './records/dns-record';
import { fullName, ROOT } from './records/record-name';
import { joinTxt } from './records/txt-content';
import type { RecordType } from './records/types/record-types';
import { ZoneView } from './zone-view';

/** Finds likely mistakes in a zone that do not prevent its publication, one sentence each. Add all records before asking. */
export class ZoneInspection {
  private readonly zone: ZoneView;
  private readonly ttls = new RrsetTtls();

  constructor(zoneName: string) {
    this.zone = new ZoneView(zoneName);
  }

  add(record: DnsRecord): void {
    this.zone.add(record);
    this.ttls.add(record);
  }

  warningsOf(record: DnsRecord): readonly string[] {
    return [
      ...suffixWarnings(record, this.zone),
      ...targetWarnings(record, this.zone),
      ...occlusionWarnings(record, this.zone),
      ...this.ttls.warnings(record),
      ...spfWarnings(record, this.zone),
    ];
  }

  /** Of a delegation to these nameservers. */
  warningsOfDelegation(nameservers: readonly string[]): readonly string[] {
    return nameservers
      .filter((host) => {
        const name = this.zone.relative(host);
        return name !== undefined && !this.zone.answers(name).some(({ type }) => GLUE.includes(type));
      })
      .map(glueWarning);
  }
}

const GLUE: readonly RecordType[] = ['A', 'AAAA'];
const ADDRESSES: readonly RecordType[] = [...GLUE, 'ALIAS'];
/** What the zone itself serves at the name of a delegation (RFC 4035, section 2.6). */
const AT_DELEGATION: readonly RecordType[] = ['NS', 'DS'];
/** The target of these types must have an address and must not be an alias (RFC 2181, section 10.3; RFC 2782). */
const NEED_HOST: readonly RecordType[] = ['MX', 'NS', 'SRV'];

/** Their content is a name. */
const HAVE_TARGET: readonly RecordType[] = ['CNAME', 'ALIAS', 'DNAME', 'PTR', ...NEED_HOST];

/** RFC 1035, section 5.1: a name without a dot at its end is relative, so that the zone's name is appended to it. */
function suffixWarnings(record: DnsRecord, { zoneName }: ZoneView): string[] {
  const { type, content } = record.toState();
  return HAVE_TARGET.includes(type) && `.${content}`.endsWith(`.${zoneName}.${zoneName}`)
    ? [
        `${type} at ${record.name} points to ${content}, which repeats ${zoneName}; write the name with a dot at its end`,
      ]
    : [];
}

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
  const host = fullName(record.name, zone.zoneName);
  return (
    GLUE.includes(record.type) && zone.at(delegation).some((ns) => ns.type === 'NS' && ns.toState().content === host)
  );
}

/** RFC 2181, section 5.2. */
class RrsetTtls {
  private readonly sets = new Map<string, Set<number>>();

  add(record: DnsRecord): void {
    const ttls = this.sets.get(setOf(record));
    if (ttls) ttls.add(record.ttl);
    else this.sets.set(setOf(record), new Set([record.ttl]));
  }

  warnings(record: DnsRecord): string[] {
    const ttls = this.sets.get(setOf(record)) ?? new Set();
    return ttls.size > 1
      ? [
          `${record.type} records at ${record.name} have different TTLs; the lowest, ${Math.min(...ttls)}, is published for all`,
        ]
      : [];
  }
}

function setOf({ name, type }: DnsRecord): string {
  return `${name} ${type}`;
}
