import { InvalidRecordContent } from '../../dns/dns-errors';
import { DnsRecord, type RecordDraft } from '../../dns/records/dns-record';
import { parseRecordName, ROOT } from '../../dns/records/record-name';
import type { WritableType } from '../../dns/records/types/record-types';
import { isSpfText } from '../../dns/mail/spf';
import { joinTxt } from '../../dns/records/text/txt-content';
import { isOfSigner } from '../../dns/zone-rules';
import type { Issue } from '../../shared/issue';
import { ServiceError } from '../../shared/service-error';
import { ValidationError } from '../../shared/validation-error';
import { recordDraft } from '../record-draft';
import { spfEndOf, spfTermsOf } from '../spf-rules';
import type { Template, TemplateRecord } from './template';
import { TemplateRejected } from './template-errors';
import { hasHyphenAtEdge } from './template-text';
import { RequestValues } from './template-values';

/** What a request says about how to apply a template. */
export interface TemplateRequest {
  /** The zone in A-labels; the domain of the request. */
  readonly zoneName: string;
  /** Below the domain, or empty. */
  readonly host?: string;
  /** Without those of the protocol (`domain`, `host`, `redirect_uri`, …). */
  readonly variables: Readonly<Record<string, string>>;
  /** Only the records of these groups, and those without a group. All records if it is empty. */
  readonly groups?: readonly string[];
}

/** What new records need. */
export interface RecordMaking {
  /** The record types that the zone may have. */
  readonly types: readonly WritableType[];
  readonly newId: () => string;
  readonly now: Date;
}

/** A record of a template with the values of a request. */
export interface FilledRecord {
  /** Of the record in the template: `records[2]`. */
  readonly place: string;
  readonly source: TemplateRecord;
  readonly record: DnsRecord;
}

/** The terms that a template adds to the SPF record of a name. Its record has them as they are in the template. */
export interface ResolvedSpf extends FilledRecord {
  readonly terms: readonly string[];
  /** Of a new SPF record; one that exists keeps its own, and its `all`. */
  readonly ttl: number;
  readonly end?: string | undefined;
}

/** A template with the values of a request, before it is compared with a zone. */
export interface ResolvedTemplate {
  readonly template: Template;
  readonly zoneName: string;
  /** The applied host, relative to the zone; `@` for the apex. */
  readonly host: string;
  /** Those of the request; none: all. */
  readonly groups: readonly string[];
  readonly records: readonly FilledRecord[];
  readonly spf: readonly ResolvedSpf[];
}

/** As the reference implementation. */
const SPF_TTL = 6_000;

/** @throws TemplateRejected with all issues of one problem */
export function resolveTemplate(template: Template, request: TemplateRequest, making: RecordMaking): ResolvedTemplate {
  const { zoneName, groups = [] } = request;
  const host = parseHost(request.host ?? '', zoneName);
  if (template.hostRequired && host === ROOT)
    throw TemplateRejected.at(
      'HOST_REQUIRED',
      'host',
      'is required: the template cannot be applied to the domain itself',
    );
  const chosen = template.records.flatMap((source, index) => {
    const isChosen = groups.length === 0 || source.groupId === undefined || groups.includes(source.groupId);
    return isChosen ? [{ source, place: `records[${index}]` }] : [];
  });
  const values = RequestValues.of(template, { host, zoneName, variables: request.variables });
  values.assertComplete(chosen.map(({ source }) => source));
  const records: FilledRecord[] = [];
  const spf: ResolvedSpf[] = [];
  for (const { source, place } of chosen) {
    const draft = recordDraft({ source, values, place }, making.types);
    const resolved = { place, source, record: createRecord(draft, source, place, { zoneName, making }) };
    if (isMergeable(resolved)) spf.push(mergeableSpf(resolved));
    else records.push(resolved);
  }
  return { template, zoneName, host, groups, records, spf };
}

/** A host is relative: one that repeats the domain is refused. */
function parseHost(text: string, zoneName: string): string {
  if (text === '' || text === ROOT) return ROOT;
  if (text.startsWith('*')) throw TemplateRejected.at('INVALID_VALUE', 'host', 'cannot be a wildcard');
  if (hasHyphenAtEdge(text))
    throw TemplateRejected.at('INVALID_VALUE', 'host', 'has a label that starts or ends with a hyphen');
  try {
    return parseRecordName(`${text}.${zoneName}.`, zoneName);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw TemplateRejected.at('INVALID_VALUE', 'host', `is invalid: ${error.details ?? error.message}`);
  }
}

interface Context {
  readonly zoneName: string;
  readonly making: RecordMaking;
}

function createRecord(draft: RecordDraft, source: TemplateRecord, place: string, context: Context): DnsRecord {
  const { zoneName, making } = context;
  const record = checked(source, place, () =>
    DnsRecord.create(draft, zoneName, making.newId(), making.now, making.types),
  );
  if (isOfSigner(record)) throw TemplateRejected.at('NOT_SUPPORTED', `${place}.type`, 'is a record of the signer');
  return record;
}

/** The draft has SPFM for it. A second SPF record, which some templates add, would make both invalid (RFC 7208, section 3.2). */
function isMergeable({ source, record }: FilledRecord): boolean {
  if (source.type === 'SPFM') return true;
  return source.type === 'TXT' && source.txtConflict.mode === 'None' && isSpfText(textOf(record));
}

function mergeableSpf(resolved: FilledRecord): ResolvedSpf {
  const { place, source, record } = resolved;
  const terms = spfTermsOf(textOf(record));
  if (source.type === 'TXT') return { ...resolved, terms, ttl: record.ttl, end: spfEndOf(textOf(record)) };
  if (terms.length === 0)
    throw TemplateRejected.at('INVALID_VALUE', `${place}.spfRules`, 'must have a rule besides all');
  return { ...resolved, terms, ttl: source.ttl === undefined ? SPF_TTL : record.ttl };
}

/** One character per octet. */
function textOf(record: DnsRecord): string {
  return joinTxt(record.toState().content);
}

/** The errors of the rules for one record, with its place in the template. */
function checked<T>(source: TemplateRecord, place: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof TemplateRejected || !(error instanceof ServiceError)) throw error;
    throw new TemplateRejected('INVALID_RECORD', issuesOf(error, source, place));
  }
}

function issuesOf(error: ServiceError, source: TemplateRecord, place: string): readonly Issue[] {
  if (error instanceof ValidationError)
    return error.issues.map(({ path, message }) => ({ path: `${place}.${path}`, message }));
  const field = error instanceof InvalidRecordContent ? source.dataField : source.type === 'SRV' ? 'name' : 'host';
  return [{ path: `${place}.${field}`, message: `is invalid: ${error.details ?? error.message}` }];
}
