import { inject, injectable } from 'inversify';
import { AmbiguousAccount, WrongCredentials } from '../../../domain/access/errors';
import type { User } from '../../../domain/access/people/user';
import { Passwords } from '../../ports/access/passwords';
import {
  SignInAddressLimiter,
  SignInEmailLimiter,
  SignInKnownLimiter,
  type RateLimiter,
} from '../../ports/access/rate-limiter';
import { UserReader } from '../../ports/access/user-repository';
import { countAttempt } from './count-attempt';
import { KnownBrowsers } from './known-browsers';

interface SignInCommand {
  readonly email: string;
  readonly password: string;
  /** The selected account, if the credentials match several. */
  readonly accountId?: string | undefined;
  readonly clientAddress: string;
  /** The browser's marks of `KnownBrowsers`. */
  readonly marks: readonly string[];
}

/**
 * Verifies e-mail and password. Takes equally long for unknown e-mails and does not say which of the two is wrong (OWASP).
 * Attempts are counted first, and separately for known browsers, so that attackers cannot lock a user out.
 * Of a person with several users, it returns the oldest: the caller chooses the account.
 * @throws WrongCredentials, RateLimitExceeded; AmbiguousAccount if e-mail and password are those of several people
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

  async execute({ email: text, password, accountId, clientAddress, marks }: SignInCommand): Promise<User> {
    const email = text.trim().toLowerCase().slice(0, 254);
    const people = await this.users.ofEmail(email);
    if (this.browsers.isKnown(people, marks)) {
      await countAttempt(this.byKnownEmail, email);
    } else {
      await countAttempt(this.byAddress, clientAddress);
      await countAttempt(this.byEmail, email);
    }
    const hashes = await this.passwords.matching(
      password,
      people.flatMap((user) => user.toState().passwordHash ?? []),
    );
    const matching = people.filter((user) => hashes.includes(user.toState().passwordHash ?? ''));
    const [user, ...others] = matching.filter(
      (each) => accountId === undefined || each.toState().accountId === accountId,
    );
    if (!user) throw new WrongCredentials();
    if (others.some((other) => other.toState().personId !== user.toState().personId))
      throw new AmbiguousAccount(matching.map((each) => each.toState().accountId));
    return user;
  }
}
