import { inject, injectable } from 'inversify';
import { IssueApiKey, type IssuedKey } from '../../../application/access/api-keys/issue-api-key';
import { ReadOwnKey } from '../../../application/access/api-keys/read-own-key';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { NewKeyBody, toLimits } from '../dto/key-bodies';
import { validated } from '../dto/validated';
import { newKey, shownKey } from '../presenters/key-presenter';

/** API keys and TSIG keys, with their limits. */
@injectable()
export class KeysController {
  constructor(
    @inject(IssueApiKey) private readonly issueApiKey: IssueApiKey,
    @inject(ReadOwnKey) private readonly readOwnKey: ReadOwnKey,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'currency'>,
  ) {}

  async readOwn({ caller }: ApiRequest): Promise<ApiResult> {
    return ok(shownKey(await this.readOwnKey.execute(caller)));
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

function created({ key, text }: IssuedKey): JsonResult {
  return { status: 201, headers: {}, body: newKey(key, text) };
}
