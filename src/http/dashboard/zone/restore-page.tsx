import type { ZonePlan } from '../../../application/dns/zone-plan';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainFrame } from '../domain/domain-frame';
import { PostForm } from '../layout/forms';
import { Card } from '../layout/parts';
import { isNothing, PlanView } from './plan-view';

export function RestorePage({ domain, version, plan }: { readonly domain: DomainState; readonly version: number; readonly plan: ZonePlan }) {
  const path = `/domains/${domain.id}/history/${version}`;
  return (
    <DomainFrame domain={domain} tab="history">
      <Card title={`Bring version ${version} back?`}>
        <PlanView plan={plan} />
        <PostForm action={`${path}/restore`}>
          <input type="hidden" name="expected" value={String(plan.zoneVersion)} />
          <p class="actions">
            {!isNothing(plan.change) && (
              <button class="primary" type="submit">
                Bring it back
              </button>
            )}
            <a class="button" href={path}>
              Cancel
            </a>
          </p>
        </PostForm>
      </Card>
    </DomainFrame>
  );
}
