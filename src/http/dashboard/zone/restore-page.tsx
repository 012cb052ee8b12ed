import { changesNothing } from '../../../application/dns/zones/zone-judgment';
import type { ZonePlan } from '../../../application/dns/zones/zone-plan';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainFrame } from '../domain/domain-frame';
import { FormActions } from '../layout/form-actions';
import { PostForm } from '../layout/forms';
import { Card } from '../layout/parts';
import { PlanView } from './plan-view';

export function RestorePage({
  domain,
  version,
  plan,
}: {
  readonly domain: DomainState;
  readonly version: number;
  readonly plan: ZonePlan;
}) {
  const path = `/domains/${domain.id}/history/${version}`;
  return (
    <DomainFrame domain={domain} tab="history">
      <Card title={`Bring version ${version} back?`}>
        <PlanView plan={plan} />
        <PostForm action={`${path}/restore`}>
          <input type="hidden" name="expected" value={String(plan.zoneVersion)} />
          <FormActions submit={changesNothing(plan.change) ? undefined : 'Bring it back'} cancel={path} />
        </PostForm>
      </Card>
    </DomainFrame>
  );
}
