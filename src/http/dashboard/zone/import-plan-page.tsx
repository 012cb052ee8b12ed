import type { ImportedZone } from '../../../application/dns/zones/import-zone-file';
import { changesNothing } from '../../../application/dns/zones/zone-judgment';
import type { ZonePlan } from '../../../application/dns/zones/zone-plan';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainFrame } from '../domain/domain-frame';
import { FormActions } from '../layout/form-actions';
import { PostForm } from '../layout/forms';
import { Card } from '../layout/parts';
import { PlanView } from './plan-view';

const MOST_NOTES = 50;

export interface ImportPlanPageProps {
  readonly domain: DomainState;
  readonly plan: ZonePlan<ImportedZone>;
  /** The file as HTML, or what marks its place. */
  readonly textHtml: string;
}

export function ImportPlanPage({ domain, plan, textHtml }: ImportPlanPageProps) {
  const path = `/domains/${domain.id}/zone-file`;
  const skipped = Object.entries(plan.result.skippedTypes);
  return (
    <DomainFrame domain={domain} tab="zone-file">
      <Card title="Import this zone file?">
        <PlanView plan={plan} />
        {skipped.length > 0 && (
          <p>
            Left out, because such records are not kept here:{' '}
            {skipped.map(([type, count]) => `${count} ${type}`).join(', ')}.
          </p>
        )}
        {plan.result.notes.length > 0 && (
          <details class="facts">
            <summary>
              Notes on {plan.result.notes.length === 1 ? 'one line' : `${plan.result.notes.length} lines`}
            </summary>
            <ul>
              {plan.result.notes.slice(0, MOST_NOTES).map(({ line, note }) => (
                <li key={`${line} ${note}`}>
                  Line {line}: {note}
                </li>
              ))}
            </ul>
          </details>
        )}
        <PostForm action={path} upload>
          <input type="hidden" name="expected" value={String(plan.zoneVersion)} />
          <textarea name="text" hidden dangerouslySetInnerHTML={{ __html: textHtml }} />
          <FormActions submit={changesNothing(plan.change) ? undefined : 'Apply the plan'} cancel={path} />
        </PostForm>
      </Card>
    </DomainFrame>
  );
}
