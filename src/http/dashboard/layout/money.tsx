import { majorUnits, type Money } from '../../../domain/shared/money';
import { readField } from '../form-fields';
import type { DashboardRequest } from '../dashboard-route';

/** Hidden fields with the price that the form shows. */
export function PriceFields({ price: { minor, currency } }: { readonly price: Money }) {
  return (
    <>
      <input type="hidden" name="price" value={String(minor)} />
      <input type="hidden" name="currency" value={currency} />
    </>
  );
}

/** The price that the submitted form showed. */
export function readAgreedPrice(req: Pick<DashboardRequest, 'body'>): Money {
  return { minor: Number(readField(req, 'price')), currency: readField(req, 'currency') };
}

/** Whether the price of a form is valid. */
export function isPrice({ minor, currency }: Money): boolean {
  return Number.isSafeInteger(minor) && minor >= 0 && /^[A-Z]{3}$/.test(currency);
}

/** $12.98 */
export function formatPrice(price: Money): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: price.currency }).format(majorUnits(price));
}
