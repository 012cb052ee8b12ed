import type { KeyPreset } from '../../../application/access/key-presets/key-presets';
import { SCOPES, type Scope } from '../../../domain/access/api-key';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/forms/form-actions';
import { Checkbox, Field, Radios } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
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

/** A key that is limited by its scope only. */
export const WHOLE_ACCOUNT = 'account';

export function NewKeyForm({
  presets,
  values,
  issues,
}: {
  readonly presets: readonly KeyPreset[];
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}) {
  const purposes = [
    ...presets.map(({ id, label, hint }) => ({ value: id, label, hint })),
    { value: WHOLE_ACCOUNT, label: 'Something else', hint: 'All domains of the account, with the scope below.' },
  ];
  return (
    <>
      <PageHeading
        title="New key"
        lead="Each purpose allows as little as the program needs. The next page shows the configuration of the program."
      />
      <section class="card narrow">
        <PostForm action="/api-keys" values={values} issues={issues}>
          <Radios name="purpose" label="What it is for" choices={purposes} />
          <Field
            name="domain"
            label="Domain"
            maxLength={2_000}
            hint="Such as example.com. Deploys and monitoring take several, separated by spaces, or tag:shop for all domains tagged shop."
          />
          <Field
            name="record"
            label="Host name (for certificates and a router)"
            maxLength={253}
            hint="Relative to the domain, such as home; @ is the domain itself."
          />
          <Field
            name="name"
            label="Name"
            maxLength={100}
            hint="The program that uses it, such as “certbot on www”. Empty: what it is for, and the domain."
          />
          <details class="collapsible" open={values['purpose'] === WHOLE_ACCOUNT}>
            <summary>For something else: scope, proposals, expiry</summary>
            <Radios name="scope" label="Scope" choices={CHOICES} />
            <Checkbox
              name="propose"
              label="Only propose changes"
              hint="Each of its changes waits on the page “Proposals” until someone else accepts it. Enough for an agent that you do not trust with your domains."
            />
            <Field
              name="expires_at"
              label="Expiry date (optional)"
              type="date"
              hint="The last day in UTC. Empty: the key works until you revoke it."
            />
          </details>
          <FormActions submit="Create key" cancel="/api-keys" />
        </PostForm>
      </section>
    </>
  );
}
