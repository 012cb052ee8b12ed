import { changesNothing } from '../../../domain/dns/zone-change';
import type { ZonePlan } from '../../../application/dns/zones/zone-plan';
import type { RecordTemplate, TemplateValues } from '../../../domain/dns/templates/record-template';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../layout/domain/domain-layout';
import type { FormIssues } from '../form-issues';
import { Card, Copyable } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Field } from '../layout/forms/form-controls';
import { GetForm, PostForm } from '../layout/forms/forms';
import { PlanView } from '../zone/plan-view';

/** No variable can have the name. */
export const EXPECTED_FIELD = '_expected';

interface ApplyTemplatePageProps {
  readonly domain: DomainState;
  readonly template: RecordTemplate;
  readonly values: TemplateValues;
  /** Absent while values are missing or wrong. */
  readonly plan?: ZonePlan | undefined;
  readonly issues?: FormIssues | undefined;
}

/** A template, the values of its variables, and what it would change. */
export function ApplyTemplatePage({ domain, template, values, plan, issues }: ApplyTemplatePageProps) {
  const path = `/domains/${domain.id}/templates/${template.id}`;
  const list = `/domains/${domain.id}/templates`;
  return (
    <DomainLayout domain={domain} tab="records" needs="change DNS records">
      <Card title={template.name}>
        {template.description !== '' && <p>{template.description}</p>}
        <details class="disclosure">
          <summary>Records of the template</summary>
          <Copyable id="template-records" text={template.records} label="records of the template" lines />
          {template.source && (
            <p class="small">
              Providers change their records: compare these with the <a href={template.source.url}>documentation</a>.
            </p>
          )}
        </details>
        {template.variables.length > 0 && (
          <GetForm action={path} values={values} issues={issues}>
            <div class="fields">
              {template.variables.map(({ name, label, hint, isOptional = false }) => (
                <Field key={name} name={name} label={label} hint={hint} required={!isOptional} maxLength={1_000} />
              ))}
            </div>
            <FormActions submit="Preview changes" cancel={list} />
          </GetForm>
        )}
        {template.variables.length === 0 && issues?.message !== undefined && (
          <div class="alert warning" role="alert">
            <p>{issues.message}</p>
          </div>
        )}
      </Card>
      {plan && (
        <Card title="Apply these changes?" id="plan">
          <PlanView plan={plan} />
          <PostForm action={path}>
            <input type="hidden" name={EXPECTED_FIELD} value={String(plan.zoneVersion)} />
            {Object.entries(values).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <FormActions submit={changesNothing(plan.change) ? undefined : 'Apply template'} cancel={list} />
          </PostForm>
        </Card>
      )}
    </DomainLayout>
  );
}
