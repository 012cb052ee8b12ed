import type { Money } from '../../../domain/shared/money';
import { displayName } from '../domains/domain-words';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { Checkbox, PostForm, Select, TextArea, type FormValues } from '../layout/forms';
import { price as inWords } from '../layout/money';
import { Card, PageHeading } from '../layout/parts';
import { RegistrantFields } from '../registrant/registrant-fields';

export interface DetailsPageProps {
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
  /** Whether the registrant comes from the domain that was registered last. */
  readonly prefilled: boolean;
  /** A year's share of the shortest term. */
  readonly price: Money;
  /** Every term that is sold, the shortest first, with the fee of the whole term. */
  readonly terms: readonly { readonly years: number; readonly fee: Money }[];
  /** What the domain is delegated to where nothing else is asked for. */
  readonly nameservers: readonly string[];
}

export function DetailsPage({ values, issues, prefilled, price, terms, nameservers }: DetailsPageProps) {
  const choices = terms.map(({ years, fee }) => ({
    value: String(years),
    label: `${years} ${years === 1 ? 'year' : 'years'} · ${inWords(fee)}`,
  }));
  return (
    <>
      <PageHeading
        title={`Register ${displayName(values['name'] ?? '')}`}
        lead={`${inWords(price)} a year. Nothing is ordered yet: you will see it all once more.`}
      />
      <PostForm action="/register/review" values={values} issues={issues}>
        <input type="hidden" name="name" value={values['name']} />
        <Card title="Term">
          <Select name="years" label="How long" choices={choices} />
          <Checkbox name="auto_renew" label="Renew automatically before it expires" />
        </Card>
        <Card title="Registrant">
          <p class="small">Who holds the domain.{prefilled && ' Filled in from the registrant that you used last.'}</p>
          <RegistrantFields />
        </Card>
        <Card title="Nameservers">
          <TextArea
            name="nameservers"
            label="Nameservers (optional), one a line"
            rows={3}
            hint={`Left empty: ${nameservers.join(', ')}, where you keep the DNS records here.`}
          />
        </Card>
        <FormActions submit="Continue to the review" cancel="/register" />
      </PostForm>
    </>
  );
}
