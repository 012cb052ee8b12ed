import type { CreatedZone } from '../../../application/hosting/create-zone';
import type { RecordTemplate } from '../../../domain/dns/templates/record-template';
import type { FormIssues } from '../form-issues';
import { Card, PageHeading } from '../layout/components';
import { displayName } from '../layout/domain/domain-labels';
import { FormActions } from '../layout/forms/form-actions';
import { Field, TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { ChangeView, listChangedRecords } from '../zone/change-view';

const FORM = '/add/dns';

/** Of a variable of a template. */
export function valueField(name: string): string {
  return `values.${name}`;
}

interface ContentsFormProps {
  /** Of the form before. */
  readonly values: FormValues;
  readonly issues?: FormIssues | undefined;
}

/** Asks for the zone file whose records the new zone gets. */
export function HostZoneFilePage({ values, issues, textHtml }: ContentsFormProps & { readonly textHtml: string }) {
  return (
    <>
      <PageHeading
        title={`Zone file of ${values['name'] ?? ''}`}
        lead="You see its records before the zone is created."
      />
      <Card title="Zone file">
        <PostForm action={`${FORM}/plan`} upload issues={issues}>
          <HiddenFields values={values} names={['name', 'move_records']} />
          <TextArea name="text" label="Zone file" rows={14} required html={textHtml} />
          <FormActions submit="Preview records" cancel={FORM} />
        </PostForm>
      </Card>
    </>
  );
}

/** Asks for the values of a template. */
export function HostTemplatePage({
  values,
  issues,
  template,
}: ContentsFormProps & { readonly template: RecordTemplate }) {
  return (
    <>
      <PageHeading title={`${template.name} for ${values['name'] ?? ''}`} lead={template.description || undefined} />
      <section class="card narrow">
        <PostForm action={FORM} values={values} issues={issues}>
          <HiddenFields values={values} names={TEMPLATE_FIELDS} />
          <input type="hidden" name="asked" value="yes" />
          {template.variables.map(({ name, label, hint, isOptional = false }) => (
            <Field
              key={name}
              name={valueField(name)}
              label={label}
              hint={hint}
              required={!isOptional}
              maxLength={1_000}
            />
          ))}
          <FormActions submit="Preview records" cancel={FORM} />
        </PostForm>
      </section>
    </>
  );
}

interface HostPlanPageProps {
  readonly zone: CreatedZone;
  readonly values: FormValues;
  /** A placeholder for the zone file of the records; absent if they are a template's. */
  readonly textHtml: string | undefined;
}

/** The zone that would be created, with its records. */
export function HostPlanPage({ zone: { owner, copied }, values, textHtml }: HostPlanPageProps) {
  const added = copied?.imported.change.added ?? [];
  const skipped = Object.entries(copied?.imported.skippedTypes ?? {});
  return (
    <>
      <PageHeading
        title={`Host ${displayName(owner.name)}`}
        lead={added.length === 1 ? 'The zone begins with 1 record.' : `The zone begins with ${added.length} records.`}
      />
      <Card title="Create this zone?">
        {(copied?.imported.warnings ?? []).length > 0 && (
          <div class="alert warning">
            <ul>
              {copied?.imported.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </div>
        )}
        {skipped.length > 0 && (
          <p>
            Skipped, because these record types are not supported or switched off:{' '}
            {skipped.map(([type, count]) => `${count} ${type}`).join(', ')}.
          </p>
        )}
        {added.length > 0 && <ChangeView changes={listChangedRecords({ added, changed: [], removed: [] })} />}
        {textHtml === undefined ? (
          <PostForm action={FORM}>
            <HiddenFields values={values} names={TEMPLATE_FIELDS} />
            <HiddenFields values={values} names={Object.keys(values).filter((name) => name.startsWith('values.'))} />
            <input type="hidden" name="asked" value="yes" />
            <input type="hidden" name="confirmed" value="yes" />
            <FormActions submit="Host DNS" cancel={FORM} />
          </PostForm>
        ) : (
          <PostForm action={`${FORM}/file`} upload>
            <HiddenFields values={values} names={['name', 'move_records']} />
            <textarea name="text" hidden dangerouslySetInnerHTML={{ __html: textHtml }} />
            <FormActions submit="Host DNS" cancel={FORM} />
          </PostForm>
        )}
      </Card>
    </>
  );
}

const TEMPLATE_FIELDS = ['name', 'move_records', 'records', 'template'];

function HiddenFields({ values, names }: { readonly values: FormValues; readonly names: readonly string[] }) {
  return (
    <>
      {names
        .filter((name) => (values[name] ?? '') !== '')
        .map((name) => (
          <input key={name} type="hidden" name={name} value={values[name]} />
        ))}
    </>
  );
}
