import type { UndoneChange } from '../../../../application/dns/zones/history/undo-zone-change';
import type { ZonePlan } from '../../../../application/dns/zones/zone-plan';
import { DnsRecord } from '../../../../domain/dns/records/dns-record';
import { changesNothing } from '../../../../domain/dns/zone-change';
import type { DomainState } from '../../../../domain/registration/domain';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { FoldedText } from '../../layout/folded-text';
import { FormActions } from '../../layout/forms/form-actions';
import { PostForm } from '../../layout/forms/forms';
import { Card } from '../../layout/components';
import { PlanView } from '../plan-view';

const REASONS: Readonly<Record<UndoneChange['conflicts'][number]['reason'], string>> = {
  'changed later': 'was changed again and stays as it is.',
  'deleted later': 'was deleted later and stays deleted.',
  'exists again': 'was added again, so there is nothing to restore.',
};

export function UndoChangePage({
  domain,
  version,
  plan,
}: {
  readonly domain: DomainState;
  readonly version: number;
  readonly plan: ZonePlan<UndoneChange>;
}) {
  const path = `/domains/${domain.id}/history/${version}`;
  const { conflicts } = plan.result;
  return (
    <DomainLayout domain={domain} tab="history">
      <Card title={`Undo the change of version ${version}?`}>
        <p>Only this change is undone. Later changes are kept.</p>
        {conflicts.length > 0 && (
          <div class="alert warning">
            <ul class="plain-list">
              {conflicts.map(({ record, reason }) => (
                <li key={record.id}>
                  {record.type} {record.name} <FoldedText text={DnsRecord.fromState(record).rdata()} />{' '}
                  {REASONS[reason]}
                </li>
              ))}
            </ul>
          </div>
        )}
        <PlanView plan={plan} />
        <PostForm action={`${path}/undo`}>
          <input type="hidden" name="expected" value={String(plan.zoneVersion)} />
          <FormActions submit={changesNothing(plan.change) ? undefined : 'Undo this change'} cancel={path} />
        </PostForm>
      </Card>
    </DomainLayout>
  );
}
