import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsISO8601, IsNumber, IsObject, IsString, ValidateNested } from 'class-validator';
import { SCOPES, type Scope } from '../../../domain/access/api-key';
import type { GivenLimits, SpendLimits } from '../../../domain/access/key-limits';
import { ofAmount } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Nullable, Optional } from './validated';

class SpendBody {
  @Optional() @IsNumber() per_order?: number;
  @Optional() @IsNumber() per_day?: number;
  @Optional() @IsNumber() per_month?: number;
  @Optional() @IsString() currency?: string;
}

class LimitsBody {
  @Optional() @IsArray() @IsString({ each: true }) domains?: string[];
  @Optional() @IsArray() @IsString({ each: true }) tags?: string[];
  @Optional() @IsArray() @IsString({ each: true }) names?: string[];
  @Optional() @IsArray() @IsString({ each: true }) types?: string[];
  @Optional() @IsArray() @IsString({ each: true }) actions?: string[];
  @Optional() @IsArray() @IsString({ each: true }) networks?: string[];
  @Optional() @IsInt() unused_after?: number;
  @Optional() @IsObject() @ValidateNested() @Type(() => SpendBody) spend?: SpendBody;
}

const KEY_TYPES = ['api', 'tsig'] as const;

export class NewKeyBody {
  @IsString() name!: string;
  @Optional() @IsIn(SCOPES) scope?: Scope;
  @Optional() @IsIn(KEY_TYPES) type?: (typeof KEY_TYPES)[number];
  @Nullable() @IsISO8601({ strict: true }) expires_at?: string | null;
  @Nullable() @IsObject() @ValidateNested() @Type(() => LimitsBody) limits?: LimitsBody | null;
}

/** @param currency the one of all prices @throws ValidationError for another one */
export function toLimits(
  { unused_after: unusedAfterDays, spend, ...lists }: LimitsBody,
  currency: string,
): GivenLimits {
  const { domains, tags, names, types, actions, networks } = lists;
  return {
    ...(domains && { domains }),
    ...(tags && { tags }),
    ...(names && { names }),
    ...(types && { types }),
    ...(actions && { actions }),
    ...(networks && { networks }),
    ...(unusedAfterDays !== undefined && { unusedAfterDays }),
    ...(spend && { spend: toSpend(spend, currency) }),
  };
}

function toSpend({ per_order, per_day, per_month, currency: given }: SpendBody, currency: string): SpendLimits {
  if (given !== undefined && given !== currency)
    throw ValidationError.of('limits.spend.currency', `must be ${currency}`);
  const money = (amount: number) => ofAmount(amount, currency);
  return {
    ...(per_order !== undefined && { perOrder: money(per_order) }),
    ...(per_day !== undefined && { perDay: money(per_day) }),
    ...(per_month !== undefined && { perMonth: money(per_month) }),
  };
}
