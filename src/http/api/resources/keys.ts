import { Type } from 'class-transformer';
import { IsIn, IsISO8601, IsObject, IsString, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../application/ports/inject';
import { IssueApiKey, type IssuedKey } from '../../../application/access/api-keys/issue-api-key';
import { ListApiKeys, type ListedKey } from '../../../application/access/api-keys/list-api-keys';
import { ReadOwnKey } from '../../../application/access/api-keys/read-own-key';
import { RevokeApiKey } from '../../../application/access/api-keys/revoke-api-key';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { SCOPES, type Scope, type ApiKey } from '../../../domain/access/api-key';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { keysRequest, pageResult, positionCursor } from '../list-query';
import { Nullable, Optional, switchParameter, validated } from '../validated';
import { LimitsBody, shownLimits, toLimits } from './key-limits';

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
