import {
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  ValidateNested,
  IsIn,
  IsISO8601,
} from 'class-validator';
import {
  actionsAllowedBy,
  type GivenLimits,
  type SpendLimits,
  type KeyLimits,
} from '../../../../domain/access/key-limits';
import { ofAmount, majorUnits } from '../../../../domain/shared/money';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { Optional, Nullable, switchParameter, validated } from '../../validated';
import { Type } from 'class-transformer';
import { inject, injectable } from '../../../../application/ports/inject';
import { IssueApiKey, type IssuedKey } from '../../../../application/access/api-keys/issue-api-key';
import { ListApiKeys, type ListedKey } from '../../../../application/access/api-keys/list-api-keys';
import { ReadOwnKey } from '../../../../application/access/api-keys/read-own-key';
import { RevokeApiKey } from '../../../../application/access/api-keys/revoke-api-key';
import { RegistrationSettings } from '../../../../application/registration/registration-settings';
import { SCOPES, type Scope, type ApiKey } from '../../../../domain/access/api-key';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { keysRequest, pageResult, positionCursor } from '../../list-query';

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

export function shownSpend({ perOrder, perDay, perMonth }: SpendLimits): object {
  return {
    ...(perOrder && { per_order: majorUnits(perOrder) }),
    ...(perDay && { per_day: majorUnits(perDay) }),
    ...(perMonth && { per_month: majorUnits(perMonth) }),
    currency: (perOrder ?? perDay ?? perMonth)?.currency,
  };
}

const KEY_TYPES = ['api', 'tsig'] as const;

class NewKeyBody {
  @IsString() name!: string;
  @Optional() @IsIn(SCOPES) scope?: Scope;
  @Optional() @IsIn(KEY_TYPES) type?: (typeof KEY_TYPES)[number];
  @Nullable() @IsISO8601({ strict: true }) expires_at?: string | null;
  @Nullable() @IsObject() @ValidateNested() @Type(() => LimitsBody) limits?: LimitsBody | null;
}

/** API keys and TSIG keys, with their limits. */
@injectable()
export class KeysController {
  constructor(
    @inject(IssueApiKey) private readonly issueApiKey: IssueApiKey,
    @inject(ListApiKeys) private readonly listApiKeys: ListApiKeys,
    @inject(RevokeApiKey) private readonly revokeApiKey: RevokeApiKey,
    @inject(ReadOwnKey) private readonly readOwnKey: ReadOwnKey,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'currency'>,
  ) {}

  async readOwn({ caller }: ApiRequest): Promise<ApiResult> {
    const { key, account } = await this.readOwnKey.execute(caller);
    return ok({ ...shownKey(key), account: { id: account.id, name: account.name } });
  }

  /** Always by pages, because an account keeps its revoked keys. */
  async list(request: ApiRequest): Promise<ApiResult> {
    const { limit, after } = keysRequest(request);
    const active = switchParameter(request, 'active');
    const { items, last } = await this.listApiKeys.execute({ ...request.caller, active, limit, after });
    return pageResult({ request, filters: ['active'], items, last, limit, cursorOf: positionCursor }, listedKey);
  }

  async revoke(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { caller, params } = request;
    return revoked(await this.revokeApiKey.execute({ ...caller, keyId: params.id }, request.storing(revoked)));
  }

  async create(request: WriteRequest): Promise<JsonResult> {
    const { caller, body } = request;
    const { name, scope, type, expires_at: expiry, limits } = validated(NewKeyBody, body);
    const command = {
      ...caller,
      name,
      ...(scope && { scope }),
      expiresAt: typeof expiry === 'string' ? new Date(expiry) : null,
      ...(limits && { limits: toLimits(limits, this.settings.currency) }),
    };
    const hook = request.storing(created);
    return created(
      await (type === 'tsig' ? this.issueApiKey.executeTsig(command, hook) : this.issueApiKey.execute(command, hook)),
    );
  }
}

function revoked(key: ApiKey): JsonResult {
  return ok(listedKey({ key, status: 'revoked' }));
}

function created({ key, text }: IssuedKey): JsonResult {
  return { status: 201, headers: {}, body: newKey(key, text) };
}

function shownKey(key: ApiKey): object {
  const { keyId, name, scope, limits, createdAt, expiresAt } = key.toState();
  return {
    key_id: keyId,
    name,
    scope,
    type: key.isTsigKey ? 'tsig' : 'api',
    limits: limits && shownLimits(limits),
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

function listedKey({ key, status }: ListedKey): object {
  return { ...shownKey(key), status, last_used_at: key.toState().lastUsedAt?.toISOString() ?? null };
}

/** Once: the text is not stored. */
function newKey(key: ApiKey, text: string): object {
  return { ...shownKey(key), key: text };
}
