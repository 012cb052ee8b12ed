import type { CooperativeTask } from '../../../application/shared/run-cooperatively';
import type { RecordDraft } from '../../../domain/dns/records/dns-record';
import type { Issue } from '../../../domain/shared/issue';
import { ValidationError } from '../../../domain/shared/validation-error';
import { MAX_STATE_RECORDS } from './state-body';

/** The default of octoDNS's YamlProvider. */
const DEFAULT_TTL = 3_600;
const MAX_ISSUES = 100;

/** The records of a zone in octoDNS's YAML, each with its place: `www[0].values[1]`. */
export interface OctodnsZone {
  readonly records: readonly RecordDraft[];
  readonly places: readonly string[];
}

type Value = Readonly<Record<string, unknown>>;
type Draft = Omit<RecordDraft, 'name' | 'type' | 'ttl'>;

/** The members of a value, in the order of the record's presentation; the alternatives are older names. */
const WORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  SSHFP: [['algorithm'], ['fingerprint_type'], ['fingerprint']],
  TLSA: [['certificate_usage'], ['selector'], ['matching_type'], ['certificate_association_data']],
  DS: [['key_tag', 'flags'], ['algorithm', 'protocol'], ['digest_type'], ['digest', 'public_key']],
  OPENPGPKEY: [['public_key']],
};

/**
 * Converts a zone file of octoDNS. Records that octoDNS ignores are left out, and NS records at the apex: there, octoDNS names the
 * nameservers of the domain, which are no records here. @throws ValidationError that names every wrong record
 */
export function* readOctodnsZone(body: object): CooperativeTask<OctodnsZone> {
  const records: RecordDraft[] = [];
  const places: string[] = [];
  const issues: Issue[] = [];
  for (const [name, given] of Object.entries(body)) {
    const isList = Array.isArray(given);
    for (const [index, record] of (isList ? given : [given]).entries()) {
      yield;
      const place = `${name === '' ? "''" : name}${isList ? `[${index}]` : ''}`;
      for (const found of draftsOf(name, record, place)) {
        if ('message' in found) {
          issues.push(found);
          continue;
        }
        records.push(found.draft);
        places.push(found.place);
      }
      if (issues.length >= MAX_ISSUES || records.length > MAX_STATE_RECORDS) break;
    }
  }
  if (records.length > MAX_STATE_RECORDS)
    throw ValidationError.of('', `must have at most ${MAX_STATE_RECORDS} records`);
  if (issues.length > 0) throw new ValidationError(issues);
  return { records, places };
}

type Found = { readonly draft: RecordDraft; readonly place: string } | Issue;

/** The drafts of a record, and what is wrong with it. */
function draftsOf(name: string, record: unknown, place: string): readonly Found[] {
  if (!isValue(record)) return [{ path: place, message: 'must be a record with type and value or values' }];
  const { type, ttl = DEFAULT_TTL, value, values, octodns } = record;
  if (isValue(octodns) && octodns['ignored'] === true) return [];
  if (name === '' && type === 'NS') return [];
  const unsupported = ['geo', 'dynamic'].find((member) => member in record);
  if (unsupported) return [{ path: `${place}.${unsupported}`, message: 'is not supported' }];
  if (typeof type !== 'string') return [{ path: `${place}.type`, message: 'must be a string' }];
  if (typeof ttl !== 'number') return [{ path: `${place}.ttl`, message: 'must be a number' }];
  const all: readonly unknown[] = Array.isArray(values) ? values : [values ?? value];
  if (all.length === 0) return [{ path: `${place}.values`, message: 'must not be empty' }];
  return all.map((each, index): Found => {
    const path = Array.isArray(values) ? `${place}.values[${index}]` : `${place}.value`;
    const draft = contentOf(type, each);
    return draft
      ? { draft: { type, name: name === '' ? '@' : name, ttl, ...draft }, place: path }
      : { path, message: `must be a value of octoDNS for ${type.slice(0, 20)} records` };
  });
}

/** Undefined for a value that cannot be converted. */
function contentOf(type: string, value: unknown): Draft | undefined {
  if (typeof value === 'string') return { content: type === 'TXT' || type === 'SPF' ? plainText(value) : value };
  if (!isValue(value)) return undefined;
  if (type === 'MX')
    return numbered(textOf(value, 'exchange', 'value'), { priority: numberOf(value, 'preference', 'priority') });
  if (type === 'SRV')
    return numbered(textOf(value, 'target'), {
      priority: numberOf(value, 'priority'),
      weight: numberOf(value, 'weight'),
      port: numberOf(value, 'port'),
    });
  if (type === 'CAA') return joined([word(value, 'flags') ?? '0', word(value, 'tag'), quoted(value, 'value')]);
  if (type === 'NAPTR')
    return joined([
      word(value, 'order'),
      word(value, 'preference'),
      quoted(value, 'flags') ?? '""',
      quoted(value, 'service') ?? '""',
      quoted(value, 'regexp') ?? '""',
      word(value, 'replacement') ?? '.',
    ]);
  if (type === 'URI') return joined([word(value, 'priority'), word(value, 'weight'), quoted(value, 'target')]);
  if (type === 'SVCB' || type === 'HTTPS')
    return joined([word(value, 'svcpriority'), word(value, 'targetname'), ...serviceParameters(value['svcparams'])]);
  const words = WORDS[type];
  return words && joined(words.map((names) => word(value, ...names)));
}

function serviceParameters(given: unknown): readonly string[] {
  if (!isValue(given)) return [];
  return Object.entries(given).map(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]).filter(isWord);
    return values.length === 0 ? name : `${name}="${values.join(',')}"`;
  });
}

function isWord(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function isValue(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: Value, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => value[name]).find((each) => each !== undefined);
  return typeof found === 'string' ? found : undefined;
}

function numberOf(value: Value, ...names: readonly string[]): number | undefined {
  const found = names.map((name) => value[name]).find((each) => each !== undefined);
  return typeof found === 'number' ? found : undefined;
}

function word(value: Value, ...names: readonly string[]): string | undefined {
  return textOf(value, ...names) ?? numberOf(value, ...names)?.toString();
}

/** A character string (RFC 1035, section 5.1). */
function quoted(value: Value, name: string): string | undefined {
  const text = textOf(value, name);
  return text === undefined ? undefined : quotedText(text);
}

function quotedText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** octoDNS escapes semicolons. Text that begins with a quote would be read as quoted strings. */
function plainText(value: string): string {
  const text = value.replaceAll('\\;', ';');
  return text.startsWith('"') ? quotedText(text) : text;
}

function joined(words: readonly (string | undefined)[]): Draft | undefined {
  return words.includes(undefined) ? undefined : { content: words.join(' ') };
}

function numbered(content: string | undefined, numbers: Omit<Draft, 'content'>): Draft | undefined {
  const isWhole = content !== undefined && Object.values(numbers).every((each) => each !== undefined);
  return isWhole ? { content, ...numbers } : undefined;
}
