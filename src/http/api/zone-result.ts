import type { ZonePlan } from '../../application/dns/zones/zone-plan';
import type { ZoneRequest } from '../../application/dns/zones/zone-request';
import type { Written } from '../../application/dns/zones/zone-writer';
import type { TransactionHook } from '../../application/ports/storage/unit-of-work';
import { ok, type JsonResult, type ResultHeaders } from '../shared/result';
import type { WriteRequest } from './api-request';
import { isDryRun } from './dto/zone-request';
import { zonePlan } from './presenters/zone-presenter';

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
  return toResult(await useCase.execute(command, request.storing(toResult)));
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
