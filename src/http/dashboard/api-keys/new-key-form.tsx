import { SCOPES } from '../../../domain/access/scope';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { Field, PostForm, Radios, type FormValues } from '../layout/forms';
import { PageHeading } from '../layout/parts';
import { SCOPE_WORDS } from './scope-words';

const CHOICES = SCOPES.map((scope) => ({
  value: scope,
  label: scope === 'READ' ? 'READ, suggested' : scope,
  hint: SCOPE_WORDS[scope],
}));

export function NewKeyForm({
  values,
  issues,
}: {
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}) {
  return (
    <>
      <PageHeading
        title="New API key"
        lead="Give it no more than its program needs; you can have as many keys as you like."
      />
      <section class="card narrow">
        <PostForm action="/api-keys" values={values} issues={issues}>
          <Field
            name="name"
            label="Name"
            required
            maxLength={100}
            autofocus
            hint="What will use it, such as “certificate renewal”."
          />
          <Radios name="scope" label="Scope" choices={CHOICES} />
          <Field
            name="expires_at"
            label="Last day (optional)"
            type="date"
            hint="In UTC. Without one the key works until you revoke it."
          />
          <FormActions submit="Create the key" cancel="/api-keys" />
        </PostForm>
      </section>
    </>
  );
}
