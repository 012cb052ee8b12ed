import { parseCharacterStrings, quoteCharacterString } from '../../../domain/dns/records/text/character-string';
import { DnsRecord, type DnsRecordState, type RecordDraft } from '../../../domain/dns/records/dns-record';
import { joinContent, splitContent, type ContentPart } from '../../../domain/dns/records/types/content-parts';
import {
  isAddress,
  isNamedType,
  NAMED_TYPES,
  OTHER_TYPES,
  typeDefinition,
} from '../../../domain/dns/records/types/record-types';
import type { IssueMapping } from '../form-issues';
import { readField, readOptionalField } from '../form-fields';
import type { FormValues } from '../layout/forms/forms';
import type { DashboardRequest } from '../dashboard-route';

const NUMBERS = ['ttl', 'priority', 'weight', 'port'] as const;
const FIELDS = [
  'type',
  'type_number',
  'name',
  'content',
  'caa_flags',
  'caa_tag',
  'caa_value',
  ...NUMBERS,
  'comment',
  'ptr',
  ...NAMED_TYPES.flatMap((type) => partsOf(type).map((_part, index) => partField(type, index))),
];

/** The parts of a type's content that are separate fields; none if the content is one field. */
export function partsOf(type: string): readonly ContentPart[] {
  return isNamedType(type) ? (typeDefinition(type).parts ?? []) : [];
}

/** The name of the field for a part. */
export function partField(type: string, index: number): string {
  return `${type.toLowerCase()}_${index + 1}`;
}

/** The submitted values, to fill the form again. */
export function readSubmittedValues(req: Pick<DashboardRequest, 'body'>): FormValues {
  return Object.fromEntries(FIELDS.map((name) => [name, readField(req, name)]));
}

/** A record as form values; the content of some types is split into several fields. */
export function toFormValues(record: DnsRecordState): FormValues {
  const { type, name, content } = record;
  const numbers = NUMBERS.map((each) => [each, record[each] === null ? '' : String(record[each])]);
  const texts = { ...Object.fromEntries(numbers), comment: record.comment ?? '', ptr: record.ptr ? 'on' : '' };
  if (!isNamedType(type))
    return { type: OTHER_TYPES, type_number: type.slice('TYPE'.length), name, content: toInputValue(record), ...texts };
  const parts = partsOf(type);
  if (parts.length > 0) {
    const values = splitContent(parts, content).map((value, index) => [partField(type, index), value] as const);
    return { type, name, content: '', ...Object.fromEntries(values), ...texts };
  }
  if (type !== 'CAA') return { type, name, content: toInputValue(record), ...texts };
  const [flags, tag, value] = parseCharacterStrings(content) ?? [];
  return { type, name, content: '', caa_flags: flags, caa_tag: tag, caa_value: value, ...texts };
}

/** A record as the hidden fields of a form that adds it again. */
export function toHiddenFields(record: DnsRecordState): Record<string, string> {
  const { type, name } = record;
  const values = toFormValues(record);
  return {
    type,
    name,
    content: toInputValue(record),
    ...Object.fromEntries(NUMBERS.map((each) => [each, values[each] ?? ''])),
    comment: record.comment ?? '',
    managed_by: record.managedBy ?? '',
    ...(record.ptr && { has_ptr: 'on', ptr: 'on' }),
  };
}

/** The form trims input, so a text with spaces at either end needs quotes. */
function toInputValue(record: DnsRecordState): string {
  const { type, content } = record;
  return type === 'TXT' && content !== content.trim() ? DnsRecord.fromState(record).rdata() : content;
}

export function readDraft(req: Pick<DashboardRequest, 'body'>): RecordDraft {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, readNumber(readOptionalField(req, name))]));
  return {
    type: readType(req),
    name: readField(req, 'name').trim(),
    content: readContent(req),
    ...numbers,
    comment: readOptionalText(req, 'comment'),
    managedBy: readOptionalText(req, 'managed_by'),
    ptr: readPtr(req),
  };
}

/** A checkbox sends nothing if it is off. Undefined if the form does not have it, or the type has none. */
function readPtr(req: Pick<DashboardRequest, 'body'>): boolean | undefined {
  const isAsked = readOptionalField(req, 'has_ptr') !== undefined && isAddress({ type: readType(req) });
  return isAsked ? readField(req, 'ptr') === 'on' : undefined;
}

/** Undefined if the form does not have the field: what is stored stays. */
function readOptionalText(req: Pick<DashboardRequest, 'body'>, name: string): string | undefined {
  return req.body?.[name] === undefined ? undefined : readField(req, name);
}

function readType(req: Pick<DashboardRequest, 'body'>): string {
  const type = readField(req, 'type');
  return type === OTHER_TYPES ? `TYPE${readField(req, 'type_number').trim()}` : type;
}

/** Which field each error is shown at: the first empty one that is required, or the last, if the content has several. */
export function recordIssueMapping(req: Pick<DashboardRequest, 'body'>): IssueMapping {
  return {
    codes: {
      INVALID_RECORD_TYPE: readField(req, 'type') === OTHER_TYPES ? 'type_number' : 'type',
      INVALID_RECORD_NAME: 'name',
      CNAME_AT_ROOT: 'name',
      MISSING_PRIORITY: 'priority',
      INVALID_RECORD_CONTENT: hasCaaFields(req) ? 'caa_value' : (emptyPart(req) ?? 'content'),
    },
    fields: FIELDS,
  };
}

function readContent(req: Pick<DashboardRequest, 'body'>): string {
  const type = readField(req, 'type');
  if (hasParts(req))
    return joinContent(
      partsOf(type),
      partsOf(type).map((_part, index) => readField(req, partField(type, index))),
    );
  if (!hasCaaFields(req)) return readField(req, 'content').trim();
  return `${readField(req, 'caa_flags')} ${readField(req, 'caa_tag')} ${quoteCharacterString(readField(req, 'caa_value').trim())}`;
}

/** The content, if it is there, takes the place of its parts. */
function hasParts(req: Pick<DashboardRequest, 'body'>): boolean {
  return partsOf(readField(req, 'type')).length > 0 && readField(req, 'content').trim() === '';
}

function emptyPart(req: Pick<DashboardRequest, 'body'>): string | undefined {
  if (!hasParts(req)) return undefined;
  const type = readField(req, 'type');
  const parts = partsOf(type);
  const empty = parts.findIndex(
    ({ isOptional }, index) => !isOptional && readField(req, partField(type, index)).trim() === '',
  );
  return partField(type, empty < 0 ? parts.length - 1 : empty);
}

function hasCaaFields(req: Pick<DashboardRequest, 'body'>): boolean {
  return readField(req, 'type') === 'CAA' && readField(req, 'content').trim() === '';
}

/** Returns NaN, which fails validation, for text that is not a number. */
function readNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^-?\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}
