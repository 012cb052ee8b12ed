import { inject, injectable } from '../../ports/inject';
import type { Actor } from '../../../domain/access/actor';
import type { ApiKey } from '../../../domain/access/api-key';
import { keysCreatedBy } from '../../../domain/access/created-keys';
import { ApiKeyReader } from '../../ports/access/accounts-and-api-keys';
import { Clock } from '../../ports/system';
import { runCooperatively } from '../../shared/run-cooperatively';

/** Finds the active keys that a person or a key created, also with keys that it created (`keysCreatedBy`), oldest first. */
@injectable()
export class FindCreatedKeys {
  constructor(
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, creator }: { accountId: string; creator: Actor }): Promise<readonly ApiKey[]> {
    const created = await runCooperatively(keysCreatedBy(creator, await this.keys.ofAccount(accountId)), accountId);
    const now = this.clock.now();
    return created.filter((key) => key.status(now) === 'active');
  }
}
