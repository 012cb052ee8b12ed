import type { RegistrationOrder } from '../../../application/registration/register-domain';
import { addYears } from '../../../domain/shared/calendar';
import { GlueWarnings } from '../domain/glue-warnings';
import { displayName } from '../domains/domain-words';
import { longDate } from '../layout/dates';
import { PostForm, type FormValues } from '../layout/forms';
import { price, PriceFields } from '../layout/money';
import { usePage } from '../layout/page-context';
import { Card, PageHeading } from '../layout/parts';
import { RegistrantAddress } from '../registrant/registrant-card';

export function ReviewPage({ order, values }: { readonly order: RegistrationOrder; readonly values: FormValues }) {
  const { today } = usePage();
  const { name, term, nameservers, autoRenew, registrant } = order;
  const years = `${term.years} ${term.years === 1 ? 'year' : 'years'}`;
  return (
    <>
      <PageHeading
        title={`Register ${displayName(name.value)}?`}
        lead={`${price(order.price)} for ${years}, until about ${longDate(addYears(today, term.years))}.`}
      />
      <GlueWarnings hosts={nameservers.hosts.filter((host) => host.endsWith(`.${name.value}`))} />
      <div class="columns">
        <Card title="What you order">
          <dl class="details">
            <dt>Domain</dt>
            <dd>{name.value}</dd>
            <dt>Term</dt>
            <dd>{years}</dd>
            <dt>Price</dt>
            <dd>
              <strong>{price(order.price)}</strong>
            </dd>
            <dt>Renewal</dt>
            <dd>{autoRenew ? 'automatically, before it expires' : 'not by itself: it ends unless you renew it'}</dd>
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
      <div class="actions after-cards">
        <PostForm action="/register" class="inline-form">
          <Repeated values={values} />
          <PriceFields price={order.price} />
          <button class="primary" type="submit">
            Register for {price(order.price)}
          </button>
        </PostForm>
        <PostForm action="/register/details" class="inline-form">
          <Repeated values={values} />
          <button type="submit">Change something</button>
        </PostForm>
      </div>
    </>
  );
}

/** What was filled in, to be sent on. */
function Repeated({ values }: { readonly values: FormValues }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ''} />
      ))}
    </>
  );
}
