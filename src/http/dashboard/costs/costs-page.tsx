import { COST_MONTHS, type CostReport } from '../../../application/registration/costs/read-costs';
import {
  keysOf,
  sumOf,
  type CostGroup,
  type CostKind,
  type CostSum,
} from '../../../domain/registration/cost-statement';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { buildUrl } from '../build-url';
import { Card, Cell, Empty, PageHeading, Row, Table } from '../layout/components';
import { formatMonth } from '../layout/dates';
import { formatPrice } from '../layout/money';
import { MonthBars, type MonthOfCosts } from './month-bars';

/** More are in the CSV. */
const MAX_ROWS = 15;
/** A page with more currencies would be too long: the others are in the CSV. */
const MAX_CHARTS = 2;

const KIND_LABELS: Readonly<Record<CostKind, string>> = {
  charged: 'Charged',
  automatic: 'Automatic',
  manual: 'If renewed by hand',
};
const KINDS: readonly CostKind[] = ['charged', 'automatic', 'manual'];

/** What was charged and what renewals will cost: by month, TLD and tag. */
export function CostsPage({ report }: { readonly report: CostReport }) {
  const { groups, isCut, tagsAreCut } = report;
  const currencies = currenciesOf(groups);
  const others = currencies.slice(MAX_CHARTS);
  const { unpriced } = sumOf(groups);
  return (
    <>
      <PageHeading
        title="Costs"
        lead="What registries charged in the last 12 months, and what renewals cost in the next 12"
      >
        <a class="button" href="/costs.csv">
          Download CSV
        </a>
      </PageHeading>
      {groups.length === 0 ? (
        <Card title="Costs">
          <Empty title="No costs yet" />
        </Card>
      ) : (
        <>
          <Totals groups={groups} />
          {currencies.slice(0, MAX_CHARTS).map((currency) => (
            <Chart key={currency} report={report} currency={currency} isOnly={currencies.length === 1} />
          ))}
          <div class="columns">
            <Breakdown title="By TLD" column="TLD" by="tld" groups={groups} />
            {!tagsAreCut && <Breakdown title="By tag" column="Tag" by="tag" groups={groups} />}
          </div>
        </>
      )}
      <p class="small cost-notes">
        {others.length > 0 && `The months of ${others.join(', ')} are in the CSV. `}
        Charges are what registries reported for orders made here, without refunds and without what a registrar renews
        by itself. Renewals have the price that the registry quoted last.{' '}
        {unpriced > 0 && `The prices of ${unpriced.toLocaleString('en')} renewals are not known yet. `}
        {isCut &&
          'These sums are not complete: there are too many charges or renewals, so that the earliest charges or the last renewals are left out. '}
        {tagsAreCut && 'There are too many different sets of tags to add up the costs of each.'}
      </p>
    </>
  );
}

/** The one with the most charges and renewals first. */
function currenciesOf(groups: readonly CostGroup[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { total, count } of groups)
    if (total) counts.set(total.currency, (counts.get(total.currency) ?? 0) + count);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([currency]) => currency);
}

function Totals({ groups }: { readonly groups: readonly CostGroup[] }) {
  return (
    <dl class="cost-totals">
      {KINDS.map((kind) => {
        const sum = sumOf(groups.filter((group) => group.kind === kind));
        return (
          <div key={kind}>
            <dt>
              <span class={`cost-key ${kind}`} aria-hidden="true" /> {TOTAL_LABELS[kind]}
            </dt>
            <dd>{amounts(sum)}</dd>
            <dd class="small">
              {sum.count.toLocaleString('en')}{' '}
              {kind === 'charged' ? plural(sum.count, 'charge') : plural(sum.count, 'renewal')}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const TOTAL_LABELS: Readonly<Record<CostKind, string>> = {
  charged: 'Charged in the last 12 months',
  automatic: 'Automatic renewals, next 12 months',
  manual: 'If you renew the others by hand',
};

function Chart({
  report: { months, groups },
  currency,
  isOnly,
}: {
  readonly report: CostReport;
  readonly currency: string;
  readonly isOnly: boolean;
}) {
  const own = groups.filter(({ total }) => total?.currency === currency);
  const byMonth = groupedBy(own, ({ month }) => month);
  const bars = months.map((month, index): MonthOfCosts => {
    const of = (kind: CostKind) =>
      sumOf((byMonth.get(index) ?? []).filter((group) => group.kind === kind)).totals[0]?.minor ?? 0;
    return { month, amounts: { charged: of('charged'), automatic: of('automatic'), manual: of('manual') } };
  });
  const [past, future] = [bars.slice(0, COST_MONTHS), bars.slice(COST_MONTHS)];
  const highest = Math.max(
    ...bars.map(({ amounts: { charged = 0, automatic = 0, manual = 0 } }) => charged + automatic + manual),
  );
  const total = (kind: CostKind) =>
    formatPrice(sumOf(own.filter((group) => group.kind === kind)).totals[0] ?? { minor: 0, currency });
  return (
    <Card title={isOnly ? 'By month' : `By month, ${currency}`} class="cost-chart">
      <div class="columns">
        <figure>
          <figcaption>Last 12 months</figcaption>
          <MonthBars
            pattern={`past-${currency}`}
            months={past}
            currency={currency}
            highest={highest}
            label={`Charged in the last 12 months: ${total('charged')}. The table below has each month.`}
          />
        </figure>
        <figure>
          <figcaption>Next 12 months</figcaption>
          <MonthBars
            pattern={`next-${currency}`}
            months={future}
            currency={currency}
            highest={highest}
            label={`In the next 12 months: automatic renewals ${total('automatic')}, others if renewed by hand ${total('manual')}. The table below has each month.`}
          />
        </figure>
      </div>
      <details class="map-table">
        <summary>The months as a table</summary>
        <Table caption={`Costs by month in ${currency}`} columns={['Month', ...KINDS.map((kind) => KIND_LABELS[kind])]}>
          {bars.map(({ month, amounts: amount }, index) => (
            <Row key={index}>
              <Cell label="Month">{formatMonth(month)}</Cell>
              {KINDS.map((kind) => (
                <Cell key={kind} label={KIND_LABELS[kind]}>
                  {(kind === 'charged') === index < COST_MONTHS && formatPrice({ minor: amount[kind] ?? 0, currency })}
                </Cell>
              ))}
            </Row>
          ))}
        </Table>
      </details>
    </Card>
  );
}

function Breakdown({
  title,
  column,
  by,
  groups,
}: {
  readonly title: string;
  readonly column: string;
  readonly by: 'tld' | 'tag';
  readonly groups: readonly CostGroup[];
}) {
  const byKey = new Map<string, CostGroup[]>();
  for (const group of groups)
    for (const each of keysOf(group, by)) {
      const some = byKey.get(each);
      if (some) some.push(group);
      else byKey.set(each, [group]);
    }
  const rows = [...byKey]
    .map(([each, some]) => ({ each, some, weight: weightOf(some) }))
    .toSorted((one, other) => other.weight - one.weight);
  return (
    <Card title={title} class="flush">
      <Table caption={`Costs ${title.toLowerCase()}`} columns={[column, ...KINDS.map((kind) => KIND_LABELS[kind])]}>
        {rows.slice(0, MAX_ROWS).map(({ each, some }) => (
          <Row key={each}>
            <Cell label={column}>
              {each === '' ? (
                'No tag'
              ) : (
                <a href={buildUrl('/domains', { [by]: each })}>{by === 'tld' ? `.${each}` : each}</a>
              )}
            </Cell>
            {KINDS.map((kind) => (
              <Cell key={kind} label={KIND_LABELS[kind]} class="number">
                {amounts(sumOf(some.filter((group) => group.kind === kind)))}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      {(rows.length > MAX_ROWS || by === 'tag') && (
        <p class="small table-foot">
          {rows.length > MAX_ROWS && `${rows.length - MAX_ROWS} more are in the CSV. `}
          {by === 'tag' && 'A domain with several tags counts for each of them.'}
        </p>
      )}
    </Card>
  );
}

/** For the order of rows alone. */
function weightOf(groups: readonly CostGroup[]): number {
  return groups.reduce((sum, { total }) => sum + (total?.minor ?? 0), 0);
}

/** One amount for each currency. */
function amounts({ totals, count }: CostSum): string {
  if (count === 0) return '–';
  return totals.length === 0 ? 'not known' : totals.map(formatPrice).join(' + ');
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
