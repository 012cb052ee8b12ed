import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { TooManyApiKeys } from '../../../domain/access/errors';
import {
  ApiKey,
  DEFAULT_SCOPE,
  MAX_ACTIVE_KEYS,
  tsigNameOf,
  type ApiKeyToken,
  type NewTsigKey,
  type Scope,
} from '../../../domain/access/api-key';
import type { GivenLimits } from '../../../domain/access/key-limits';
import { ValidationError } from '../../../domain/shared/validation-error';
import { keyChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system/clock';
import { TsigSecrets } from '../../ports/dns/tsig-secrets';
import { SecretBox } from '../../ports/system/secret-box';
import { KeyGenerator } from '../../ports/access/key-generator';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { lockAsOwner } from '../users/lock-as-owner';

/** What the secret of a TSIG key is sealed for. */
export function tsigSecretPurpose(keyId: string): string {
  return `tsig-key:${keyId}`;
}

/** RFC 8945, section 6: mandatory, so that every program has it. */
export const TSIG_ALGORITHM = 'hmac-sha256';

type IssueApiKeyCommand = Requester & {
  readonly name: string;
  readonly scope?: Scope | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly limits?: GivenLimits | undefined;
};

/** Issues an API key and returns its full text, which is not stored. @throws RoleForbids, TooManyApiKeys; ValidationError for an unknown account or a bad name */
@injectable()
export class IssueApiKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(KeyGenerator) private readonly generator: KeyGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(TsigSecrets) private readonly tsigSecrets: TsigSecrets,
    @inject(SecretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute(command: IssueApiKeyCommand): Promise<{ key: ApiKey; text: string }> {
    const token = this.generator.next();
    return { key: await this.issue(token, command), text: this.generator.textOf(token) };
  }

  /**
   * Issues a TSIG key whose name follows from its key id. WRITE sends updates, READ only transfers zones. The text is
   * `hmac-sha256:NAME:SECRET`, as nsupdate -y takes it.
   */
  async executeTsig(command: IssueApiKeyCommand): Promise<{ key: ApiKey; text: string }> {
    const token = this.generator.next();
    const secret = this.tsigSecrets.next().toString('base64');
    const sealedSecret = this.secretBox.seal(secret, tsigSecretPurpose(token.keyId));
    const key = await this.issue(token, { scope: 'WRITE', ...command }, { sealedSecret });
    return { key, text: `${TSIG_ALGORITHM}:${tsigNameOf(token.keyId)}:${secret}` };
  }

  private async issue(
    token: ApiKeyToken,
    { accountId, actor, name, scope = DEFAULT_SCOPE, expiresAt, limits }: IssueApiKeyCommand,
    tsig?: NewTsigKey,
  ): Promise<ApiKey> {
    const now = this.clock.now();
    const key = ApiKey.issue(token, { accountId, name, scope, expiresAt, createdBy: actor, limits, tsig }, now);
    await this.unitOfWork.run(async (stores) => {
      if (!(await lockAsOwner(stores, { accountId, actor }))) throw ValidationError.of('account', 'is not known');
      const { apiKeys, audit } = stores;
      if ((await apiKeys.countActive(accountId, now)) >= MAX_ACTIVE_KEYS) throw new TooManyApiKeys(MAX_ACTIVE_KEYS);
      await apiKeys.add(key);
      await audit.append(keyChanged({ at: now, actor, action: 'key.created', key: key.toState() }));
    });
    return key;
  }
}
