import type { Money } from '../../../domain/shared/money';

/** $12.98, in the words of English readers. */
export function price({ minor, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
