import { inject, injectable } from 'inversify';
import type { ApiKey } from '../../domain/access/api-key';
import { ValidationError } from '../../domain/shared/validation-error';
import { Clock } from '../ports/clock';
import { UnitOfWork } from '../ports/unit-of-work';

/** Revokes a key; it fails from its next request on. @throws ValidationError for an unknown key */
@injectable()
export class RevokeApiKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ keyId }: { keyId: string }): Promise<ApiKey> {
    return this.unitOfWork.run(async ({ apiKeys }) => {
      const key = await apiKeys.lock(keyId);
      if (!key) throw ValidationError.of('key', 'is not known');
      key.revoke(this.clock.now());
      await apiKeys.save(key);
      return key;
    });
  }
}
