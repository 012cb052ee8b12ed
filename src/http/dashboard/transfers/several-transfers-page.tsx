import type { SavedContact } from '../../../application/portfolio/saved-contacts';
import { MAX_TRANSFER_TEXT } from '../../../application/portfolio/transfers/review-transfers';
import { MAX_BULK_TRANSFERS } from '../../../domain/portfolio/bulk-job';
import type { FormIssues } from '../form-issues';
import { Card, PageHeading } from '../layout/components';
import { Checkbox, Select, TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { CONTACT_FIELD, describeContact } from '../registrant/contact-choice';
import { RegistrantFields } from '../registrant/registrant-fields';

export const CODES_FIELD = 'auth_codes';
const OTHER = { value: '', label: 'Another: fill in the fields below' };

interface SeveralTransfersPageProps {
  readonly contacts: readonly SavedContact[];
  /** Never with auth codes. */
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

/** The names with their auth codes, and one registrant for all of them. */
export function SeveralTransfersPage({ contacts, values, issues }: SeveralTransfersPageProps) {
  const choices = contacts.map(({ domainId, registrant }) => ({ value: domainId, label: describeContact(registrant) }));
  const isOther = contacts.length === 0 || values[CONTACT_FIELD] === '';
  return (
    <>
      <PageHeading
        title="Transfer several domains"
        lead="Turn their transfer locks off at the present registrar, and get their auth codes. You see the prices before you pay."
      />
      <PostForm action="/transfers/several/review" values={values} issues={issues}>
        <Card title="Domains" term="auth-code">
          <TextArea
            name={CODES_FIELD}
            label="Names and auth codes"
            rows={10}
            required
            hint={`One name a line, then a comma and its auth code, or a CSV file with a header: at most ${MAX_BULK_TRANSFERS} lines and ${MAX_TRANSFER_TEXT} characters. Auth codes are not shown again; they are stored encrypted until the registry has accepted the transfers.`}
          />
          <p data-scripted hidden>
            <label class="button quiet">
              Choose file{' '}
              <input
                class="visually-hidden"
                type="file"
                data-fill-target={CODES_FIELD}
                accept=".csv,.txt,text/csv,text/plain"
              />
            </label>
          </p>
          <Checkbox name="auto_renew" label="Auto-renewal: renew the domains before they expire" />
        </Card>
        <Card title="Registrant">
          <p class="small">The owner of the domains after the transfer.</p>
          {contacts.length > 0 && <Select name={CONTACT_FIELD} label="Registrant" choices={[...choices, OTHER]} />}
          <details class="disclosure" open={isOther}>
            <summary>{contacts.length > 0 ? 'Another registrant' : 'Registrant'}</summary>
            <RegistrantFields />
          </details>
        </Card>
        <p class="actions">
          {/* The fields of a registrant that is chosen above are empty. */}
          <button class="primary" type="submit" formNoValidate>
            Review transfers
          </button>
          <a class="button" href="/transfers">
            Cancel
          </a>
        </p>
      </PostForm>
    </>
  );
}
