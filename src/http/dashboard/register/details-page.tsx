import type { Money } from '../../../domain/shared/money';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/forms/form-actions';
import { Checkbox, Field, Select } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { formatPrice } from '../layout/money';
import { Card, PageHeading } from '../layout/components';
import { ContactPicker, type ContactChoice } from '../registrant/contact-choice';
import { RegistrantFields } from '../registrant/registrant-fields';
import { NameserversField } from '../layout/domain/nameservers-field';

interface DetailsPageProps {
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
  /** The contacts to choose from, before something was sent. */
  readonly choice: ContactChoice | undefined;
  /** Prices per year of the shortest terms. */
  readonly price: { readonly registration: Money; readonly renewal: Money };
  /** The available terms, shortest first, with the price of the whole term. */
  readonly terms: readonly { readonly years: number; readonly fee: Money }[];
  /** The languages of an internationalized name: none if any can be entered. Undefined if the registry does not ask for one. */
  readonly idnLanguages: readonly string[] | undefined;
  /** The default nameservers. */
  readonly nameservers: readonly string[];
}

export function DetailsPage({ values, issues, choice, price, terms, idnLanguages, nameservers }: DetailsPageProps) {
  const choices = terms.map(({ years, fee }) => ({
    value: String(years),
    label: `${years} ${years === 1 ? 'year' : 'years'} · ${formatPrice(fee)}`,
  }));
  return (
    <>
      <PageHeading
        title={`Register ${displayName(values['name'] ?? '')}`}
        lead={`${formatPrice(price.registration)} per year, renewal ${formatPrice(price.renewal)} per year. You can review the order before you pay.`}
      />
      <PostForm action="/register/review" values={values} issues={issues}>
        <input type="hidden" name="name" value={values['name']} />
        <Card title="Term">
          <Select name="years" label="Term" choices={choices} />
          <Checkbox name="auto_renew" label="Auto-renewal: renew the domain before it expires" />
        </Card>
        {idnLanguages && idnLanguages.length !== 1 && (
          <Card title="Language">
            {idnLanguages.length > 1 ? (
              <Select
                name="idn_language"
                label="Language of the name"
                choices={idnLanguages.map((value) => ({ value, label: value }))}
                hint="The registry decides by it which letters and variants the name may have."
              />
            ) : (
              <Field
                name="idn_language"
                label="Language of the name"
                hint="The registry's tag of the language, such as RUS. It decides by it which letters and variants the name may have."
                required
              />
            )}
          </Card>
        )}
        <Card title="Registrant">
          <p class="small">The owner of the domain.{choice?.chosen && ' Copied from one of your domains.'}</p>
          <ContactPicker action="/register/details" choice={choice} />
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
