import { inject, injectable } from '../../ports/inject';
import type { Account } from '../../../domain/access/account';
import type { Reader } from '../../../domain/access/actor';
import type { ApiKey } from '../../../domain/access/api-key';
import { ApiKeyNotFound } from '../../../domain/access/access-errors';
import { AccountReader, ApiKeyReader } from '../../ports/access/accounts-and-api-keys';

/** The key that makes the request and its account, so that a program learns what it may do and where. Needs no action. @throws ApiKeyNotFound */
@injectable()
export class ReadOwnKey {
  constructor(
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(AccountReader) private readonly accounts: AccountReader,
  ) {}

  async execute({ accountId, actor }: Reader): Promise<{ readonly key: ApiKey; readonly account: Account }> {
    const key = actor.kind === 'key' ? await this.keys.find(actor.id) : undefined;
    const account = await this.accounts.find(accountId);
    if (!key || !account) throw new ApiKeyNotFound();
    return { key, account };
  }
}
