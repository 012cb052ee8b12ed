import type { RecordDraft } from '../../../domain/dns/records/dns-record';
import type { StartOfAuthority } from '../../../domain/dns/start-of-authority';
import type { RecordSetChange } from '../../../domain/dns/update/change-record-sets';
import { ValidationError } from '../../../domain/shared/validation-error';
import { soaContent } from './powerdns-presenter';

const KINDS: ReadonlyMap<unknown, RecordSetChange['kind']> = new Map([
  ['REPLACE', 'replace'],
  ['DELETE', 'delete'],
  ['EXTEND', 'extend'],
  ['PRUNE', 'prune'],
] as const);
const NUMBER = /^\d{1,5}$/;
const MAX_SHOWN = 100;

type Members = Readonly<Record<string, unknown>>;
type Data = Pick<RecordDraft, 'content' | 'priority' | 'weight' | 'port'>;

/**
 * The changes that the body of a PATCH asks for. Members that PowerDNS does not know are ignored, and so are comments, which
 * the service does not have. @throws ValidationError
 */
export function readRrsetPatch(body: unknown, soa: StartOfAuthority): readonly RecordSetChange[] {
  const rrsets = membersOf(body, 'The body')['rrsets'];
  if (!Array.isArray(rrsets)) throw ValidationError.of('rrsets', 'must be an array');
  return rrsets.flatMap((rrset: unknown, index) => readRrset(membersOf(rrset, `rrsets[${index}]`), soa));
}

function readRrset(rrset: Members, soa: StartOfAuthority): readonly RecordSetChange[] {
  const { name, type, changetype, records, comments, ttl } = rrset;
  if (typeof name !== 'string' || typeof type !== 'string')
    throw ValidationError.of('rrsets', 'must have a name and a type each');
  const place = `RRset ${name.slice(0, MAX_SHOWN)} IN ${type.slice(0, MAX_SHOWN)}:`;
  // Without its dot, the name of another zone would be read as relative to this one.
  if (!name.endsWith('.')) throw ValidationError.of(place, 'the name must have a trailing dot');
  const kind = KINDS.get(changetype);
  if (!kind) throw ValidationError.of(place, `changetype must be one of ${[...KINDS.keys()].join(', ')}`);
  if (kind === 'delete') return type === 'SOA' ? refuseSoa(place) : [{ kind, name, type, records: [] }];
  if (!Array.isArray(records)) {
    if (kind === 'replace' && Array.isArray(comments)) return [];
    throw ValidationError.of(place, 'records must be an array');
  }
  if (kind !== 'replace' && records.length !== 1)
    throw ValidationError.of(place, `${kind.toUpperCase()} takes one record`);
  const contents = records.map((record: unknown) => contentOf(record, place));
  if (type === 'SOA') return kind === 'replace' && isGenerated(contents, soa) ? [] : refuseSoa(place);
  if (contents.length > 0 && kind !== 'prune' && !(typeof ttl === 'number' && Number.isInteger(ttl)))
    throw ValidationError.of(place, 'ttl must be an integer');
  const set = typeof ttl === 'number' ? { ttl } : {};
  return [{ kind, name, type, records: contents.map((content) => ({ ...set, ...dataOf(type, content, place) })) }];
}

function membersOf(value: unknown, place: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw ValidationError.of(place, 'must be an object');
  return value as Members;
}

function contentOf(record: unknown, place: string): string {
  const { content, disabled } = membersOf(record, `${place} a record`);
  if (typeof content !== 'string') throw ValidationError.of(place, 'a record must have a content');
  if (disabled === true) throw ValidationError.of(place, 'disabled records are not supported');
  return content;
}

/** Splits contents in presentation format; names are absolute with or without their dot. @throws ValidationError */
function dataOf(type: string, content: string, place: string): Data {
  const fields = content.split(/\s+/);
  if (type === 'TXT' && !content.startsWith('"')) throw ValidationError.of(place, 'the text must be in double quotes');
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
