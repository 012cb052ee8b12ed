import type { Quote } from '../../../application/registration/quote-domains';
import type { SearchFailure, SearchResult } from '../../../application/registration/search-domains';
import { majorUnits } from '../../../domain/shared/money';

export function searchResult({ name, available, price, idnLanguages }: SearchResult): object {
  const shown =
    available && price
      ? {
          registration: majorUnits(price.registration),
          renewal: majorUnits(price.renewal),
          currency: price.registration.currency,
        }
      : null;
  return { name: name.value, available, price: shown, ...(idnLanguages && { idn_languages: idnLanguages }) };
}

export function searchFailure({ name, error }: SearchFailure): object {
  const { code, message, details, retryAfterSeconds } = error;
  return { name, code, message, details, retry_after: retryAfterSeconds };
}

export function quoteItem({ name, years, price, transfer, idnLanguages }: Quote): object {
  const fees = {
    ...(price && { registration: majorUnits(price.registration), total: majorUnits(price.total) }),
    ...(transfer && { transfer: majorUnits(transfer) }),
  };
  const currency = (price?.total ?? transfer)?.currency;
  return {
    name,
    years,
    available: price !== undefined,
    price: currency ? { ...fees, currency } : null,
    ...(idnLanguages && { idn_languages: idnLanguages }),
  };
}
