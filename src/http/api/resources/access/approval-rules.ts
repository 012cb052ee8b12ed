import { Type } from 'class-transformer';
import { IsArray, IsNumber, IsObject, IsString, Matches, Min, ValidateNested } from 'class-validator';
import { ApprovalRules } from '../../../../application/access/approvals/approval-rules';
import { inject, injectable } from '../../../../application/ports/inject';
import { versionOfRules, type ApprovalRule, type GivenRule } from '../../../../domain/access/approvals/approval-rule';
import { majorUnits, ofAmount } from '../../../../domain/shared/money';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { matchingTags } from '../../if-match';
import { Optional, validated } from '../../validated';

class AmountBody {
  @IsNumber() @Min(0) amount!: number;
  @Matches(/^[A-Z]{3}$/) currency!: string;
}

class ApprovalRuleBody {
  @IsArray() @IsString({ each: true }) changes!: string[];
  @Optional() @IsArray() @IsString({ each: true }) tags?: string[];
  @Optional() @IsArray() @IsString({ each: true }) types?: string[];
  @Optional() @IsArray() @IsString({ each: true }) names?: string[];
  @Optional() @IsObject() @ValidateNested() @Type(() => AmountBody) over?: AmountBody;
}

class ApprovalRulesBody {
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ApprovalRuleBody)
  rules!: ApprovalRuleBody[];
}

/** Which changes of the account need a second person. */
@injectable()
export class ApprovalRulesController {
  constructor(@inject(ApprovalRules) private readonly rules: ApprovalRules) {}

  async read({ caller }: ApiRequest): Promise<ApiResult> {
    return toResult(await this.rules.read(caller));
  }

  async put(request: WriteRequest): Promise<JsonResult> {
    const rules = validated(ApprovalRulesBody, request.body).rules.map(toRule);
    const expected = matchingTags(request)?.map((tag) => tag.slice(1, -1));
    return toResult(await this.rules.change({ ...request.caller, rules, expected }, request.storing(toResult)));
  }
}

function toRule({ over, changes, ...lists }: ApprovalRuleBody): GivenRule {
  const { tags, types, names } = lists;
  return {
    changes,
    ...(tags && { tags }),
    ...(types && { types }),
    ...(names && { names }),
    ...(over && { over: ofAmount(over.amount, over.currency) }),
  };
}

function toResult(rules: readonly ApprovalRule[]): JsonResult {
  return ok({ rules: shownRules(rules) }, { ETag: `"${versionOfRules(rules)}"` });
}

/** As the API takes them. */
export function shownRules(rules: readonly GivenRule[]): readonly object[] {
  return rules.map(({ changes, tags, types, names, over }) => ({
    changes,
    ...(tags && { tags }),
    ...(types && { types }),
    ...(names && { names }),
    ...(over && { over: { amount: majorUnits(over), currency: over.currency } }),
  }));
}
