import { majorUnits, type Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { PriceLimit } from '../../../application/operations/binding-quotes';
import { readField, readOptionalField } from '../form-fields';
import type { DashboardRequest } from '../dashboard-route';

/** Hidden fields with the price that the form shows, and the quote by which it is ordered. A total of many orders has no quote. */
export function PriceFields({ price, quoteId }: { readonly price: Money; readonly quoteId?: string | undefined }) {
  const { minor, currency } = price;
  return (
    <>
      {quoteId !== undefined && <input type="hidden" name="quote_id" value={quoteId} />}
      <input type="hidden" name="price" value={String(minor)} />
      <input type="hidden" name="currency" value={currency} />
    </>
  );
}

/** The price that the submitted form showed. */
export function readAgreedPrice(req: Pick<DashboardRequest, 'body'>): Money {
  return { minor: Number(readField(req, 'price')), currency: readField(req, 'currency') };
}

/**
 * Orders cost at most what the form showed, and use up its quote, so that a form is ordered once. Forms of a version before, during
 * an upgrade, have no quote. @throws ValidationError if it has no price
 */
export function readPriceLimit(req: Pick<DashboardRequest, 'body'>): PriceLimit {
  const maxPrice = readAgreedPrice(req);
  if (!isPrice(maxPrice)) throw ValidationError.of('price', 'must be the price that the form showed');
  return { maxPrice, quoteId: readQuoteId(req) };
}

export function readQuoteId(req: Pick<DashboardRequest, 'body'>): string | undefined {
  return readOptionalField(req, 'quote_id');
}

/** Whether the price of a form is valid. */
export function isPrice({ minor, currency }: Money): boolean {
  return Number.isSafeInteger(minor) && minor >= 0 && /^[A-Z]{3}$/.test(currency);
}

/** By currency: one is made in the time of a hundred amounts. */
const formats = new Map<string, Intl.NumberFormat>();

/** $12.98 */
export function formatPrice(price: Money): string {
  const { currency } = price;
  const format = formats.get(currency) ?? new Intl.NumberFormat('en', { style: 'currency', currency });
  formats.set(currency, format);
  return format.format(majorUnits(price));
}
