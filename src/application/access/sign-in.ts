import { inject, injectable } from 'inversify';
import { WrongCredentials } from '../../domain/access/errors';
import type { User } from '../../domain/access/user';
import { Passwords } from '../ports/access/passwords';
import { SignInAddressLimiter, SignInEmailLimiter, type RateLimiter } from '../ports/access/rate-limiter';
import { UserReader } from '../ports/access/user-repository';
import { countAttempt } from './count-attempt';

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
    await countAttempt(this.byAddress, clientAddress);
    await countAttempt(this.byEmail, email);
    const user = await this.users.findByEmail(email);
    const matches = await this.passwords.matches(password, user?.toState().passwordHash ?? null);
    if (!user || !matches) throw new WrongCredentials();
    return user;
  }
}
