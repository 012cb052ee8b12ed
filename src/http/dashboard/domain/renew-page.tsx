import type { RenewalChoice } from '../../../application/registration/renew-domain';
import type { DomainState } from '../../../domain/registration/domain';
import { formatDate } from '../../../domain/shared/time/date-text';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm } from '../layout/forms/forms';
import { formatPrice, PriceFields } from '../layout/money';
import { DomainLayout } from '../layout/domain/domain-layout';

interface RenewPageProps {
  readonly domain: DomainState;
  /** The terms that can be ordered now; none if `issues` tell why. */
  readonly choices: readonly RenewalChoice[];
  /** Undefined if this renewal is not possible; `issues` tell why. */
  readonly order: RenewalChoice | undefined;
  /** By which it is ordered. */
  readonly quoteId: string | undefined;
  readonly issues: FormIssues | undefined;
}

export function RenewPage({ domain, choices, order, quoteId, issues }: RenewPageProps) {
  const path = `/domains/${domain.id}/renew`;
  const problem = issues && (issues.message ?? [...issues.fields].map(([, text]) => text).join('. '));
  return (
    <DomainLayout domain={domain} tab="details">
      <section class="card narrow">
        <h2>Renew {displayName(domain.name)}</h2>
        {choices.length > 0 && <TermForm path={path} choices={choices} chosen={order?.years} />}
        {problem !== undefined && (
          <div class="alert warning" role="alert">
            <p>{problem}</p>
          </div>
        )}
        {order && <Order path={path} order={order} domain={domain} quoteId={quoteId} />}
      </section>
    </DomainLayout>
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
        <label for="years">Term</label>
        <select id="years" name="years" data-submit>
          {choices.map(({ years, price: fee }) => (
            <option key={years} value={years} selected={years === chosen}>
              {years} {years === 1 ? 'year' : 'years'} · {formatPrice(fee)}
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
  quoteId,
}: Pick<RenewPageProps, 'quoteId'> & {
  readonly path: string;
  readonly order: RenewalChoice;
  readonly domain: DomainState;
}) {
  return (
    <>
      <dl class="details">
        <dt>Price</dt>
        <dd>
          <strong>{formatPrice(order.price)}</strong>
        </dd>
        <dt>Current expiry</dt>
        <dd>{formatDate(domain.expiresAt)}</dd>
        <dt>New expiry</dt>
        <dd>
          <strong>{formatDate(order.expiresAt)}</strong>
        </dd>
      </dl>
      <PostForm action={path}>
        <input type="hidden" name="years" value={String(order.years)} />
        <input type="hidden" name="expires_at" value={domain.expiresAt.toISOString()} />
        <PriceFields price={order.price} quoteId={quoteId} />
        <FormActions submit={`Renew for ${formatPrice(order.price)}`} cancel={`/domains/${domain.id}`} />
      </PostForm>
    </>
  );
}
