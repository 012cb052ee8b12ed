import { Type } from 'class-transformer';
import { IsNumber, isObject, IsObject, IsString, Matches, Min, ValidateNested } from 'class-validator';
import type { PriceLimit } from '../../../application/operations/binding-quotes';
import { ofAmount, type Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Optional, validated } from '../validated';

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
