import { clampTtl, DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { fullOwnerName, ROOT, typedName } from '../../../domain/dns/records/record-name';
import { ALL_TYPES } from '../../../domain/dns/records/types/record-types';
import type { RecordSetChange } from '../../../domain/dns/update/record-set-changes';
import type { Issue } from '../../../domain/shared/issue';
import { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import { membersOf, type Members } from '../request-members';

/** What external-dns can manage: `--managed-record-types`. */
const TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NAPTR', 'NS', 'PTR', 'SRV', 'TXT']);
/** Their last field is a name, which external-dns writes without its dot. */
const NAMES_LAST: ReadonlySet<string> = new Set(['ALIAS', 'CNAME', 'MX', 'NS', 'PTR']);
/** For a new set without a TTL, as external-dns's own providers have it. */
const NEW_TTL = 300;
const MAX_SHOWN = 100;
const ANY_ZONE = 'invalid';

/** An RRset in the form of external-dns. */
export interface ExternalDnsEndpoint {
  readonly dnsName: string;
  readonly targets: readonly string[];
  readonly recordType: string;
  /** Seconds; 0 or absent: none is wanted. */
  readonly recordTTL?: number;
  /** Of a routing policy. */
  readonly setIdentifier?: string;
}

/** The RRsets of a zone's records, as far as external-dns knows their types. The NS set at the apex is not its own. */
export class EndpointList {
  private readonly sets = new Map<
    string,
    { dnsName: string; targets: string[]; recordType: string; recordTTL: number }
  >();

  constructor(private readonly zoneName: string) {}

  add(record: DnsRecordState): void {
    const { name, ttl } = record;
    // As external-dns created it: it has no ALIAS.
    const type = record.type === 'ALIAS' && name === ROOT ? 'CNAME' : record.type;
    if (!TYPES.has(type) || (type === 'NS' && name === ROOT)) return;
    const key = `${name} ${type}`;
    const set = this.sets.get(key) ?? {
      dnsName: fullOwnerName(name, this.zoneName),
      targets: [],
      recordType: type,
      recordTTL: ttl,
    };
    set.recordTTL = Math.min(set.recordTTL, ttl);
    set.targets.push(targetOf(record));
    this.sets.set(key, set);
  }

  endpoints(): readonly ExternalDnsEndpoint[] {
    return [...this.sets.values()];
  }
}

/** Reads a list of endpoints; absent and null are empty. @throws ValidationError */
function readEndpoints(value: unknown, place: string): readonly ExternalDnsEndpoint[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw ValidationError.of(place, 'must be an array');
  return value.map((each: unknown, index) => readEndpoint(each, `${place}[${index}]`));
}

interface ReadChanges {
  readonly changes: readonly { readonly dnsName: string; readonly change: RecordSetChange }[];
  /** Of the endpoints that are left out. */
  readonly refusal: ValidationError | undefined;
}

/** Member names are read in the two forms that versions of external-dns have: `updateNew` and `UpdateNew`. @throws ValidationError */
export function readChanges(body: unknown): ReadChanges {
  const members = membersOf(body, 'The body');
  const refused: Issue[] = [];
  const listOf = (name: string): readonly ExternalDnsEndpoint[] =>
    readEndpoints(members[name] ?? members[name.charAt(0).toUpperCase() + name.slice(1)], name).filter((endpoint) => {
      const { setIdentifier, dnsName, recordType } = endpoint;
      if (setIdentifier === undefined) return true;
      const message = 'has a setIdentifier: routing policies are not supported';
      refused.push({ path: placeOf(dnsName, recordType), message });
      return false;
    });
  const changes = [
    ...listOf('delete').map((endpoint) => changeOf('delete', endpoint)),
    ...listOf('updateNew').map((endpoint) => changeOf('replace', endpoint)),
    // Not a replacement: what others have added since external-dns read the zone stays.
    ...listOf('create').map((endpoint) => changeOf('extend', endpoint)),
  ];
  return { changes, refusal: refused.length > 0 ? new ValidationError(refused) : undefined };
}

function placeOf(dnsName: string, recordType: string): string {
  return `${dnsName.slice(0, MAX_SHOWN)} ${recordType.slice(0, MAX_SHOWN)}`;
}

/**
 * Endpoints as they will be read after they are stored, so that external-dns finds no difference. Those that cannot be stored
 * stay as they are, and are refused when they are applied.
 */
export function adjusted(endpoint: Members): Members {
  const { recordType, recordTTL, targets, dnsName } = endpoint;
  if (typeof recordType !== 'string' || typeof dnsName !== 'string' || !Array.isArray(targets)) return endpoint;
  return {
    ...endpoint,
    targets: targets.map((target: unknown) =>
      typeof target === 'string' ? adjustedTarget(recordType, target) : target,
    ),
    ...(typeof recordTTL === 'number' && recordTTL > 0 && { recordTTL: clampTtl(recordTTL) }),
  };
}

function adjustedTarget(type: string, target: string): string {
  try {
    const name = type === 'SRV' ? '_a._b' : 'a';
    const record = DnsRecord.create({ type, name, ...dataOf(type, target) }, ANY_ZONE, '', new Date(0), ALL_TYPES);
    return targetOf(record.toState());
  } catch (error) {
    if (error instanceof ServiceError) return target;
    throw error;
  }
}

function targetOf(state: DnsRecordState): string {
  const data = DnsRecord.fromState(state).rdata();
  return NAMES_LAST.has(state.type) ? data.replace(/(?<=[^ ])\.$/, '') : data;
}

function changeOf(
  kind: RecordSetChange['kind'],
  { dnsName, recordType: type, targets, recordTTL = 0 }: ExternalDnsEndpoint,
): { readonly dnsName: string; readonly change: RecordSetChange } {
  const ttl = recordTTL > 0 ? recordTTL : kind === 'extend' ? NEW_TTL : undefined;
  const records = kind === 'delete' ? [] : targets.map((target) => ({ ttl, ...dataOf(type, target) }));
  return { dnsName, change: { kind, name: `${dnsName}.`, type, records } };
}

/** Of MX and SRV, the numbers stand before the name. */
function dataOf(type: string, target: string): RecordSetChange['records'][number] {
  if (type !== 'MX' && type !== 'SRV') return { content: target };
  const fields = target.trim().split(/\s+/);
  const content = fields.pop() ?? '';
  const [priority, weight, port] = fields.map((field) => (/^\d{1,5}$/.test(field) ? Number(field) : NaN));
  return type === 'MX' ? { content, priority } : { content, priority, weight, port };
}

function readEndpoint(value: unknown, place: string): ExternalDnsEndpoint {
  const { dnsName, targets, recordType, recordTTL, setIdentifier } = membersOf(value, place);
  const name = typeof dnsName === 'string' ? typedName(dnsName)?.name : undefined;
  if (name === undefined || typeof recordType !== 'string')
    throw ValidationError.of(place, 'must have a dnsName and a recordType');
  if (!isTexts(targets)) throw ValidationError.of(placeOf(name, recordType), 'must have targets');
  const ttl = typeof recordTTL === 'number' ? { recordTTL } : {};
  const policy = typeof setIdentifier === 'string' && setIdentifier !== '' ? { setIdentifier } : {};
  return { dnsName: name, targets: targets ?? [], recordType, ...ttl, ...policy };
}

function isTexts(value: unknown): value is readonly string[] | null | undefined {
  return (
    value === undefined || value === null || (Array.isArray(value) && value.every((each) => typeof each === 'string'))
  );
}
