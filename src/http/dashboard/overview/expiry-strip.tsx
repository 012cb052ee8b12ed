import type { MonthOfExpiries } from '../../../application/registration/costs/read-expiries';
import { formatDay } from '../../../domain/shared/time/calendar';
import { buildUrl } from '../build-url';
import type { Column } from '../domains/domain-columns';
import { Card } from '../layout/components';
import { formatMonth, formatMonthName } from '../layout/dates';
import { formatPrice } from '../layout/money';

const COLUMNS_SHOWN: readonly Column[] = ['status', 'expiry', 'renewal', 'price'];
/** Of the heat of a month. */
const LEVELS = 4;

/** The next 12 months: how many domains expire in each and what it costs to renew them. A month opens exactly its domains. */
export function ExpiryStrip({ months }: { readonly months: readonly MonthOfExpiries[] }) {
  const highest = Math.max(1, ...months.map(weightOf));
  const unpriced = months.reduce((sum, { cost }) => sum + (cost?.unpriced ?? 0), 0);
  return (
    <Card title="Expiries in the next 12 months" aside={<a href="/costs">Costs</a>}>
      <ol class="expiry-strip">
        {months.map((month) => (
          <li key={month.from.getTime()}>
            <Month month={month} share={weightOf(month) / highest} />
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

/** The cost, or the number of domains if there is no single cost to compare. */
function weightOf({ cost, renewing, ending }: MonthOfExpiries): number {
  const [first, ...others] = cost?.totals ?? [];
  return first && others.length === 0 ? first.minor : renewing + ending;
}

function Month({ month, share }: { readonly month: MonthOfExpiries; readonly share: number }) {
  const { from, renewing, ending, cost } = month;
  const count = renewing + ending;
  const content = (
    <>
      <span class="name" aria-hidden="true">
        {formatMonthName(from)}
        {from.getUTCMonth() === 0 && ` ${from.getUTCFullYear()}`}
      </span>
      <span class="visually-hidden">{formatMonth(from)}: </span>
      <strong>{count.toLocaleString('en')}</strong>
      <span class="visually-hidden"> {count === 1 ? 'domain expires' : 'domains expire'}.</span>{' '}
      {count > 0 && cost && cost.totals.length > 0 && (
        <span class="cost">
          <span class="visually-hidden">To renew: </span>
          {cost.totals.map(formatPrice).join(' + ')}
        </span>
      )}{' '}
      {ending > 0 && <span class="ending">{ending.toLocaleString('en')} not automatic</span>}
    </>
  );
  if (count === 0) return <span class="month">{content}</span>;
  return (
    <a class={`month heat-${Math.max(1, Math.ceil(share * LEVELS))}`} href={listOf(month)}>
      {content}
    </a>
  );
}

function listOf({ from, before }: MonthOfExpiries): string {
  const expiry = { expires_from: formatDay(from), expires_before: formatDay(before) };
  const url = buildUrl('/domains', { status: 'active', ...expiry, sort: 'expiry' });
  return `${url}${COLUMNS_SHOWN.map((column) => `&col=${column}`).join('')}`;
}
