import type { ImportedZone, ImportMode } from '../../../application/dns/zones/zone-files/import-zone-file';
import { changesNothing } from '../../../domain/dns/zone-change';
import type { ZonePlan } from '../../../application/dns/zones/zone-plan';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../layout/domain/domain-layout';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm } from '../layout/forms/forms';
import { Card } from '../layout/components';
import { PROVIDER_FIELD } from './zone-file-page';
import { PlanView } from './plan-view';

const MAX_NOTES = 50;

interface ImportPlanPageProps {
  readonly domain: DomainState;
  readonly plan: ZonePlan<ImportedZone>;
  readonly mode: ImportMode;
  readonly withProviderRecords: boolean;
  /** The file as HTML, or a placeholder for it. */
  readonly textHtml: string;
}

export function ImportPlanPage({ domain, plan, mode, withProviderRecords, textHtml }: ImportPlanPageProps) {
  const path = `/domains/${domain.id}/zone-file`;
  const skipped = Object.entries(plan.result.skippedTypes);
  return (
    <DomainLayout domain={domain} tab="zone-file">
      <Card title={mode === 'add' ? 'Add these records?' : 'Replace the zone by this zone file?'}>
        <PlanView plan={plan} />
        {skipped.length > 0 && (
          <p>
            Skipped, because these record types are not supported or switched off:{' '}
            {skipped.map(([type, count]) => `${count} ${type}`).join(', ')}.
          </p>
        )}
        {plan.result.notes.length > 0 && (
          <details class="disclosure">
            <summary>
              Notes on {plan.result.notes.length === 1 ? '1 line' : `${plan.result.notes.length} lines`}
            </summary>
            <ul>
              {plan.result.notes.slice(0, MAX_NOTES).map(({ line, note }) => (
                <li key={`${line} ${note}`}>
                  Line {line}: {note}
                </li>
              ))}
            </ul>
          </details>
        )}
        <PostForm action={path} upload>
          <input type="hidden" name="mode" value={mode} />
          {withProviderRecords && <input type="hidden" name={PROVIDER_FIELD} value="yes" />}
          <input type="hidden" name="expected" value={String(plan.zoneVersion)} />
          <textarea name="text" hidden dangerouslySetInnerHTML={{ __html: textHtml }} />
          <FormActions
            submit={changesNothing(plan.change) ? undefined : mode === 'add' ? 'Add records' : 'Import'}
            cancel={path}
          />
        </PostForm>
      </Card>
    </DomainLayout>
  );
}
