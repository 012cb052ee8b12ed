import { inject, injectable } from 'inversify';
import type { ApiKeyState } from '../../../domain/access/api-key';
import { ApiKeyToken } from '../../../domain/access/api-key-token';
import { InvalidApiKey } from '../../../domain/access/errors';
import { ApiKeyReader } from '../../ports/access/access-repositories';
import { Clock } from '../../ports/system/clock';
import { FailedAuthLimiter, type RateLimiter } from '../../ports/access/rate-limiter';
import { countAttempt } from '../sign-in/count-attempt';
import { KeyUses } from './key-uses';

export const ApiKeyPrefix = Symbol('ApiKeyPrefix');

export interface Credentials {
  readonly token: string | undefined;
  /** Asked for only where they are not accepted. */
  readonly clientAddress: () => string;
}

/**
 * Finds whose key this is. Keys are read anew on every call, so that a revocation counts at once on every replica.
 * Failures are limited per client address; a valid key passes all the same.
 * @throws InvalidApiKey, RateLimitExceeded
 */
@injectable()
export class Authenticate {
  constructor(
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(FailedAuthLimiter) private readonly failures: RateLimiter,
    @inject(KeyUses) private readonly uses: KeyUses,
    @inject(Clock) private readonly clock: Clock,
    @inject(ApiKeyPrefix) private readonly prefix: string,
  ) {}

  async execute(shown: Credentials): Promise<ApiKeyState> {
    const token = shown.token === undefined ? undefined : ApiKeyToken.parse(shown.token, this.prefix);
    const key = token && (await this.keys.find(token.keyId));
    if (token && key?.authenticates(token, this.clock.now())) {
      this.uses.record(token.keyId);
      return key.toState();
    }
    await countAttempt(this.failures, shown.clientAddress());
    throw new InvalidApiKey();
  }
}
