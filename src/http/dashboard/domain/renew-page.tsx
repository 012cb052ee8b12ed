import type { RenewalChoice } from '../../../application/registration/renew-domain';
import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../domains/domain-words';
import type { FormIssues } from '../form-issues';
import { longDate } from '../layout/dates';
import { FormActions } from '../layout/form-actions';
import { PostForm } from '../layout/forms';
import { price, PriceFields } from '../layout/money';
import { DomainFrame } from './domain-frame';

export interface RenewPageProps {
  readonly domain: DomainState;
  /** Every term that is sold and possible now; none where `issues` say why. */
  readonly choices: readonly RenewalChoice[];
  /** Absent where such a renewal is not possible; `issues` say why. */
  readonly order: RenewalChoice | undefined;
  readonly issues: FormIssues | undefined;
}

export function RenewPage({ domain, choices, order, issues }: RenewPageProps) {
  const path = `/domains/${domain.id}/renew`;
  const problem = issues && (issues.message ?? [...issues.fields].map(([, words]) => words).join('. '));
  return (
    <DomainFrame domain={domain} tab="details">
      <section class="card narrow">
        <h2>Renew {displayName(domain.name)}</h2>
        {choices.length > 0 && <TermForm path={path} choices={choices} chosen={order?.years} />}
        {problem !== undefined && (
          <div class="notice warning" role="alert">
            <p>{problem}</p>
          </div>
        )}
        {order && <Order path={path} order={order} domain={domain} />}
      </section>
    </DomainFrame>
  );
}

function TermForm({
  path,
  choices,
  chosen,
}: {
  readonly path: string;
  readonly choices: readonly RenewalChoice[];
  readonly chosen: number | undefined;
}) {
  return (
    <form class="filter compact" action={path}>
      <div class="field">
        <label for="years">How long</label>
        <select id="years" name="years" data-submit>
          {choices.map(({ years, price: fee }) => (
            <option key={years} value={years} selected={years === chosen}>
              {years} {years === 1 ? 'year' : 'years'} · {price(fee)}
            </option>
          ))}
        </select>
      </div>
      <button type="submit">Choose</button>
    </form>
  );
}

function Order({
  path,
  order,
  domain,
}: {
  readonly path: string;
  readonly order: RenewalChoice;
  readonly domain: DomainState;
}) {
  return (
    <>
      <dl class="details">
        <dt>Price</dt>
        <dd>
          <strong>{price(order.price)}</strong>
        </dd>
        <dt>Expires now on</dt>
        <dd>{longDate(domain.expiresAt)}</dd>
        <dt>Expires then on</dt>
        <dd>
          <strong>{longDate(order.expiresAt)}</strong>
        </dd>
      </dl>
      <PostForm action={path}>
        <input type="hidden" name="years" value={String(order.years)} />
        <input type="hidden" name="expires_at" value={domain.expiresAt.toISOString()} />
        <PriceFields price={order.price} />
        <FormActions submit={`Renew for ${price(order.price)}`} cancel={`/domains/${domain.id}`} />
      </PostForm>
    </>
  );
}
