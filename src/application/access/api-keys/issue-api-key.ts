import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { TooManyApiKeys } from '../../../domain/access/errors';
import { ApiKey, MAX_ACTIVE_KEYS, DEFAULT_SCOPE, type Scope } from '../../../domain/access/api-key';
import { ValidationError } from '../../../domain/shared/validation-error';
import { keyChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system/clock';
import { KeyGenerator } from '../../ports/access/key-generator';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { ApiKeyPrefix } from './authenticate';
import { lockAsOwner } from '../users/lock-as-owner';

/** Issues an API key and returns its full text, which is not stored. @throws RoleForbids, TooManyApiKeys; ValidationError for an unknown account or a bad name */
@injectable()
export class IssueApiKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(KeyGenerator) private readonly generator: KeyGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(ApiKeyPrefix) private readonly prefix: string,
  ) {}

  async execute({
    accountId,
    actor,
    name,
    scope = DEFAULT_SCOPE,
    expiresAt,
  }: Requester & { name: string; scope?: Scope | undefined; expiresAt?: Date | null | undefined }): Promise<{
    key: ApiKey;
    text: string;
  }> {
    const token = this.generator.next();
    const now = this.clock.now();
    const key = ApiKey.issue(token, { accountId, name, scope, expiresAt, createdBy: actor }, now);
    await this.unitOfWork.run(async (stores) => {
      if (!(await lockAsOwner(stores, { accountId, actor }))) throw ValidationError.of('account', 'is not known');
      const { apiKeys, audit } = stores;
      if ((await apiKeys.countActive(accountId, now)) >= MAX_ACTIVE_KEYS) throw new TooManyApiKeys(MAX_ACTIVE_KEYS);
      await apiKeys.add(key);
      await audit.append(keyChanged({ at: now, actor, action: 'key.created', key: key.toState() }));
    });
    return { key, text: token.toText(this.prefix) };
  }
}
