import { parseCharacterStrings, quoteCharacterString } from '../../../domain/dns/records/character-string';
import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { RecordDraft } from '../../../domain/dns/records/record-draft';
import type { IssuePlaces } from '../form-issues';
import { field, optionalField } from '../form-fields';
import type { FormValues } from '../layout/forms';
import type { DashboardRequest } from '../visitor';

const NUMBERS = ['ttl', 'priority', 'weight', 'port'] as const;
const FIELDS = ['type', 'name', 'content', 'caa_flags', 'caa_tag', 'caa_value', ...NUMBERS] as const;

/** What the form sent, for when it comes back. */
export function sentValues(req: Pick<DashboardRequest, 'body'>): FormValues {
  return Object.fromEntries(FIELDS.map((name) => [name, field(req, name)]));
}

/** A record as the values of the fields; a CAA record's content in its three parts. */
export function recordValues(record: DnsRecordState): FormValues {
  const { type, name, content } = record;
  const texts = Object.fromEntries(NUMBERS.map((each) => [each, record[each] === null ? '' : String(record[each])]));
  if (type !== 'CAA') return { type, name, content: asTyped(record), ...texts };
  const [flags, tag, value] = parseCharacterStrings(content) ?? [];
  return {
    type,
    name,
    content: '',
    caa_flags: flags?.octets,
    caa_tag: tag?.octets,
    caa_value: value?.octets,
    ...texts,
  };
}

/** A record as the hidden fields that put it back. */
export function restoringFields(record: DnsRecordState): Record<string, string> {
  const { type, name } = record;
  const values = recordValues(record);
  return {
    type,
    name,
    content: asTyped(record),
    ...Object.fromEntries(NUMBERS.map((each) => [each, values[each] ?? ''])),
  };
}

/** Blanks at either end of what is typed are slips; where they belong to a text, it stands in quotes. */
function asTyped(record: DnsRecordState): string {
  const { type, content } = record;
  return type === 'TXT' && content !== content.trim() ? DnsRecord.fromState(record).rdata() : content;
}

export function readDraft(req: Pick<DashboardRequest, 'body'>): RecordDraft {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, readNumber(optionalField(req, name))]));
  return { type: field(req, 'type'), name: field(req, 'name').trim(), content: readContent(req), ...numbers };
}

/** Which field each failure is about: a CAA record has three in the place of its content. */
export function recordPlaces(req: Pick<DashboardRequest, 'body'>): IssuePlaces {
  return {
    codes: {
      INVALID_RECORD_TYPE: 'type',
      INVALID_RECORD_NAME: 'name',
      CNAME_AT_ROOT: 'name',
      MISSING_PRIORITY: 'priority',
      INVALID_RECORD_CONTENT: isInParts(req) ? 'caa_value' : 'content',
    },
    fields: FIELDS,
  };
}

function readContent(req: Pick<DashboardRequest, 'body'>): string {
  if (!isInParts(req)) return field(req, 'content').trim();
  return `${field(req, 'caa_flags')} ${field(req, 'caa_tag')} ${quoteCharacterString(field(req, 'caa_value').trim())}`;
}

function isInParts(req: Pick<DashboardRequest, 'body'>): boolean {
  return field(req, 'type') === 'CAA' && field(req, 'content').trim() === '';
}

/** NaN, which no rule accepts, for what is no number. */
function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^-?\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}
