import { changesNothing } from '../../../../domain/dns/zone-change';
import type { ZonePlan } from '../../../../application/dns/zones/zone-plan';
import type { DomainState } from '../../../../domain/registration/domain';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { FormActions } from '../../layout/forms/form-actions';
import { PostForm } from '../../layout/forms/forms';
import { Card } from '../../layout/components';
import { PlanView } from '../plan-view';

export function RollBackPage({
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
    <DomainLayout domain={domain} tab="history">
      <Card title={`Roll back to version ${version}?`}>
        <PlanView plan={plan} />
        <PostForm action={`${path}/roll-back`}>
          <input type="hidden" name="expected" value={String(plan.zoneVersion)} />
          <FormActions submit={changesNothing(plan.change) ? undefined : 'Roll back'} cancel={path} />
        </PostForm>
      </Card>
    </DomainLayout>
  );
}
