import { inject, injectable } from '../../ports/inject';
import { AmbiguousAccount, RateLimitExceeded, WrongCredentials } from '../../../domain/access/access-errors';
import type { User } from '../../../domain/access/people/user';
import { isEmailAddress } from '../../../domain/shared/email-address';
import { Passwords } from '../../ports/access/authentication';
import {
  SignInAddressLimiter,
  SignInEmailLimiter,
  SignInKnownLimiter,
  type RateLimiter,
} from '../../ports/access/rate-limits-and-usage';
import { UserReader } from '../../ports/access/users';
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

interface OtherUsers extends Pick<SignInCommand, 'email' | 'accountId' | 'clientAddress'> {
  readonly known: ReadonlySet<string>;
  readonly matching: readonly User[];
}

/**
 * Verifies e-mail and password. Takes equally long for unknown e-mails and does not say which of the two is wrong (OWASP).
 * Attempts are counted first, and separately for the people who know the browser, so that attackers cannot lock them out.
 * Of a person with several users, it returns the oldest: the caller chooses the account.
 * @throws WrongCredentials, RateLimitExceeded; AmbiguousAccount if e-mail and password are those of several people
 */
@injectable()
export class SignIn {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(SignInAddressLimiter) private readonly byAddress: RateLimiter<'sign-in-address'>,
    @inject(SignInEmailLimiter) private readonly byEmail: RateLimiter<'sign-in-email'>,
    @inject(SignInKnownLimiter) private readonly byKnownPerson: RateLimiter<'sign-in-known'>,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
  ) {}

  async execute({ email: text, password, accountId, clientAddress, marks }: SignInCommand): Promise<User> {
    const email = text.trim().toLowerCase().slice(0, 254);
    const usersOfEmail = await this.users.ofEmail(email);
    const known = this.browsers.knownPersonIds(usersOfEmail, marks);
    for (const personId of known) await countAttempt(this.byKnownPerson, personId);
    if (known.size === 0) await countAttempt(this.byAddress, clientAddress);
    // Text that is no e-mail belongs to no one, so it needs neither a counter nor a comparison.
    if (usersOfEmail.length === 0 && !isEmailAddress(email)) throw new WrongCredentials();
    if (known.size === 0) await countAttempt(this.byEmail, email);
    const hashes = await this.passwords.matching(
      password,
      usersOfEmail.flatMap((user) => user.toState().passwordHash ?? []),
    );
    const matching = usersOfEmail.filter((user) => hashes.includes(user.toState().passwordHash ?? ''));
    const own = matching.filter((user) => known.size === 0 || known.has(user.toState().personId));
    const user =
      chooseUser(own, accountId) ?? (await this.findOther({ known, matching, email, accountId, clientAddress }));
    if (!user) throw new WrongCredentials();
    return user;
  }

  /** Of people with the same e-mail who have not signed in with the browser: for them, it counts as an unknown one. */
  private async findOther({ known, matching, email, accountId, clientAddress }: OtherUsers): Promise<User | undefined> {
    if (known.size === 0) return undefined;
    try {
      await countAttempt(this.byAddress, clientAddress);
      await countAttempt(this.byEmail, email);
    } catch (error) {
      // The owner of a known browser mistyped, and need not hear of the attempts of others.
      if (error instanceof RateLimitExceeded) return undefined;
      throw error;
    }
    return chooseUser(matching, accountId);
  }
}

/** The oldest user, in the account if one was selected. @throws AmbiguousAccount */
function chooseUser(matching: readonly User[], accountId: string | undefined): User | undefined {
  const [user, ...others] = matching.filter(
    (each) => accountId === undefined || each.toState().accountId === accountId,
  );
  if (others.some((other) => other.toState().personId !== user?.toState().personId))
    throw new AmbiguousAccount(matching.map((each) => each.toState().accountId));
  return user;
}
