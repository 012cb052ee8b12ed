import type { TransferOrder } from '../../../application/transfers/transfer-orders';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { Card, PageHeading } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Checkbox, Field } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { formatPrice, PriceFields } from '../layout/money';
import { ContactPicker, type ContactChoice } from '../registrant/contact-choice';
import { RegistrantFields } from '../registrant/registrant-fields';

interface TransferFormPageProps {
  readonly order: TransferOrder;
  /** By which it is ordered. */
  readonly quoteId: string | undefined;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
  /** The contacts to choose from, before something was sent. */
  readonly choice: ContactChoice | undefined;
}

/** The second step: price, auth code and registrant. */
export function TransferFormPage({
  order: { name, term, price, needsAuthCode },
  quoteId,
  values,
  issues,
  choice,
}: TransferFormPageProps) {
  const years = `${term.years} ${term.years === 1 ? 'year' : 'years'}`;
  return (
    <>
      <PageHeading
        title={`Transfer ${displayName(name.value)}`}
        lead={`${formatPrice(price)}, which extends the registration by ${years}. The nameservers stay as they are.`}
      />
      <PostForm action="/transfers" values={values} issues={issues}>
        <input type="hidden" name="name" value={name.value} />
        <input type="hidden" name="years" value={String(term.years)} />
        <PriceFields price={price} quoteId={quoteId} />
        <Card title="Authorization" term={needsAuthCode ? 'auth-code' : undefined}>
          {needsAuthCode && (
            <Field
              name="auth_code"
              label="Auth code"
              required
              autocomplete="off"
              maxLength={255}
              hint="From the present registrar. It is stored encrypted until the registry has accepted the transfer."
            />
          )}
          <Checkbox name="auto_renew" label="Auto-renewal: renew the domain before it expires" />
        </Card>
        <Card title="Registrant">
          <p class="small">The owner of the domain after the transfer.</p>
          <ContactPicker action="/transfers/new" choice={choice} />
          <RegistrantFields />
        </Card>
        <FormActions submit={`Transfer for ${formatPrice(price)}`} cancel="/transfers" />
      </PostForm>
    </>
  );
}
