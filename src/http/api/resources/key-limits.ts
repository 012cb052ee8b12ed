import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsNumber, IsObject, IsString, ValidateNested } from 'class-validator';
import {
  actionsAllowedBy,
  type GivenLimits,
  type SpendLimits,
  type KeyLimits,
} from '../../../domain/access/key-limits';
import { ofAmount, majorUnits } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Optional } from '../validated';

class SpendBody {
  @Optional() @IsNumber() per_order?: number;
  @Optional() @IsNumber() per_day?: number;
  @Optional() @IsNumber() per_month?: number;
  @Optional() @IsString() currency?: string;
}

export class LimitsBody {
  @Optional() @IsArray() @IsString({ each: true }) domains?: string[];
  @Optional() @IsArray() @IsString({ each: true }) tags?: string[];
  @Optional() @IsArray() @IsString({ each: true }) names?: string[];
  @Optional() @IsArray() @IsString({ each: true }) types?: string[];
  @Optional() @IsArray() @IsString({ each: true }) actions?: string[];
  @Optional() @IsArray() @IsString({ each: true }) networks?: string[];
  @Optional() @IsBoolean() propose?: boolean;
  @Optional() @IsInt() unused_after?: number;
  @Optional() @IsObject() @ValidateNested() @Type(() => SpendBody) spend?: SpendBody;
}

/** @param currency the one of all prices @throws ValidationError for another one */
export function toLimits(
  { unused_after: unusedAfterDays, spend, ...limits }: LimitsBody,
  currency: string,
): GivenLimits {
  return { ...limits, unusedAfterDays, spend: spend && toSpend(spend, currency) };
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

export function shownLimits({ propose, ...accepted }: KeyLimits): object {
  const { unusedAfterDays, spend, ...lists } = accepted;
  const actions = actionsAllowedBy(accepted);
  return {
    ...lists,
    ...(actions && { actions }),
    ...(propose && { propose }),
    ...(unusedAfterDays !== undefined && { unused_after: unusedAfterDays }),
    ...(spend && { spend: shownSpend(spend) }),
  };
}

function shownSpend({ perOrder, perDay, perMonth }: SpendLimits): object {
  return {
    ...(perOrder && { per_order: majorUnits(perOrder) }),
    ...(perDay && { per_day: majorUnits(perDay) }),
    ...(perMonth && { per_month: majorUnits(perMonth) }),
    currency: (perOrder ?? perDay ?? perMonth)?.currency,
  };
}
