import type { ZonePlan } from '../../../../application/dns/zones/zone-plan';
import type { ZoneRequest, Written } from '../../../../application/dns/zones/zone-request';
import type { TransactionHook } from '../../../../application/ports/storage/unit-of-work';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type JsonResult, type ResultHeaders } from '../../../shared/result';
import type { WriteRequest, ApiRequest } from '../../api-request';
import { matchingTags } from '../../if-match';
import { parameter } from '../../validated';
import { zonePlan } from './zone-presenter';

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
