import { inject, injectable } from 'inversify';
import { WrongCredentials } from '../../domain/access/errors';
import type { User } from '../../domain/access/user';
import { Passwords } from '../ports/access/passwords';
import { SignInAddressLimiter, SignInEmailLimiter, SignInKnownLimiter, type RateLimiter } from '../ports/access/rate-limiter';
import { UserReader } from '../ports/access/user-repository';
import { countAttempt } from './count-attempt';
import { KnownBrowsers } from './known-browsers';

export interface SignInCommand {
  readonly email: string;
  readonly password: string;
  readonly clientAddress: string;
  /** What the browser shows of `KnownBrowsers`, for whomever. */
  readonly marks: readonly string[];
}

/**
 * Finds the person who knows the password. Takes as long for an e-mail that nobody has, and never says which of the
 * two was wrong. Attempts are counted before they are judged, so that many at once win nothing: those from browsers in
 * which the person has signed in by themselves, so that whatever strangers try, their count does not keep the person out.
 * @throws WrongCredentials, RateLimitExceeded
 */
@injectable()
export class SignIn {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(SignInAddressLimiter) private readonly byAddress: RateLimiter,
    @inject(SignInEmailLimiter) private readonly byEmail: RateLimiter,
    @inject(SignInKnownLimiter) private readonly byKnownEmail: RateLimiter,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
  ) {}

  async execute({ email: text, password, clientAddress, marks }: SignInCommand): Promise<User> {
    const email = text.trim().toLowerCase().slice(0, 254);
    const user = await this.users.findByEmail(email);
    if (this.browsers.isKnown(user, marks)) {
      await countAttempt(this.byKnownEmail, email);
    } else {
      await countAttempt(this.byAddress, clientAddress);
      await countAttempt(this.byEmail, email);
    }
    const matches = await this.passwords.matches(password, user?.toState().passwordHash ?? null);
    if (!user || !matches) throw new WrongCredentials();
    return user;
  }
}
