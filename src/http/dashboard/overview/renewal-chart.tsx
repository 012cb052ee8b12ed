import type { MonthOfRenewals } from '../../../application/registration/renewal-forecast';
import { formatDay } from '../../../domain/shared/calendar';
import { plus, type Money } from '../../../domain/shared/money';
import { buildUrl } from '../build-url';
import { Card } from '../layout/components';
import { formatPrice } from '../layout/money';
import type { Column } from '../domains/domain-columns';

const COLUMNS_SHOWN: readonly Column[] = ['status', 'expiry', 'renewal', 'price'];
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** What automatic renewals will cost in each of the next months: a bar with a link to the domains for each. */
export function RenewalChart({ months }: { readonly months: readonly MonthOfRenewals[] }) {
  const weights = months.map(({ cost, renewals }) => cost?.minor ?? renewals);
  const highest = Math.max(1, ...weights);
  const unpriced = months.reduce((sum, month) => sum + (month.cost ? month.unpriced : 0), 0);
  return (
    <Card title="Automatic renewals in the next 12 months" aside={<Total months={months} />}>
      <ol class="month-chart">
        {months.map((month, index) => (
          <li key={index}>
            <Month month={month} share={(weights[index] ?? 0) / highest} />
          </li>
        ))}
      </ol>
      {unpriced > 0 && (
        <p class="small">
          {unpriced === 1
            ? 'The price of one renewal is'
            : `The prices of ${unpriced.toLocaleString('en')} renewals are`}{' '}
          not known yet. Reload the page in a moment.
        </p>
      )}
    </Card>
  );
}

function Month({
  month: { month, renewals, cost, expiring },
  share,
}: {
  readonly month: MonthOfRenewals;
  readonly share: number;
}) {
  const content = (
    <>
      <span>{MONTH.format(month)}</span>
      <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(share * 100).toFixed(1)} height="1" />
      </svg>
      <span class="amount">
        {renewals > 0 && cost && `${formatPrice(cost)} · `}
        {renewals === 1 ? '1 domain' : `${renewals.toLocaleString('en')} domains`}
      </span>
    </>
  );
  if (renewals === 0) return <span class="month">{content}</span>;
  return (
    <a class="month" href={listOf(expiring)}>
      {content}
    </a>
  );
}

function Total({ months }: { readonly months: readonly MonthOfRenewals[] }) {
  const costs = months.map(({ cost }) => cost).filter((cost): cost is Money => cost !== undefined);
  const [first, ...others] = costs;
  return first ? <strong>{formatPrice(others.reduce(plus, first))}</strong> : null;
}

/** The domains whose renewals the bar has, with their prices. */
function listOf({ from, before }: MonthOfRenewals['expiring']): string {
  const expiry = { expires_from: formatDay(from), expires_before: formatDay(before) };
  const url = buildUrl('/domains', { status: 'active', auto_renew: 'true', ...expiry, sort: 'expiry' });
  return `${url}${COLUMNS_SHOWN.map((column) => `&col=${column}`).join('')}`;
}
