import type { FormIssues } from '../form-issues';
import { Card, Confirm, PageHeading } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { useMayDo } from '../layout/may-do';
import { Field, TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';

interface TemplateFormPageProps {
  readonly title: string;
  /** Undefined for a new template. */
  readonly id: string | undefined;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

export function TemplateFormPage({ title, id, values, issues }: TemplateFormPageProps) {
  if (!useMayDo('write', { everyDomain: true })) return <TemplatePage values={values} />;
  const path = id === undefined ? '/record-templates' : `/record-templates/${id}`;
  return (
    <>
      <PageHeading title={title} />
      <Card title="Template">
        <PostForm action={path} values={values} issues={issues}>
          <Field name="name" label="Name" required maxLength={100} />
          <Field name="description" label="Description (optional)" maxLength={500} />
          <TextArea
            name="records"
            label="Records"
            rows={10}
            required
            hint={
              <>
                Lines of a zone file, such as <code>@ 300 A {'{address}'}</code> or <code>www CNAME {'{domain}'}.</code>{' '}
                Each <code>{'{name}'}</code> is asked for when you apply the template; <code>{'{domain}'}</code> is the
                domain. Names outside the domain end with a dot.
              </>
            }
          />
          <FormActions submit="Save template" cancel="/record-templates" />
        </PostForm>
      </Card>
      {id !== undefined && (
        <Confirm
          label="Delete template"
          action={`${path}/delete`}
          question="Zones to which the template was applied keep their records."
          button="Delete template"
        />
      )}
    </>
  );
}

/** For those who may not change it. */
function TemplatePage({ values }: Pick<TemplateFormPageProps, 'values'>) {
  return (
    <>
      <PageHeading title="Record template" lead={values['name']} />
      <Card title="Records">
        {values['description'] && <p>{values['description']}</p>}
        <pre>{values['records']}</pre>
      </Card>
    </>
  );
}
