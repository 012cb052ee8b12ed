import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import type { ApiKey } from '../../../domain/access/api-key';
import { ApiKeyNotFound } from '../../../domain/access/access-errors';
import { ApiKeyReader } from '../../ports/access/accounts-and-api-keys';

/** The key that makes the request, so that a program learns what it may do. Needs no action. @throws ApiKeyNotFound */
@injectable()
export class ReadOwnKey {
  constructor(@inject(ApiKeyReader) private readonly keys: ApiKeyReader) {}

  async execute({ actor }: Reader): Promise<ApiKey> {
    const key = actor.kind === 'key' ? await this.keys.find(actor.id) : undefined;
    if (!key) throw new ApiKeyNotFound();
    return key;
  }
}
