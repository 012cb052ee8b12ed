import { createHash } from 'node:crypto';
import { inject, injectable } from '../../ports/inject';
import { Clock, SealBroken, SecretBox } from '../../ports/system';
import { TokenGenerator } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';

/** A challenge of WebAuthn, 32 random bytes in base64url, and its form, sealed with its purpose and end. */
interface Challenge {
  readonly challenge: string;
  readonly sealed: string;
}

const LIFETIME_MS = 300_000;

/**
 * Challenges are not stored before they come back, so that strangers cannot fill the database: the page has them sealed.
 * A challenge works once and for five minutes.
 */
@injectable()
export class PasskeyChallenges {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'usedTokens'>,
    @inject(TokenGenerator) private readonly tokens: TokenGenerator,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param purpose for which user and step, so that it serves no other */
  create(purpose: string): Challenge {
    const challenge = this.tokens.token();
    const until = this.clock.now().getTime() + LIFETIME_MS;
    return { challenge, sealed: this.box.seal(JSON.stringify({ challenge, until }), purposeOf(purpose)) };
  }

  /** The challenge, which is used up by it. Undefined if it was used, is too old or serves another purpose. */
  async use(sealed: string, purpose: string): Promise<string | undefined> {
    const opened = this.open(sealed, purpose);
    if (!opened || opened.until <= this.clock.now().getTime()) return undefined;
    const digest = createHash('sha256').update(opened.challenge).digest('hex');
    const isNew = await this.unitOfWork.run(({ usedTokens }) => usedTokens.use(digest, new Date(opened.until)));
    return isNew ? opened.challenge : undefined;
  }

  private open(sealed: string, purpose: string): { challenge: string; until: number } | undefined {
    try {
      return JSON.parse(this.box.open(sealed, purposeOf(purpose))) as { challenge: string; until: number };
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

function purposeOf(purpose: string): string {
  return `passkey challenge: ${purpose}`;
}
