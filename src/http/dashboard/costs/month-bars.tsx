import type { CostKind } from '../../../domain/registration/cost-statement';
import type { Money } from '../../../domain/shared/money';
import { majorUnits } from '../../../domain/shared/money';
import { formatMonthName } from '../layout/dates';

export interface MonthOfCosts {
  readonly month: Date;
  /** In minor units. */
  readonly amounts: Readonly<Partial<Record<CostKind, number>>>;
}

const STEP = 34;
const BAR = 22;
const HIGHEST = 96;
const BASE = 116;
const KINDS: readonly CostKind[] = ['charged', 'automatic', 'manual'];

/** A bar for each month, with its amount above it. Kinds differ by their filling, too. The label is its text alternative. */
export function MonthBars({
  months,
  currency,
  highest,
  label,
  pattern,
}: {
  readonly months: readonly MonthOfCosts[];
  readonly currency: string;
  /** The amount of the highest bar, also of other drawings beside it. */
  readonly highest: number;
  readonly label: string;
  /** Id of the filling of automatic renewals. */
  readonly pattern: string;
}) {
  const width = months.length * STEP;
  return (
    <svg class="month-bars" viewBox={`0 0 ${width} ${BASE + 34}`} role="img" aria-label={label}>
      <defs>
        <pattern id={pattern} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="ground" width="5" height="5" />
          <rect class="line" width="2.5" height="5" />
        </pattern>
      </defs>
      <line class="axis" x1="0" y1={BASE} x2={width} y2={BASE} />
      {months.map((month, index) => (
        <Bar
          key={month.month.getTime()}
          {...month}
          x={index * STEP}
          currency={currency}
          pattern={pattern}
          scale={HIGHEST / Math.max(1, highest)}
        />
      ))}
    </svg>
  );
}

function Bar({
  month,
  amounts,
  x,
  currency,
  pattern,
  scale,
}: MonthOfCosts & {
  readonly x: number;
  readonly currency: string;
  readonly pattern: string;
  readonly scale: number;
}) {
  const total = KINDS.reduce((sum, kind) => sum + Math.max(0, amounts[kind] ?? 0), 0);
  let top = BASE;
  return (
    <g>
      {KINDS.map((kind) => {
        const height = Math.max(0, amounts[kind] ?? 0) * scale;
        if (height === 0) return null;
        top -= height;
        return (
          <rect
            key={kind}
            class={kind}
            fill={kind === 'automatic' ? `url(#${pattern})` : undefined}
            x={x + (STEP - BAR) / 2}
            y={top.toFixed(1)}
            width={BAR}
            height={height.toFixed(1)}
          />
        );
      })}
      {total > 0 && (
        <text class="amount" x={x + STEP / 2} y={(top - 4).toFixed(1)}>
          {compact({ minor: total, currency })}
        </text>
      )}
      <text x={x + STEP / 2} y={BASE + 15}>
        {formatMonthName(month)}
      </text>
      {month.getUTCMonth() === 0 && (
        <text x={x + STEP / 2} y={BASE + 29}>
          {month.getUTCFullYear()}
        </text>
      )}
    </g>
  );
}

/** By currency and number of digits: one is made in the time of a hundred amounts. */
const formats = new Map<string, Intl.NumberFormat>();

/** $12, $1.2K */
export function compact(money: Money): string {
  const amount = majorUnits(money);
  const maximumFractionDigits = Math.abs(amount) < 1_000 ? 0 : 1;
  const { currency } = money;
  const key = `${currency} ${maximumFractionDigits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumFractionDigits,
    });
  formats.set(key, format);
  return format.format(amount);
}
