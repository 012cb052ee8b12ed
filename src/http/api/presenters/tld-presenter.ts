import type { OfferedTld } from '../../../application/registration/list-tlds';
import type { PriceQuote } from '../../../application/ports/registry/registry-port';
import { majorUnits } from '../../../domain/shared/money';

export function offeredTld({ policy, price, error }: OfferedTld): object {
  const { suffix, years, renewalYears, nameservers, periods, unsupported = [], transfersWithoutCode = false } = policy;
  return {
    tld: suffix,
    registration_years: { min: years.min, max: years.max },
    renewal_years: { min: renewalYears.min, max: renewalYears.max },
    nameservers: { min: nameservers.min, max: nameservers.max },
    periods: {
      add_grace: periods.addGrace,
      renewal_grace: periods.renewalGrace,
      redemption: periods.redemption,
      pending_delete: periods.pendingDelete,
      transfer: periods.transfer,
    },
    unsupported,
    transfer_needs_auth_code: !transfersWithoutCode,
    price: price ? shownPrice(price) : null,
    error: error ? { code: error.code, message: error.details ?? error.message } : null,
  };
}

function shownPrice({ registration, renewal, restore }: PriceQuote): object {
  return {
    registration: majorUnits(registration),
    renewal: majorUnits(renewal),
    restore: restore ? majorUnits(restore) : null,
    currency: registration.currency,
  };
}
