import type { Quote } from '../../../application/registration/quote-domains';
import type { Money } from '../../../domain/shared/money';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { Card, Cell, PageHeading, Row, Table } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Checkbox, TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { formatPrice } from '../layout/money';
import { ContactPicker, type ContactChoice } from '../registrant/contact-choice';
import { RegistrantFields } from '../registrant/registrant-fields';
import { formatAgreed } from '../reauthentication/agreed-names';
import { HiddenFields } from './review-page';
import { NameserversField } from '../layout/domain/nameservers-field';

interface OrderDetailsPageProps {
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
  /** The contacts to choose from, before something was sent. */
  readonly choice: ContactChoice | undefined;
  /** The default nameservers. */
  readonly nameservers: readonly string[];
  /** So many names can be ordered together. */
  readonly most: number;
}

export function OrderDetailsPage({ values, issues, choice, nameservers, most }: OrderDetailsPageProps) {
  return (
    <>
      <PageHeading
        title="Register several domains"
        lead="One registrant for all. You can review the prices before you pay."
      />
      <PostForm action="/register/order/review" values={values} issues={issues}>
        <Card title="Names">
          <TextArea
            name="names"
            label="Names, one per line"
            rows={6}
            required
            hint={`At most ${most}. Each is registered for the shortest term of its TLD.`}
          />
          <Checkbox name="auto_renew" label="Auto-renewal: renew the domains before they expire" />
        </Card>
        <Card title="Registrant">
          <ContactPicker action="/register/order/edit" choice={choice} />
          <RegistrantFields />
        </Card>
        <Card title="Nameservers">
          <NameserversField ownNameservers={nameservers} isOptional />
        </Card>
        <FormActions submit="Review order" cancel="/register" />
      </PostForm>
    </>
  );
}

interface OrderReviewPageProps {
  readonly quotes: readonly Required<Pick<Quote, 'name' | 'years' | 'price' | 'binding'>>[];
  readonly total: Money;
  readonly values: FormValues;
}

export function OrderReviewPage({ quotes, total, values }: OrderReviewPageProps) {
  return (
    <>
      <PageHeading
        title={quotes.length === 1 ? 'Register 1 domain?' : `Register ${quotes.length} domains?`}
        lead={`${formatPrice(total)} in all. Each name is ordered separately: if one is refused, you do not pay for it.`}
      />
      <section class="card flush">
        <Table caption="The order" columns={['Name', 'Term', 'Price', 'Renewal']}>
          {quotes.map(({ name, years, price }) => (
            <Row key={name}>
              <Cell class="main-cell">
                <strong>{displayName(name)}</strong>
              </Cell>
              <Cell label="Term">{years === 1 ? '1 year' : `${years} years`}</Cell>
              <Cell label="Price">{formatPrice(price.total)}</Cell>
              <Cell label="Renewal">{formatPrice(price.renewal)} per year</Cell>
            </Row>
          ))}
        </Table>
      </section>
      <div class="actions mt-5">
        <PostForm action="/register/order" class="inline-form">
          <HiddenFields values={values} />
          {quotes.map(({ name, years, price, binding }) => (
            <input
              key={name}
              type="hidden"
              name="agreed"
              value={formatAgreed({ name, years, price: price.total, quoteId: binding.id })}
            />
          ))}
          <button class="primary" type="submit">
            Register for {formatPrice(total)}
          </button>
        </PostForm>
        <PostForm action="/register/order/edit" class="inline-form">
          <HiddenFields values={values} />
          <button type="submit">Edit</button>
        </PostForm>
      </div>
    </>
  );
}
