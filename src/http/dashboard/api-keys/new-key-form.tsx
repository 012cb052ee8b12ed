import { SCOPES, type Scope } from '../../../domain/access/api-key';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { Field, PostForm, Radios, type FormValues } from '../layout/forms';
import { PageHeading } from '../layout/components';

/** What a key of each scope may do. */
const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  READ: 'Can read domains, records, prices and statuses. Enough for most programs.',
  WRITE: 'Can also change records and settings, and spend money: register and renew domains.',
  ADMIN: 'Can do everything, including features that are added later.',
};

const CHOICES = SCOPES.map((scope) => ({
  value: scope,
  label: scope === 'READ' ? 'READ (recommended)' : scope,
  hint: SCOPE_DESCRIPTIONS[scope],
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
        lead="Choose the smallest scope that the program needs. Create one key per program."
      />
      <section class="card narrow">
        <PostForm action="/api-keys" values={values} issues={issues}>
          <Field
            name="name"
            label="Name"
            required
            maxLength={100}
            autofocus
            hint="The program that uses it, such as “certificate renewal”."
          />
          <Radios name="scope" label="Scope" choices={CHOICES} />
          <Field
            name="expires_at"
            label="Expiry date (optional)"
            type="date"
            hint="The last day in UTC. Empty: the key works until you revoke it."
          />
          <FormActions submit="Create API key" cancel="/api-keys" />
        </PostForm>
      </section>
    </>
  );
}
