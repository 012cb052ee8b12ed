import { inject, injectable } from '../../ports/inject';
import type { Actor } from '../../../domain/access/actor';
import type { ApiKey } from '../../../domain/access/api-key';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import { ApiKeyNotFound, InvalidApiKey } from '../../../domain/access/access-errors';
import { ValidationError } from '../../../domain/shared/validation-error';
import { keyChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { lockAsOwner } from '../users/lock-as-owner';

interface RevokeApiKeyCommand {
  readonly actor: Actor;
  readonly keyId: string;
  /** The account that must own the key; absent for the operator, who may revoke any key. */
  readonly accountId?: string | undefined;
}

/**
 * Revokes a key; it fails from its next request on. A key revokes itself, and those that may do no more than itself.
 * @throws ValidationError for an unknown key, ApiKeyNotFound for a key of another account or one that may do more, LimitedKey, RoleForbids
 */
@injectable()
export class RevokeApiKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'apiKeys' | 'audit' | 'users' | HookStore>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ actor, keyId, accountId }: RevokeApiKeyCommand, hook?: TransactionHook<ApiKey>): Promise<ApiKey> {
    assertActionAllowed(actor, 'settings');
    return this.unitOfWork.run(async (stores) => {
      if (accountId !== undefined) await lockAsOwner(stores, { accountId, actor });
      const { apiKeys, audit } = stores;
      const now = this.clock.now();
      const own = actor.kind === 'key' ? await apiKeys.lock(actor.id) : undefined;
      if (actor.kind === 'key' && own?.status(now) !== 'active') throw new InvalidApiKey();
      const key = keyId === own?.toState().keyId ? own : await apiKeys.lock(keyId);
      if (accountId !== undefined && key?.toState().accountId !== accountId) throw new ApiKeyNotFound();
      if (!key) throw ValidationError.of('key', 'is not known');
      if (own && !own.manages(key)) throw new ApiKeyNotFound();
      if (!key.toState().revokedAt) {
        key.revoke(now);
        await apiKeys.save(key);
        await audit.append(keyChanged({ at: now, actor, action: 'key.revoked', key: key.toState() }));
      }
      await hook?.(stores, key);
      return key;
    }, accountId);
  }
}
