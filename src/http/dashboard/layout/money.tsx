import type { Money } from '../../../domain/shared/money';
import { field } from '../form-fields';
import type { DashboardRequest } from '../visitor';

/** The fields by which a form says which price it has shown. */
export function PriceFields({ price: { minor, currency } }: { readonly price: Money }) {
  return (
    <>
      <input type="hidden" name="price" value={String(minor)} />
      <input type="hidden" name="currency" value={currency} />
    </>
  );
}

/** The price that the form has shown. */
export function agreedPrice(req: Pick<DashboardRequest, 'body'>): Money {
  return { minor: Number(field(req, 'price')), currency: field(req, 'currency') };
}

/** Whether a form's price is one that can be shown. */
export function isPrice({ minor, currency }: Money): boolean {
  return Number.isSafeInteger(minor) && minor >= 0 && /^[A-Z]{3}$/.test(currency);
}

/** $12.98, in the words of English readers. */
export function price({ minor, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
