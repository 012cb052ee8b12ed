import type { RegistrationOrder } from '../../../application/registration/registration-orders';
import { addYears } from '../../../domain/shared/time/calendar';
import { formatDate } from '../../../domain/shared/time/date-text';
import { GlueWarnings } from '../layout/domain/glue-warnings';
import { displayName } from '../layout/domain/domain-labels';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { formatPrice, PriceFields } from '../layout/money';
import { usePage } from '../layout/page-context';
import { Card, PageHeading } from '../layout/components';
import { RegistrantAddress } from '../registrant/registrant-card';

interface ReviewPageProps {
  readonly order: RegistrationOrder;
  /** By which it is ordered. */
  readonly quoteId: string;
  readonly values: FormValues;
}

export function ReviewPage({ order, quoteId, values }: ReviewPageProps) {
  const { today } = usePage();
  const { name, term, nameservers, autoRenew, registrant, idnLanguage } = order;
  const years = `${term.years} ${term.years === 1 ? 'year' : 'years'}`;
  return (
    <>
      <PageHeading
        title={`Register ${displayName(name.value)}?`}
        lead={`${formatPrice(order.price)} for ${years}, until about ${formatDate(addYears(today, term.years))}.`}
      />
      <GlueWarnings hosts={nameservers.hosts.filter((host) => host.endsWith(`.${name.value}`))} />
      <div class="columns">
        <Card title="Order">
          <dl class="details">
            <dt>Domain</dt>
            <dd>{name.value}</dd>
            {idnLanguage !== undefined && (
              <>
                <dt>Language</dt>
                <dd>{idnLanguage}</dd>
              </>
            )}
            <dt>Term</dt>
            <dd>{years}</dd>
            <dt>Price</dt>
            <dd>
              <strong>{formatPrice(order.price)}</strong>
            </dd>
            <dt>Renewal</dt>
            <dd>
              {formatPrice(order.renewal.price)} for{' '}
              {order.renewal.years === 1 ? '1 year' : `${order.renewal.years} years`}
            </dd>
            <dt>Auto-renewal</dt>
            <dd>{autoRenew ? 'on' : 'off: the domain expires unless you renew it'}</dd>
            <dt>Nameservers</dt>
            <dd>
              {nameservers.hosts.map((host) => (
                <div key={host}>{host}</div>
              ))}
            </dd>
          </dl>
        </Card>
        <Card title="Registrant">
          <RegistrantAddress registrant={registrant} />
        </Card>
      </div>
      <div class="actions mt-5">
        <PostForm action="/register" class="inline-form">
          <HiddenFields values={values} />
          <PriceFields price={order.price} quoteId={quoteId} />
          <button class="primary" type="submit">
            Register for {formatPrice(order.price)}
          </button>
        </PostForm>
        <PostForm action="/register/details" class="inline-form">
          <HiddenFields values={values} />
          <button type="submit">Edit</button>
        </PostForm>
      </div>
    </>
  );
}

/** The form values as hidden fields. */
export function HiddenFields({ values }: { readonly values: FormValues }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ''} />
      ))}
    </>
  );
}
