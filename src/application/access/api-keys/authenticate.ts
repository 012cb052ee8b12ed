import { inject, injectable, token } from '../../ports/inject';
import { Clock, Log } from '../../ports/system';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import type { Actor } from '../../../domain/access/actor';
import { actorOfKey, type ApiKeyState, ApiKeyToken } from '../../../domain/access/api-key';
import { InvalidApiKey } from '../../../domain/access/access-errors';
import { assertAddressAllowed } from '../../../domain/access/key-permissions';
import { ApiKeyReader } from '../../ports/access/accounts-and-api-keys';
import { FailedAuthLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { countAttempt } from '../sign-in/count-attempt';

const WRITE_EVERY_MS = 30_000;

/** Collects the last use of API keys and stores them together twice a minute, not per request. */
@injectable()
export class KeyUses {
  private uses = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'apiKeys'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  record(keyId: string): void {
    this.uses.set(keyId, this.clock.now());
    this.timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  /** Stores collected uses; also called before the database is closed. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { uses } = this;
    this.uses = new Map();
    if (uses.size === 0) return;
    try {
      await this.unitOfWork.run(({ apiKeys }) => apiKeys.markUsed(uses));
    } catch (error) {
      for (const [keyId, at] of uses) if (!this.uses.has(keyId)) this.uses.set(keyId, at);
      this.log.warn(
        { err: error, keys: uses.size },
        'the last use of keys could not be written; it is kept for the next time',
      );
    }
  }
}

export const ApiKeyPrefix = token<string>('ApiKeyPrefix');

export interface Credentials {
  readonly token: string | undefined;
  /** Called only after a failure, or if the key is limited to networks. */
  readonly clientAddress: () => string;
}

/** A key whose secret was shown. Use cases get `actor`, which has the key's limits. */
interface AuthenticatedKey extends ApiKeyState {
  readonly actor: Actor;
}

/**
 * Authenticates an API key. Reads the key on every call, so that a revocation takes effect at once on every replica.
 * Failures are rate-limited per client address; a valid key is accepted even above that limit.
 * @throws InvalidApiKey, RateLimitExceeded; LimitedKey for an address outside the key's networks
 */
@injectable()
export class Authenticate {
  constructor(
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(FailedAuthLimiter) private readonly failures: RateLimiter<'failed-auth'>,
    @inject(KeyUses) private readonly uses: KeyUses,
    @inject(Clock) private readonly clock: Clock,
    @inject(ApiKeyPrefix) private readonly prefix: string,
  ) {}

  async execute(credentials: Credentials): Promise<AuthenticatedKey> {
    const token = credentials.token === undefined ? undefined : ApiKeyToken.parse(credentials.token, this.prefix);
    const key = token && (await this.keys.find(token.keyId));
    if (token && key?.authenticates(token, this.clock.now())) {
      const state = key.toState();
      if (state.limits?.networks) assertAddressAllowed(state.limits, credentials.clientAddress());
      this.uses.record(token.keyId);
      return { ...state, actor: actorOfKey(state) };
    }
    await countAttempt(this.failures, credentials.clientAddress());
    throw new InvalidApiKey();
  }
}
