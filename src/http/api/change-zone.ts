import type { ZonePlan } from '../../application/dns/zones/zone-plan';
import type { ZoneRequest } from '../../application/dns/zones/zone-request';
import type { Written } from '../../application/dns/zones/zone-writer';
import type { TransactionHook } from '../../application/ports/storage/unit-of-work';
import type { ApiRequest, ApiResponse } from './caller';
import { applyLocalChange } from './change-ours';
import { isDryRun } from './dto/zone-request';
import { zonePlan } from './presenters/zone-presenter';
import { sendAnswer } from './send-answer';
import { zoneVersionHeaders } from './zone-version';

/** A use case that changes a zone. */
interface ZoneChanger<C extends ZoneRequest, T> {
  execute(command: C, alongside?: TransactionHook<Written<T>>): Promise<Written<T>>;
  plan(command: C): Promise<ZonePlan<T>>;
}

interface Presenters<T> {
  /** 200 where nothing else is said. */
  readonly status?: number;
  readonly written: (written: Written<T>) => object;
  readonly planned?: (plan: ZonePlan<T>) => object;
}

/** Changes a zone and answers the result; with `?dry_run=true` the answer is the plan, and nothing is changed. */
export async function changeZone<C extends ZoneRequest, T>(
  req: ApiRequest,
  res: ApiResponse,
  useCase: ZoneChanger<C, T>,
  command: C,
  { status = 200, written: body, planned = zonePlan }: Presenters<T>,
): Promise<void> {
  if (isDryRun(req)) {
    const plan = await useCase.plan(command);
    await sendAnswer(res, { status: 200, headers: zoneVersionHeaders(plan.zoneVersion), body: planned(plan) });
    return;
  }
  await applyLocalChange<Written<T>>(
    res,
    (alongside) => useCase.execute(command, alongside),
    (written) => ({ status, headers: headersOf(written), body: body(written) }),
  );
}

function headersOf({ zoneVersion, published }: Written<unknown>): Record<string, string> {
  return {
    ...zoneVersionHeaders(zoneVersion),
    ...(published !== undefined && { 'Zone-Published': String(published) }),
  };
}
