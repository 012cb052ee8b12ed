import { inject, injectable } from '../../../application/ports/inject';
import { IssueApiKey, type IssuedKey } from '../../../application/access/api-keys/issue-api-key';
import { ListApiKeys } from '../../../application/access/api-keys/list-api-keys';
import { ReadOwnKey } from '../../../application/access/api-keys/read-own-key';
import { RevokeApiKey } from '../../../application/access/api-keys/revoke-api-key';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import type { ApiKey } from '../../../domain/access/api-key';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { NewKeyBody, toLimits } from '../dto/key-bodies';
import { keysRequest, pageResult, positionCursor } from '../dto/list-query';
import { switchParameter, validated } from '../dto/validated';
import { listedKey, newKey, shownKey } from '../presenters/key-presenter';

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
    return ok(shownKey(await this.readOwnKey.execute(caller)));
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
