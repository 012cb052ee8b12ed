import { inject, injectable } from 'inversify';
import { RateLimitExceeded, WrongCredentials } from '../../domain/access/errors';
import { MAX_PASSWORD_BYTES } from '../../domain/access/password';
import type { User } from '../../domain/access/user';
import { Passwords } from '../ports/access/passwords';
import { SignInAddressLimiter, SignInEmailLimiter, type RateLimiter } from '../ports/access/rate-limiter';
import { UserReader } from '../ports/access/user-repository';

/**
 * Finds the person who knows the password. Takes as long for an e-mail that nobody has, and never says which of the
 * two was wrong. Attempts are counted before they are judged, so that many at once win nothing.
 * @throws WrongCredentials, RateLimitExceeded
 */
@injectable()
export class SignIn {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(SignInAddressLimiter) private readonly byAddress: RateLimiter,
    @inject(SignInEmailLimiter) private readonly byEmail: RateLimiter,
  ) {}

  async execute({ email: text, password, clientAddress }: { email: string; password: string; clientAddress: string }): Promise<User> {
    const email = text.trim().toLowerCase().slice(0, 254);
    await this.count(this.byAddress, clientAddress);
    await this.count(this.byEmail, email);
    const user = await this.users.findByEmail(email);
    const matches = await this.passwords.matches(password, user?.toState().passwordHash ?? null);
    // bcrypt would take a longer text for its first 72 bytes.
    if (!user || !matches || Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new WrongCredentials();
    return user;
  }

  private async count(limiter: RateLimiter, key: string): Promise<void> {
    const state = await limiter.consume(key);
    if (state?.exceeded) throw new RateLimitExceeded(state.resetSeconds);
  }
}
