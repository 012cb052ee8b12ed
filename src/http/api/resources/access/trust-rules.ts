import { Type } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { RegistrationSettings } from '../../../../application/registration/registration-settings';
import { ManageTrustRules } from '../../../../application/access/trust/manage-trust-rules';
import { SCOPES, type Scope } from '../../../../domain/access/api-key';
import type { GivenTrustRule, TrustRule } from '../../../../domain/access/trust/trust-rule';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { assertNoMembers, Nullable, Optional, validated } from '../../validated';
import { LimitsBody, shownLimits, toLimits } from './keys';

class TrustRuleBody {
  @IsString() name!: string;
  @IsString() issuer!: string;
  @IsString() audience!: string;
  @IsObject() claims!: Record<string, unknown>;
  @Optional() @IsIn(SCOPES) scope?: Scope;
  @Nullable() @IsObject() @ValidateNested() @Type(() => LimitsBody) limits?: LimitsBody | null;
  @Optional() @IsInt() minutes?: number;
}

/** Rules by which jobs of CI get API keys for their tokens. */
@injectable()
export class TrustRulesController {
  constructor(
    @inject(ManageTrustRules) private readonly rules: ManageTrustRules,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'currency'>,
  ) {}

  async list({ caller }: ApiRequest): Promise<ApiResult> {
    return ok((await this.rules.list(caller)).map(shownRule));
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(shownRule(await this.rules.find(caller, params.id)));
  }

  async create(request: WriteRequest): Promise<JsonResult> {
    return created(await this.rules.create(request.caller, this.given(request.body), request.storing(created)));
  }

  async change(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { caller, params, body } = request;
    return changed(await this.rules.change(caller, params.id, this.given(body), request.storing(changed)));
  }

  async remove(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    return removed(await this.rules.remove(request.caller, request.params.id, request.storing(removed)));
  }

  private given(body: unknown): GivenTrustRule {
    const { name, issuer, audience, claims, scope, limits, minutes } = validated(TrustRuleBody, body);
    const given = limits && toLimits(limits, this.settings.currency);
    return { name, issuer, audience, claims, scope, limits: given, minutes };
  }
}

function created(rule: TrustRule): JsonResult {
  return { ...changed(rule), status: 201 };
}

function changed(rule: TrustRule): JsonResult {
  return ok(shownRule(rule));
}

function removed({ id }: TrustRule): JsonResult {
  return ok({ id, deleted: true });
}

function shownRule({ id, name, issuer, audience, claims, scope, limits, minutes, ...times }: TrustRule): object {
  return {
    id,
    name,
    issuer,
    audience,
    claims,
    scope,
    limits: limits && shownLimits(limits),
    minutes,
    created_at: times.createdAt.toISOString(),
    updated_at: times.updatedAt.toISOString(),
    last_used_at: times.lastUsedAt?.toISOString() ?? null,
  };
}
