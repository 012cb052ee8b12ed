import { inject, injectable } from 'inversify';
import { AmbiguousAccount, WrongCredentials } from '../../../domain/access/errors';
import type { User } from '../../../domain/access/user';
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

export interface SignInCommand {
  readonly email: string;
  readonly password: string;
  /** Chosen by a person whose e-mail and password open several accounts. */
  readonly accountId?: string | undefined;
  readonly clientAddress: string;
  /** What the browser shows of `KnownBrowsers`, for whomever. */
  readonly marks: readonly string[];
}

/**
 * Finds the person who knows the password. Takes as long for an e-mail that nobody has, and never says which of the
 * two was wrong. Attempts are counted before they are judged, so that many at once win nothing: those from browsers in
 * which the person has signed in by themselves, so that whatever strangers try, their count does not keep the person out.
 * @throws WrongCredentials, RateLimitExceeded; AmbiguousAccount if e-mail and password open more than one
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
    if (others.length > 0) throw new AmbiguousAccount(matching.map((each) => each.toState().accountId));
    return user;
  }
}
