import type { Money } from '../shared/money';

/** `charged`: by a registry; `automatic`: a renewal that the service or the registrar makes; `manual`: one that someone has to order. */
export const COST_KINDS = ['charged', 'automatic', 'manual'] as const;
export type CostKind = (typeof COST_KINDS)[number];

/** Equal costs of one month. */
export interface CostGroup {
  readonly kind: CostKind;
  /** The place of the month among those that were asked for. */
  readonly month: number;
  readonly tld: string;
  /** Of the domains now. */
  readonly tags: readonly string[];
  /** Null: no price is known. */
  readonly total: Money | null;
  /** Charges, or renewals. */
  readonly count: number;
}

/** The sum of some costs in each currency: amounts in different ones are never added. */
export interface CostSum {
  readonly count: number;
  /** In the order of their currencies. */
  readonly totals: readonly Money[];
  /** How many of them have no known price. */
  readonly unpriced: number;
}

export function sumOf(groups: readonly CostGroup[]): CostSum {
  const totals = new Map<string, number>();
  let [count, unpriced] = [0, 0];
  for (const { total, count: some } of groups) {
    count += some;
    if (total) totals.set(total.currency, (totals.get(total.currency) ?? 0) + total.minor);
    else unpriced += some;
  }
  const sorted = [...totals].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { count, unpriced, totals: sorted.map(([currency, minor]) => ({ minor, currency })) };
}

/** What a group counts for: its TLD, or each of its tags. '' stands for no tag. */
export function keysOf({ tld, tags }: CostGroup, by: 'tld' | 'tag'): readonly string[] {
  if (by === 'tld') return [tld];
  return tags.length === 0 ? [''] : tags;
}
