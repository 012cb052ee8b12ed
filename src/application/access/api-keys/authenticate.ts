import { inject, injectable } from 'inversify';
import { type ApiKeyState, ApiKeyToken } from '../../../domain/access/api-key';
import { InvalidApiKey } from '../../../domain/access/errors';
import { ApiKeyReader } from '../../ports/access/access-repositories';
import { Clock } from '../../ports/system/clock';
import { FailedAuthLimiter, type RateLimiter } from '../../ports/access/rate-limiter';
import { countAttempt } from '../sign-in/count-attempt';
import { KeyUses } from './key-uses';

export const ApiKeyPrefix = Symbol('ApiKeyPrefix');

export interface Credentials {
  readonly token: string | undefined;
  /** Called only after a failure. */
  readonly clientAddress: () => string;
}

/**
 * Authenticates an API key. Reads the key on every call, so that a revocation takes effect at once on every replica.
 * Failures are rate-limited per client address; a valid key is accepted even above that limit.
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

  async execute(credentials: Credentials): Promise<ApiKeyState> {
    const token = credentials.token === undefined ? undefined : ApiKeyToken.parse(credentials.token, this.prefix);
    const key = token && (await this.keys.find(token.keyId));
    if (token && key?.authenticates(token, this.clock.now())) {
      this.uses.record(token.keyId);
      return key.toState();
    }
    await countAttempt(this.failures, credentials.clientAddress());
    throw new InvalidApiKey();
  }
}
