import {
  IsNumber,
  isObject,
  IsObject,
  IsString,
  Matches,
  Min,
  ValidateNested,
  IsArray,
  IsBoolean,
  IsInt,
} from 'class-validator';
import type { PriceLimit } from '../../../../application/operations/binding-quotes';
import { ofAmount, majorUnits, type Money } from '../../../../domain/shared/money';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { Optional, validated, parseTime, switchParameter } from '../../validated';
import { Type } from 'class-transformer';
import { inject, injectable } from '../../../../application/ports/inject';
import type { PriceQuote } from '../../../../application/ports/registry/registry-port';
import { DeleteDomain } from '../../../../application/registration/delete-domain';
import { ListTlds, type OfferedTld } from '../../../../application/registration/list-tlds';
import { QuoteDomains, type Quote } from '../../../../application/registration/quote-domains';
import { RegisterDomain } from '../../../../application/registration/register-domain';
import { RenewDomain } from '../../../../application/registration/renew-domain';
import { RestoreDomain } from '../../../../application/registration/restore-domain';
import {
  SearchDomains,
  type SearchFailure,
  type SearchResult,
} from '../../../../application/registration/search-domains';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { pageResult, tldsRequest } from '../../list-query';
import { ContactsBody, toRegistrant } from './contacts';
import { operationResult } from './operations';

export class MaxPriceBody {
  @IsNumber() @Min(0) amount!: number;
  @Matches(/^[A-Z]{3}$/) currency!: string;
}

/** What every order takes that costs something. */
export class PriceLimitBody {
  @Optional() @IsString() quote_id?: string;
  @Optional() @IsObject() @ValidateNested() @Type(() => MaxPriceBody) max_price?: MaxPriceBody;
}

/** @throws ValidationError */
export function toPriceLimit({ quote_id: quoteId, max_price: most }: PriceLimitBody): PriceLimit {
  return { quoteId, maxPrice: most && below('max_price', () => priceOf(most)) };
}

/** A price in a member that `validated` does not know. @throws ValidationError */
export function toMaxPrice(given: unknown, path: string): Money {
  if (!isObject(given)) throw ValidationError.of(path, 'must be a JSON object');
  return below(path, () => priceOf(validated(MaxPriceBody, given)));
}

function priceOf({ amount, currency }: MaxPriceBody): Money {
  const price = ofAmount(amount, currency);
  if (!Number.isSafeInteger(price.minor))
    throw ValidationError.of('amount', `must have as many decimals as ${price.currency}`);
  return price;
}

/** @throws ValidationError with paths that begin with `path` */
function below<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ValidationError ? error.within(path) : error;
  }
}

export class RegisterDomainBody extends PriceLimitBody {
  @IsString() name!: string;
  @Optional() @IsInt() years?: number;
  @IsObject() @ValidateNested() @Type(() => ContactsBody) contacts!: ContactsBody;
  @Optional() @IsArray() @IsString({ each: true }) nameservers?: string[];
  @Optional() @IsBoolean() auto_renew?: boolean;
  @Optional() @IsString() idn_language?: string;
}

class SearchBody {
  @IsString() query!: string;
  @Optional() @IsArray() @IsString({ each: true }) tlds?: string[];
}

class QuoteItemBody {
  @IsString() name!: string;
  @Optional() @IsInt() years?: number;
  @Optional() @IsBoolean() transfer?: boolean;
  @Optional() @IsBoolean() renewal?: boolean;
  @Optional() @IsBoolean() restore?: boolean;
  @Optional() @IsString() idn_language?: string;
}

export class QuoteBody {
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => QuoteItemBody)
  domains!: QuoteItemBody[];
}

class RenewBody extends PriceLimitBody {
  @Optional() @IsInt() years?: number;
  @Optional() @IsString() current_expiry?: string;
}

/** Search, quotes, and all that ends or extends a registration. */
@injectable()
export class RegistrationController {
  constructor(
    @inject(SearchDomains) private readonly searchDomains: SearchDomains,
    @inject(ListTlds) private readonly listTlds: ListTlds,
    @inject(QuoteDomains) private readonly quoteDomains: QuoteDomains,
    @inject(RegisterDomain) private readonly registerDomain: RegisterDomain,
    @inject(RestoreDomain) private readonly restoreDomain: RestoreDomain,
    @inject(DeleteDomain) private readonly deleteDomain: DeleteDomain,
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
  ) {}

  async search({ caller, body }: ApiRequest): Promise<ApiResult> {
    const { query, tlds } = validated(SearchBody, body);
    const { results, failures } = await this.searchDomains.execute({ ...caller, query, tlds });
    return ok({
      results: results.map(searchResult),
      ...(failures.length > 0 && { errors: failures.map(searchFailure) }),
    });
  }

  async tlds(request: ApiRequest): Promise<ApiResult> {
    const { limit, after } = tldsRequest(request);
    const { items, last } = await this.listTlds.execute(request.caller, limit, after);
    return pageResult({ request, filters: [], items, last, limit, cursorOf: (suffix) => suffix }, offeredTld);
  }

  async quote({ caller, body }: ApiRequest): Promise<ApiResult> {
    const { quotes, total } = await this.quoteDomains.execute(
      caller,
      validated(QuoteBody, body).domains.map(({ idn_language: idnLanguage, ...item }) => ({ ...item, idnLanguage })),
    );
    return ok({ quotes: quotes.map(quoteItem), total: { amount: majorUnits(total), currency: total.currency } });
  }

  async register({ caller, body }: WriteRequest): Promise<JsonResult> {
    const order = validated(RegisterDomainBody, body);
    const { name, years, contacts, nameservers, auto_renew: autoRenew, idn_language: idnLanguage } = order;
    const registrant = toRegistrant(contacts.registrant);
    const limit = toPriceLimit(order);
    const command = { ...caller, name, years, registrant, nameservers, autoRenew, idnLanguage, limit };
    return operationResult(await this.registerDomain.execute(command));
  }

  async restore({ caller, params, body = {} }: WriteRequest<'id'>): Promise<JsonResult> {
    const limit = toPriceLimit(validated(PriceLimitBody, body));
    return operationResult(await this.restoreDomain.execute({ ...caller, domainId: params.id, limit }));
  }

  async remove({ caller, params, query }: WriteRequest<'id'>): Promise<JsonResult> {
    const keepZone = switchParameter({ query }, 'keep_zone');
    return operationResult(await this.deleteDomain.execute({ ...caller, domainId: params.id, keepZone }));
  }

  async renew({ caller, params, body = {} }: WriteRequest<'id'>): Promise<JsonResult> {
    const { years, current_expiry: known, ...limits } = validated(RenewBody, body);
    const currentExpiry = known === undefined ? undefined : parseTime('current_expiry', known);
    const command = { ...caller, domainId: params.id, years, currentExpiry, limit: toPriceLimit(limits) };
    return operationResult(await this.renewDomain.execute(command));
  }
}

function searchResult({ name, available, price, idnLanguages }: SearchResult): object {
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

function searchFailure({ name, error }: SearchFailure): object {
  const { code, message, details, retryAfterSeconds } = error;
  return { name, code, message, details, retry_after: retryAfterSeconds };
}

function quoteItem({ name, years, price, transfer, renewal, restore, binding, idnLanguages }: Quote): object {
  const fees = {
    ...(price && { registration: majorUnits(price.registration), total: majorUnits(price.total) }),
    ...(transfer && { transfer: majorUnits(transfer) }),
    ...(renewal && { renewal: majorUnits(renewal) }),
    ...(restore && { restore: majorUnits(restore) }),
  };
  const currency = (price?.total ?? transfer ?? renewal ?? restore)?.currency;
  return {
    name,
    years,
    available: price !== undefined,
    price: currency ? { ...fees, currency } : null,
    ...(binding && { quote_id: binding.id, expires_at: binding.expiresAt.toISOString() }),
    ...(idnLanguages && { idn_languages: idnLanguages }),
  };
}

function offeredTld({ policy, price, error }: OfferedTld): object {
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
