import type { ZoneRequest, Written } from '../../../../application/dns/zones/zone-request';
import type { TransactionHook } from '../../../../application/ports/storage/unit-of-work';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type JsonResult, type ResultHeaders } from '../../../shared/result';
import type { WriteRequest, ApiRequest } from '../../api-request';
import { matchingTags } from '../../if-match';
import { parameter } from '../../validated';
import type { ListedRecord } from '../../../../application/dns/records/list-records';
import type { ImportedZone } from '../../../../application/dns/zones/zone-files/import-zone-file';
import type { FormerZone } from '../../../../application/dns/zones/history/read-zone-history';
import type { ZonePlan } from '../../../../application/dns/zones/zone-plan';
import type { AliasStatus } from '../../../../application/ports/dns/alias-repository';
import type { RecordTouched, ZoneVersion } from '../../../../application/ports/dns/zone-repository';
import { addressRecords } from '../../../../domain/dns/alias/alias-addresses';
import { recordWarnings } from '../../../../domain/dns/records/record-warnings';
import type { DnsRecord } from '../../../../domain/dns/records/dns-record';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import { LongList } from '../../../shared/long-list';

/** A use case that changes a zone. */
interface ZoneChanger<C extends ZoneRequest, T> {
  execute(command: C, hook?: TransactionHook<Written<T>>): Promise<Written<T>>;
  plan(command: C): Promise<ZonePlan<T>>;
}

interface Presenters<T> {
  /** Default: 200. */
  readonly status?: number;
  readonly written: (written: Written<T>) => object;
  readonly planned?: (plan: ZonePlan<T>) => object;
}

/** Changes a zone; with `?dry_run=true` nothing is changed, and the response is the plan. */
export async function changeZone<C extends ZoneRequest, T>(
  request: WriteRequest<'id'>,
  useCase: ZoneChanger<C, T>,
  command: C,
  { status = 200, written: present, planned = zonePlan }: Presenters<T>,
): Promise<JsonResult> {
  if (isDryRun(request)) {
    const plan = await useCase.plan(command);
    return ok(planned(plan), zoneVersionHeaders(plan.zoneVersion));
  }
  const toResult = (written: Written<T>) => ({ status, headers: headersOf(written), body: present(written) });
  const hook = request.storing(toResult, { isFinal: !command.waitsForPublication });
  return toResult(await useCase.execute(command, hook));
}

/** The version of the zone after a write, and at least that of a list; also as an ETag for If-Match. */
export function zoneVersionHeaders(version: number): ResultHeaders {
  return { 'Zone-Version': String(version), ETag: `"${version}"` };
}

function headersOf({ zoneVersion, published }: Written<unknown>): ResultHeaders {
  return {
    ...zoneVersionHeaders(zoneVersion),
    ...(published !== undefined && { 'Zone-Published': String(published) }),
  };
}

/** As we write it: tags are compared character by character. */
const STRONG_VERSION = /^"([1-9]\d{0,14})"$/;

/** The zone to change, and the preconditions of the request. @throws ValidationError */
export function zoneRequest(request: WriteRequest<'id'>): ZoneRequest {
  return {
    ...request.caller,
    domainId: request.params.id,
    expectedVersions: expectedVersions(request),
    waitsForPublication: waitsForPublication(request),
  };
}

/** Whether `?dry_run=true` asks for the plan only. @throws ValidationError */
export function isDryRun(request: Pick<ApiRequest, 'query'>): boolean {
  const value = parameter(request, 'dry_run') ?? 'false';
  if (value !== 'true' && value !== 'false') throw ValidationError.of('dry_run', 'must be true or false');
  return value === 'true';
}

/** Whether `?wait=published` asks for the response when the secondaries serve the change. @throws ValidationError */
function waitsForPublication(request: Pick<ApiRequest, 'query'>): boolean {
  const value = parameter(request, 'wait');
  if (value !== undefined && value !== 'published') throw ValidationError.of('wait', 'must be published');
  return value !== undefined;
}

/** The number of a zone's version. @throws ValidationError */
export function versionNumber(field: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw ValidationError.of(field, 'must be the number of a version');
  return Number(text);
}

/** Weak tags never match. @throws ValidationError */
function expectedVersions(request: Pick<ApiRequest, 'headers'>): readonly number[] | undefined {
  return matchingTags(request)
    ?.flatMap((tag) => STRONG_VERSION.exec(tag)?.[1] ?? [])
    .map(Number);
}

/** `weight` and `port` belong to SRV records only, and few records have a comment: JSON omits undefined members. */
export function dnsRecord(record: ListedRecord): object {
  const isService = record.type === 'SRV';
  const createdAt = record.createdAt.toISOString();
  // Most records were never changed, and a list has many times.
  const isChanged = record.updatedAt.getTime() !== record.createdAt.getTime();
  return {
    id: record.id,
    type: record.type,
    name: record.name,
    content: record.content,
    ttl: record.ttl,
    priority: record.priority,
    weight: isService ? record.weight : undefined,
    port: isService ? record.port : undefined,
    comment: record.comment ?? undefined,
    managed_by: record.managedBy ?? undefined,
    ptr: record.ptr,
    created_at: createdAt,
    updated_at: isChanged ? record.updatedAt.toISOString() : createdAt,
    ...(record.alias && {
      resolved: addressRecords(record, record.alias.addresses).map(({ type, content, ttl }) => ({
        type,
        content,
        ttl,
      })),
      resolution: resolution(record.alias),
    }),
  };
}

/** How the target of an ALIAS record was followed. */
export function resolution({ state: found }: AliasStatus): object {
  const { checkedAt = null, error = null, failingSince = null } = found ?? {};
  const state = checkedAt === null ? 'pending' : error === null ? 'resolved' : 'failing';
  return {
    state,
    error,
    checked_at: checkedAt?.toISOString() ?? null,
    failing_since: failingSince?.toISOString() ?? null,
  };
}

const MAX_WARNINGS = 100;
/** A record that is yet to be written has no id and no times. */
const UNWRITTEN: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

export function writtenChange({ added, changed, removed }: ZoneChange, version: number): object {
  return {
    created: new LongList(added, (record) => dnsRecord(record.toState())),
    updated: new LongList(changed, ({ after }) => dnsRecord(after.toState())),
    deleted: removed.map(({ id }) => id),
    version,
  };
}

export function importReport({ notes, skippedTypes }: ImportedZone): object {
  return { notes, skipped_types: skippedTypes };
}

/** Likely mistakes in what was written; absent if there are none. */
export function warningsMember(warnings: readonly string[]): object {
  return warnings.length === 0 ? {} : { warnings: warnings.slice(0, MAX_WARNINGS) };
}

/** Of a request that wrote these records one by one. */
export function writtenWarnings(records: readonly DnsRecord[], { zone, warnings }: Written<unknown>): object {
  return warningsMember([...records.flatMap((record) => recordWarnings(record, zone.zoneName)), ...warnings]);
}

/** `version` is that of the zone as it is. */
export function zonePlan({ zoneVersion, change: { added, changed, removed }, warnings }: ZonePlan): object {
  return {
    dry_run: true,
    version: zoneVersion,
    added: new LongList(added, unwritten),
    changed: new LongList(changed, ({ before, after }) => ({
      before: dnsRecord(before.toState()),
      after: unwritten(after),
    })),
    removed: new LongList(removed, (record) => dnsRecord(record.toState())),
    warnings,
  };
}

export function zoneVersion({ version, at, actor, added, changed, removed }: ZoneVersion): object {
  return {
    version,
    created_at: at.toISOString(),
    by: { kind: actor.kind, id: 'id' in actor ? actor.id : null },
    added,
    changed,
    removed,
  };
}

export function formerZone({ records, changes, ...version }: FormerZone): object {
  return {
    ...zoneVersion(version),
    changes: new LongList(changes, touched),
    records: new LongList(records, dnsRecord),
  };
}

function touched({ before, after }: RecordTouched): object {
  return { before: before && dnsRecord(before), after: after && dnsRecord(after) };
}

export function unwritten(record: DnsRecord): object {
  return Object.fromEntries(Object.entries(dnsRecord(record.toState())).filter(([member]) => !UNWRITTEN.has(member)));
}
