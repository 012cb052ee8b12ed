import { hasNotes } from '../../../domain/dns/records/record-notes';
import type { RecordDraft } from '../../../domain/dns/records/dns-record';
import type { StartOfAuthority } from '../../../domain/dns/start-of-authority';
import type { RecordSetChange } from '../../../domain/dns/update/record-set-changes';
import { ValidationError } from '../../../domain/shared/validation-error';
import { soaContent } from './powerdns-presenter';
import { membersOf, type Members } from '../request-members';
import { readComments } from './rrset-comments';

const KINDS: ReadonlyMap<unknown, RecordSetChange['kind']> = new Map([
  ['REPLACE', 'replace'],
  ['DELETE', 'delete'],
  ['EXTEND', 'extend'],
  ['PRUNE', 'prune'],
] as const);
const NUMBER = /^(?:0|[1-9]\d{0,4})$/;
const DIGITS = /^\d{1,10}$/;
const QUOTED_CAA = /^\d+\s+\w+\s+"/;
/** Which field of the RDATA is a name. */
const NAME_AT: ReadonlyMap<string, number> = new Map([
  ['ALIAS', 0],
  ['CNAME', 0],
  ['DNAME', 0],
  ['NS', 0],
  ['PTR', 0],
  ['HTTPS', 1],
  ['MX', 1],
  ['SVCB', 1],
  ['SRV', 3],
  ['DSYNC', 3],
]);
/** Others are read back in canonical form, as from PowerDNS: addresses and digests. */
const READ_AS_WRITTEN: ReadonlySet<string> = new Set([...NAME_AT.keys(), 'TXT', 'CAA', 'NAPTR', 'HINFO', 'URI', 'LOC']);
/** The number of words, of types whose last field may have spaces elsewhere. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ['OPENPGPKEY', 1],
  ['DHCID', 1],
  ['SSHFP', 3],
  ['TLSA', 4],
  ['SMIMEA', 4],
  ['CERT', 4],
  ['DS', 4],
  ['CDS', 4],
  ['DNSKEY', 4],
  ['CDNSKEY', 4],
]);
const IPV6_HINT = / ipv6hint=\S+/i;
/** Words and quoted strings, one space apart. PowerDNS refuses others. */
const PRESENTATION = /^(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+(?: (?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+)*$/s;
const QUOTED_STRINGS = /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/s;
/** More than the longest RDATA with every octet escaped. */
const MAX_CONTENT_LENGTH = 40_000;
const MAX_SHOWN = 100;

type Data = Pick<RecordDraft, 'content' | 'priority' | 'weight' | 'port'> & { readonly written?: string };

/**
 * The changes that the body of a PATCH asks for. Members that PowerDNS does not know are ignored, and so are comments of an EXTEND
 * or PRUNE. @throws ValidationError
 */
export function readRrsetPatch(body: unknown, soa: StartOfAuthority): readonly RecordSetChange[] {
  const rrsets = membersOf(body, 'The body')['rrsets'];
  if (!Array.isArray(rrsets)) throw ValidationError.of('rrsets', 'must be an array');
  const changes = rrsets.flatMap((rrset: unknown, index) => readRrset(membersOf(rrset, `rrsets[${index}]`), soa));
  assertDistinct(changes);
  return changes;
}

/** As PowerDNS: one change of each kind for each set. @throws ValidationError */
function assertDistinct(changes: readonly RecordSetChange[]): void {
  const known = new Set<string>();
  for (const { kind, name, type } of changes) {
    const changetype = kind === 'annotate' ? 'REPLACE' : kind.toUpperCase();
    const key = `${changetype} ${name.toLowerCase()} ${type}`;
    if (known.has(key))
      throw ValidationError.of(placeOf(name, type), `changetype ${changetype} is given twice for this set`);
    known.add(key);
  }
}

function placeOf(name: string, type: string): string {
  return `RRset ${name.slice(0, MAX_SHOWN)} IN ${type.slice(0, MAX_SHOWN)}:`;
}

function readRrset(rrset: Members, soa: StartOfAuthority): readonly RecordSetChange[] {
  const { name, type: writtenType, changetype, records } = rrset;
  if (typeof name !== 'string' || typeof writtenType !== 'string')
    throw ValidationError.of('rrsets', 'must have a name and a type each');
  const type = writtenType.toUpperCase();
  const ttl = numberOf(rrset['ttl']);
  const place = placeOf(name, type);
  // Without its dot, the name of another zone would be read as relative to this one.
  if (!name.endsWith('.')) throw ValidationError.of(place, 'the name must have a trailing dot');
  const kind = KINDS.get(typeof changetype === 'string' ? changetype.toUpperCase() : changetype);
  if (!kind) throw ValidationError.of(place, `changetype must be one of ${[...KINDS.keys()].join(', ')}`);
  if (kind === 'delete') return type === 'SOA' ? refuseSoa(place) : [{ kind, name, type, records: [] }];
  const notes = kind === 'replace' ? readComments(rrset['comments'], place) : undefined;
  if (type === 'SOA' && notes?.some(hasNotes))
    throw ValidationError.of(place, 'the SOA is generated: it has no comments');
  if (!Array.isArray(records)) {
    if (notes) return type === 'SOA' ? [] : [{ kind: 'annotate', name, type, records: [], notes }];
    throw ValidationError.of(place, 'records must be an array');
  }
  if (kind !== 'replace' && records.length !== 1)
    throw ValidationError.of(place, `${kind.toUpperCase()} takes one record`);
  const contents = records.map((record: unknown) => contentOf(record, place));
  if (type === 'SOA') return kind === 'replace' && isGenerated(contents, soa) ? [] : refuseSoa(place);
  if (contents.length > 0 && kind !== 'prune' && !Number.isInteger(ttl))
    throw ValidationError.of(place, 'ttl must be an integer');
  const set = ttl === undefined ? {} : { ttl };
  const drafts = contents.map((content) => ({ ...set, ...dataOf(type, content, place) }));
  return [{ kind, name, type, records: drafts, ...(notes && { notes }) }];
}

function contentOf(record: unknown, place: string): string {
  const { content, disabled } = membersOf(record, `${place} a record`);
  if (typeof content !== 'string') throw ValidationError.of(place, 'a record must have a content');
  if (disabled === true) throw ValidationError.of(place, 'disabled records are not supported');
  return content;
}

/** Programs send numbers as text, too. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string') return DIGITS.test(value) ? Number(value) : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** Splits contents in presentation format, as strictly as PowerDNS. @throws ValidationError */
function dataOf(type: string, content: string, place: string): Data {
  if (content.length > MAX_CONTENT_LENGTH || !PRESENTATION.test(content))
    throw ValidationError.of(place, 'the content must be words or quoted strings, one space apart');
  const fields = content.split(' ');
  if (fields.length > (WORDS.get(type) ?? fields.length))
    throw ValidationError.of(place, `the content must be ${WORDS.get(type)} words, without a space in the last`);
  if (type === 'TXT' && !QUOTED_STRINGS.test(content))
    throw ValidationError.of(place, 'the text must be in double quotes, with one space between strings');
  if (type === 'CAA' && !QUOTED_CAA.test(content))
    throw ValidationError.of(place, 'the value must be in double quotes');
  const data = numbersAndName(type, content, fields, place);
  const name = NAME_AT.get(type);
  // Without its dot, PowerDNS would read a name as relative to the root, and other programs as relative to the zone.
  if (name !== undefined && fields[name]?.endsWith('.') === false)
    throw ValidationError.of(place, `the name ${fields[name].slice(0, MAX_SHOWN)} must have a trailing dot`);
  return { ...data, ...writtenForm(type, content) };
}

/** The text that PowerDNS would give back, if that may differ from the canonical one. */
function writtenForm(type: string, content: string): Pick<Data, 'written'> {
  if (!READ_AS_WRITTEN.has(type)) return {};
  const hasHints = type === 'HTTPS' || type === 'SVCB';
  return { written: hasHints ? content.replace(IPV6_HINT, (hint) => hint.toLowerCase()) : content };
}

/** @throws ValidationError */
function numbersAndName(type: string, content: string, fields: readonly string[], place: string): Data {
  if (type === 'MX') {
    const [priority = '', host = '', ...rest] = fields;
    if (NUMBER.test(priority) && rest.length === 0) return { content: host, priority: Number(priority) };
    throw ValidationError.of(place, 'the content must be a priority and a name');
  }
  if (type === 'SRV') {
    const [priority = '', weight = '', port = '', host = '', ...rest] = fields;
    const numbers = [priority, weight, port];
    if (numbers.every((number) => NUMBER.test(number)) && rest.length === 0)
      return { content: host, priority: Number(priority), weight: Number(weight), port: Number(port) };
    throw ValidationError.of(place, 'the content must be a priority, a weight, a port and a name');
  }
  return { content };
}

/** Whether it is the SOA that the service generates; its serial may have risen since the client read it. */
function isGenerated(contents: readonly string[], soa: StartOfAuthority): boolean {
  const [content = '', ...rest] = contents;
  return rest.length === 0 && withoutSerial(content) === withoutSerial(soaContent(soa));
}

function withoutSerial(soa: string): string {
  return soa.toLowerCase().split(/\s+/).toSpliced(2, 1).join(' ');
}

/** @throws ValidationError */
function refuseSoa(place: string): never {
  throw ValidationError.of(place, 'the SOA is generated and cannot be changed');
}
