import { quantityText } from '../../../domain/shared/text/quantity-text';
import type { BulkRenewalReview } from '../../../application/portfolio/reviews/review-bulk-renewal';
import type { RecordTemplate } from '../../../domain/dns/templates/record-template';
import type { Money } from '../../../domain/shared/money';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { PageHeading } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Field } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { formatPrice, PriceFields } from '../layout/money';
import { ContactPicker, type ContactChoice } from '../registrant/contact-choice';
import { RegistrantFields } from '../registrant/registrant-fields';
import { VALUE_PREFIX } from './bulk-request';
import { ACTION_LABELS, countDomains, isReviewed, type ActionName } from '../domains/bulk-labels';
import { NameserversField } from '../layout/domain/nameservers-field';
import { RefusedDomains } from './refused-domains';
import type { SelectedDomain } from '../../../domain/portfolio/bulk-job';

const NAMES_SHOWN = 10;
const TERMS = [1, 2, 3, 5, 10];

interface BulkFormPageProps {
  readonly action: ActionName;
  readonly domains: readonly SelectedDomain[];
  /** The selection as hidden fields. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly ownNameservers: readonly string[];
  /** For a renewal; `url` has other terms, unless the term is that of a job that is retried. */
  readonly renewal: { readonly review: BulkRenewalReview; readonly url: string | undefined } | undefined;
  /** For a record template: those of the account, and the chosen one. */
  readonly templates:
    | { readonly all: readonly RecordTemplate[]; readonly chosen: RecordTemplate | undefined; readonly url: string }
    | undefined;
  /** For a registrant. */
  readonly contacts?: ContactChoice | undefined;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
  /** The job whose failed renewals are retried, and which of them; undefined: a new job. */
  readonly retried?: RetriedJob | undefined;
}

interface RetriedJob {
  readonly path: string;
  readonly from: number;
  /** How many of the job have failed. */
  readonly failed: number;
}

/** Confirms an action on many domains, with what it needs. */
export function BulkFormPage({
  action,
  domains,
  fields,
  ownNameservers,
  renewal,
  templates,
  contacts,
  values,
  issues,
  retried,
}: BulkFormPageProps) {
  const back = retried?.path ?? '/domains';
  const count = renewal ? renewal.review.renewable.length : domains.length;
  const submit = `${ACTION_LABELS[action].verb} ${countDomains(count)}`;
  return (
    <>
      <PageHeading title={submit} />
      <section class="card narrow">
        <SelectedNames domains={domains} />
        {templates && !templates.chosen && <TemplateChoice templates={templates} />}
        {retried && <RetriedPart {...retried} count={domains.length} />}
        {renewal && <RenewalTerms renewal={renewal} />}
        <PostForm action={formAction(action, retried)} values={values} issues={issues}>
          <input type="hidden" name="action" value={action} />
          {fields.map(([name, value]) => (
            <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
          ))}
          <ContactPicker action="/bulk/new" choice={contacts} />
          <ActionFields action={action} ownNameservers={ownNameservers} />
          {templates?.chosen && <TemplateFields template={templates.chosen} />}
          {renewal?.review.total && (
            <>
              <input type="hidden" name="years" value={String(renewal.review.years)} />
              <input type="hidden" name="renewals" value={renewal.review.digest} />
              <PriceFields price={renewal.review.total} />
            </>
          )}
          {templates && !templates.chosen ? null : count > 0 ? (
            <FormActions submit={submitLabel(submit, action, renewal?.review.total)} cancel={back} />
          ) : (
            <p>
              None of them can be renewed.{' '}
              <a href={back}>{retried ? 'Back to the bulk change' : 'Back to the domains'}</a>
            </p>
          )}
        </PostForm>
      </section>
      {renewal && renewal.review.refused.length > 0 && <Refused refused={renewal.review.refused} />}
    </>
  );
}

function formAction(action: ActionName, retried: RetriedJob | undefined): string {
  if (retried) return `${retried.path}/retry`;
  return isReviewed(action) ? '/bulk/review' : '/bulk';
}

function SelectedNames({ domains }: Pick<BulkFormPageProps, 'domains'>) {
  const shown = domains.slice(0, NAMES_SHOWN).map(({ name, domainId }) => (name === '' ? domainId : displayName(name)));
  const more = domains.length - shown.length;
  return (
    <p>
      {shown.join(', ')}
      {more > 0 && ` and ${more} more`}
    </p>
  );
}

/** Which of the failed renewals the form is for, if they are too many for one. */
function RetriedPart({ path, from, failed, count }: RetriedJob & { readonly count: number }) {
  if (count >= failed) return null;
  const next = from + count < failed ? from + count : 0;
  return (
    <p>
      Domains {from + 1} to {from + count} of {failed} that failed. You can retry the others afterwards, or{' '}
      <a href={`${path}/retry?from=${next}`}>go on to {next === 0 ? 'the first' : 'the next'} of them</a>.
    </p>
  );
}

function ActionFields({ action, ownNameservers }: Pick<BulkFormPageProps, 'action' | 'ownNameservers'>) {
  if (action === 'registrant') return <RegistrantFields />;
  if (action === 'auto-renewal-off') return <p>These domains expire unless you renew them.</p>;
  if (action === 'unlock')
    return (
      <p>Without the transfer lock, anyone with the auth code of a domain can transfer it to another registrar.</p>
    );
  if (action === 'tags')
    return (
      <>
        <Field name="add" label="Tags to add (optional)" hint="Separated by commas" />
        <Field name="remove" label="Tags to remove (optional)" hint="Separated by commas" />
      </>
    );
  if (action !== 'nameservers') return null;
  return (
    <>
      <p>
        Resolvers get the DNS records of these domains from the nameservers. They may use the old ones for up to two
        days. You can undo the change afterwards.
      </p>
      <NameserversField ownNameservers={ownNameservers} />
    </>
  );
}

function TemplateChoice({
  templates: { all, url },
}: {
  readonly templates: NonNullable<BulkFormPageProps['templates']>;
}) {
  return (
    <ul>
      {all.map(({ id, name, description }) => (
        <li key={id}>
          <a href={`${url}&template=${encodeURIComponent(id)}`}>{name}</a> <span class="small">{description}</span>
        </li>
      ))}
    </ul>
  );
}

function TemplateFields({ template: { id, name, description, variables } }: { readonly template: RecordTemplate }) {
  return (
    <>
      <p>
        <strong>{name}</strong> {description} Records that cannot stay beside those of the template are replaced.
      </p>
      <input type="hidden" name="template" value={id} />
      {variables.map(({ name: variable, label, hint, isOptional = false }) => (
        <Field
          key={variable}
          name={`${VALUE_PREFIX}${variable}`}
          label={label}
          hint={hint}
          required={!isOptional}
          maxLength={1_000}
        />
      ))}
    </>
  );
}

function RenewalTerms({ renewal: { review, url } }: { readonly renewal: NonNullable<BulkFormPageProps['renewal']> }) {
  const { years } = review;
  if (url === undefined) return <p>Term: {describeYears(years)}</p>;
  return (
    <p>
      Term:{' '}
      {TERMS.map((each) => (
        <>
          {each === years ? (
            <strong aria-current="true">{describeYears(each)}</strong>
          ) : (
            <a href={`${url}&years=${each}`}>{describeYears(each)}</a>
          )}{' '}
        </>
      ))}
    </p>
  );
}

function submitLabel(verb: string, action: ActionName, total: Money | undefined): string {
  if (isReviewed(action)) return 'Review the changes';
  return total ? `${verb} for ${formatPrice(total)}` : verb;
}

function describeYears(years: number): string {
  return quantityText(years, 'year');
}

function Refused({ refused }: Pick<BulkRenewalReview, 'refused'>) {
  return (
    <section class="card">
      <h2>{countDomains(refused.length)} cannot be renewed</h2>
      <RefusedDomains refused={refused} />
    </section>
  );
}
