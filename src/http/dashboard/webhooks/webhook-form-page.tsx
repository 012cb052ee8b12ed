import type { FormIssues } from '../form-issues';
import { Card, PageHeading } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Field, TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';

interface WebhookFormPageProps {
  readonly title: string;
  /** Undefined for a new webhook. */
  readonly id: string | undefined;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

export function WebhookFormPage({ title, id, values, issues }: WebhookFormPageProps) {
  const path = id === undefined ? '/webhooks' : `/webhooks/${id}`;
  return (
    <>
      <PageHeading title={title} />
      <Card title="Receiver">
        <PostForm action={id === undefined ? path : `${path}/settings`} values={values} issues={issues}>
          <Field
            name="url"
            label="URL"
            inputMode="url"
            required
            maxLength={2000}
            placeholder="https://hooks.example.com/names"
            hint="Each event is sent to it as a POST request with JSON."
          />
          <Field name="description" label="Description (optional)" maxLength={200} />
          <TextArea
            name="types"
            label="Types of events (optional)"
            hint={
              <>
                One on each line, such as <code>domain.renewed</code>, or groups such as <code>domain.*</code>. Without
                any, it gets all events.
              </>
            }
          />
          <TextArea name="domains" label="Only of these names (optional)" hint="Domains or zones, one on each line." />
          <TextArea
            name="tags"
            label="Only of domains with one of these tags (optional)"
            rows={2}
            hint="Tags, one on each line."
          />
          <FormActions submit={id === undefined ? 'Create webhook' : 'Save settings'} cancel={path} />
        </PostForm>
      </Card>
    </>
  );
}
