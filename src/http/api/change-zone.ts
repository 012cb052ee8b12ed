import type { ZonePlan } from '../../application/dns/zone-plan';
import type { Written, ZoneRequest } from '../../application/dns/zone-writer';
import type { ApiRequest, ApiResponse } from './caller';
import { isDryRun } from './dto/zone-request';
import { zonePlan } from './presenters/zone-presenter';
import { tellZoneVersion } from './zone-version';

/** A use case that changes a zone. */
interface ZoneChanger<C extends ZoneRequest, T> {
  execute(command: C): Promise<Written<T>>;
  plan(command: C): Promise<ZonePlan<T>>;
}

/** Changes a zone and has `answer` tell the result; with `?dry_run=true` the answer is the plan, and nothing is changed. */
export async function changeZone<C extends ZoneRequest, T>(
  req: ApiRequest,
  res: ApiResponse,
  useCase: ZoneChanger<C, T>,
  command: C,
  answer: (written: Written<T>) => void,
  present: (plan: ZonePlan<T>) => object = zonePlan,
): Promise<void> {
  if (isDryRun(req)) {
    const plan = await useCase.plan(command);
    tellZoneVersion(res, plan.zoneVersion);
    res.json(present(plan));
    return;
  }
  const written = await useCase.execute(command);
  tellZoneVersion(res, written.zoneVersion);
  if (written.published !== undefined) res.setHeader('Zone-Published', String(written.published));
  answer(written);
}
