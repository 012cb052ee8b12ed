import { clampTtl, DEFAULT_TTL, type RecordDraft } from '../dns/records/dns-record';
import { quoteCharacterString } from '../dns/records/text/character-string';
import { ROOT } from '../dns/records/record-name';
import { findRecordType, includesType, type RecordType, type WritableType } from '../dns/records/types/record-types';
import { InvalidRecordData } from '../dns/records/types/type-definition';
import { wordsOf, type Word } from '../dns/records/types/rdata/words';
import { draftContent } from '../dns/zone-file/record-data';
import type { TemplateRecord } from './templates/template';
import { TemplateRejected } from './templates/template-errors';
import { hasHyphenAtEdge } from './templates/template-text';
import type { RequestValues } from './templates/template-values';

const NAME_TARGETS: ReadonlySet<RecordType> = new Set(['CNAME', 'MX', 'NS', 'SRV', 'ALIAS']);
const ADDRESSES: ReadonlySet<RecordType> = new Set(['A', 'AAAA']);
/** RFC 2782 and the registry of its transports, and what Microsoft's records for SIP have. */
const PROTOCOLS: ReadonlySet<string> = new Set(['tcp', 'udp', 'tls', 'sctp', 'dccp']);
/** The signer makes them, or the registry publishes them. */
const SIGNER_TYPES: ReadonlySet<string> = new Set(['DS', 'DNSKEY', 'CDS', 'CDNSKEY']);
/** In a word of RDATA without quotes, these would end it or begin another. */
const ENDS_WORD = /[\s"\\;()]/;

/** A record of a template with values and its place, for errors. */
interface Filling {
  readonly source: TemplateRecord;
  readonly values: RequestValues;
  readonly place: string;
}

/**
 * The draft of a record of a template, whose owner name is absolute. That of an SPFM record is a TXT record with its rules.
 * @throws TemplateRejected (NOT_SUPPORTED, INVALID_VALUE, INVALID_RECORD)
 */
export function recordDraft(filling: Filling, types: readonly WritableType[]): RecordDraft {
  const { source, values } = filling;
  const type = recordType(filling, types);
  const name = ownerName(filling);
  if (type === 'NS' && name === `${values.zoneName}.`)
    throw reject(filling, 'NOT_SUPPORTED', 'host', 'is the domain itself, whose nameservers a template cannot change');
  const ttl = values.fill(source.ttl ?? '');
  return {
    type,
    name,
    // The draft: a TTL is best effort, and no reason to refuse a template.
    ttl: /^\d+$/.test(ttl) ? clampTtl(Number(ttl)) : DEFAULT_TTL,
    ...numbersOf(filling),
    ...contentOf(type, filling, types),
  };
}

function recordType(filling: Filling, types: readonly WritableType[]): RecordType {
  const { type } = filling.source;
  if (type === 'REDIR301' || type === 'REDIR302')
    throw reject(filling, 'NOT_SUPPORTED', 'type', `is ${type}: this service has no redirects`);
  if (type === 'APEXCNAME' && !includesType(types, 'ALIAS'))
    throw reject(
      filling,
      'NOT_SUPPORTED',
      'type',
      'is APEXCNAME, which needs ALIAS records; they are switched off here',
    );
  const found = findRecordType(TYPE_OF.get(type) ?? type);
  if (found === undefined || !includesType(types, found) || SIGNER_TYPES.has(found))
    throw reject(filling, 'NOT_SUPPORTED', 'type', `is ${type}, which a template cannot add here`);
  return found;
}

const TYPE_OF: ReadonlyMap<string, RecordType> = new Map([
  ['APEXCNAME', 'ALIAS'],
  ['SPFM', 'TXT'],
]);

/** With a trailing dot. */
function ownerName(filling: Filling): string {
  const { source, values } = filling;
  const own = values.fill(source.host);
  const isAtHost = own === '' || own === ROOT;
  const isAbsolute = own.endsWith('.');
  if (isAbsolute && !source.host.endsWith('.'))
    throw reject(filling, 'INVALID_VALUE', hostField(source), 'ends in a dot that comes from a variable');
  if (hasHyphenAtEdge(own))
    throw reject(filling, 'INVALID_VALUE', hostField(source), 'has a label that starts or ends with a hyphen');
  const service = source.type === 'SRV' ? serviceLabels(filling) : [];
  if (isAbsolute) return [...service, own].join('.');
  return `${[...service, ...(isAtHost ? [] : [own]), values.fqdn].join('.')}.`;
}

function serviceLabels(filling: Filling): readonly string[] {
  const { source, values } = filling;
  const service = withoutUnderscore(values.fill(source.service ?? ''));
  const protocol = withoutUnderscore(values.fill(source.protocol ?? '').toLowerCase());
  if (service === '' || service.includes('.'))
    throw reject(filling, 'INVALID_VALUE', 'service', 'must be one label, such as _sip');
  if (!PROTOCOLS.has(protocol))
    throw reject(
      filling,
      'INVALID_VALUE',
      'protocol',
      `must be one of ${[...PROTOCOLS].map((each) => `_${each}`).join(', ')}`,
    );
  return [`_${service}`, `_${protocol}`];
}

function withoutUnderscore(label: string): string {
  return label.replace(/^_/, '');
}

function numbersOf({ source, values }: Filling): Pick<RecordDraft, 'priority' | 'weight' | 'port'> {
  const fields = (['priority', 'weight', 'port'] as const).filter((field) => source[field] !== undefined);
  return Object.fromEntries(
    fields.map((field) => {
      const text = values.fill(source[field] ?? '');
      return [field, /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN];
    }),
  );
}

function contentOf(
  type: RecordType,
  filling: Filling,
  types: readonly WritableType[],
): Pick<RecordDraft, 'content' | 'priority' | 'weight' | 'port'> {
  const { source, values } = filling;
  if (type === 'TXT') return { content: txtContent(filling) };
  if (ADDRESSES.has(type)) return { content: values.fill(source.data) };
  if (NAME_TARGETS.has(type)) return { content: targetOf(type, filling) };
  const words = dataWords(filling);
  try {
    return draftContent(type, words, ({ text }) => (text.endsWith('.') ? text : `${text}.`), types);
  } catch (error) {
    if (error instanceof InvalidRecordData)
      throw reject(filling, 'INVALID_RECORD', 'data', `is invalid: ${error.message}`);
    throw error;
  }
}

/** Always a full name, in the draft's terms. */
function targetOf(type: RecordType, filling: Filling): string {
  const { source, values } = filling;
  const target = values.fill(source.data);
  const isOwn = target === ROOT;
  if (isOwn && type === 'NS')
    throw reject(filling, 'INVALID_RECORD', source.dataField, 'is @, but a name cannot be delegated to itself');
  if (target === '') throw reject(filling, 'INVALID_VALUE', source.dataField, 'must be a name');
  const name = isOwn ? values.fqdn : target;
  return name.endsWith('.') ? name : `${name}.`;
}

/** Plain text, or quoted strings if the template has quotes around it: those of a value stand for themselves. */
function txtContent({ source, values }: Filling): string {
  const words = source.data.startsWith('"') ? wordsOf(source.data) : undefined;
  if (words?.every(({ quoted }) => quoted) === true)
    return words.map(({ text }) => `"${values.fill(text, escaped)}"`).join(' ');
  return quoteCharacterString(Buffer.from(values.fill(source.data), 'utf8').toString('latin1'));
}

/** RDATA in presentation format. A value is part of the word that its variable is in. */
function dataWords(filling: Filling): readonly Word[] {
  const { source, values } = filling;
  const words = wordsOf(source.data);
  if (words === undefined)
    throw reject(filling, 'INVALID_RECORD', 'data', 'is not in the presentation format of its type');
  if (words.length === 1 && values.fill(words[0]?.text ?? '') === ROOT)
    throw reject(filling, 'INVALID_RECORD', 'data', `is @, which is no ${source.type} data`);
  return words.map(({ text, quoted }) => {
    if (quoted) return { quoted, text: values.fill(text, escaped) };
    return {
      quoted,
      text: values.fill(text, (value) => {
        if (value !== '' && !ENDS_WORD.test(value)) return value;
        throw reject(
          filling,
          'INVALID_VALUE',
          'data',
          'gets a value that is empty or has a space, a quote, a backslash, a semicolon or a parenthesis',
        );
      }),
    };
  });
}

function escaped(value: string): string {
  return value.replaceAll(/[\\"]/g, '\\$&');
}

function hostField({ type }: TemplateRecord): string {
  return type === 'SRV' ? 'name' : 'host';
}

function reject(
  { place }: Filling,
  problem: 'NOT_SUPPORTED' | 'INVALID_VALUE' | 'INVALID_RECORD',
  field: string,
  message: string,
): TemplateRejected {
  return TemplateRejected.at(problem, `${place}.${field}`, message);
}
