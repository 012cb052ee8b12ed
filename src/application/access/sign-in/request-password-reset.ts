import { inject, injectable } from '../../ports/inject';
import { SERVICE } from '../../../domain/access/actor';
import { RateLimitExceeded } from '../../../domain/access/access-errors';
import { setupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { isEmailAddress } from '../../../domain/shared/email-address';
import { userChanged } from '../../audit/access-audit';
import { SetUpMailLimiter, SignInAddressLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { TokenGenerator, UserReader } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, Log } from '../../ports/system';
import { levelOf } from '../../shared/level-of';
import { SetupLinkMails } from '../users/setup-link-mails';
import { countAttempt } from './count-attempt';

/**
 * Mails a link that sets a new password to the people who sign in with this e-mail and a password. Returns before it looks for them, so
 * that neither the response nor its time tells whether there are any. @throws RateLimitExceeded for the client's address
 */
@injectable()
export class RequestPasswordReset {
  private readonly running = new Set<Promise<void>>();

  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'mails' | 'setupLinks' | 'users'>,
    @inject(SignInAddressLimiter) private readonly byAddress: RateLimiter<'sign-in-address'>,
    @inject(SetUpMailLimiter) private readonly byEmail: RateLimiter<'set-up-mail'>,
    @inject(SetupLinkMails) private readonly linkMails: SetupLinkMails,
    @inject(TokenGenerator) private readonly tokens: TokenGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  async execute({ email, clientAddress }: { readonly email: string; readonly clientAddress: string }): Promise<void> {
    await countAttempt(this.byAddress, clientAddress);
    const mailing: Promise<void> = this.mail(email.trim().toLowerCase().slice(0, 254))
      .catch((error: unknown) => this.log[levelOf(error)]({ err: error }, 'a mail for a forgotten password failed'))
      .finally(() => this.running.delete(mailing));
    this.running.add(mailing);
  }

  /** Waits until the links that were asked for are stored. */
  async stop(): Promise<void> {
    await Promise.all(this.running);
  }

  private async mail(email: string): Promise<void> {
    if (!isEmailAddress(email)) return;
    try {
      // Strangers choose the e-mail, so this counts apart from the links of owners, who could neither invite nor help otherwise.
      await countAttempt(this.byEmail, `forgotten ${email}`);
    } catch (error) {
      if (error instanceof RateLimitExceeded) return;
      throw error;
    }
    // One mail for each person, who may have users in several accounts.
    const withPassword = (await this.users.ofEmail(email)).filter((user) => user.toState().passwordHash !== null);
    const people = new Map(withPassword.toReversed().map((user) => [user.toState().personId, user]));
    for (const user of people.values()) await this.mailTo(user, email);
  }

  private async mailTo(found: User, email: string): Promise<void> {
    const { id, accountId } = found.toState();
    const token = this.tokens.token();
    const now = this.clock.now();
    const link = setupLink(token, { userId: id, issuedBy: SERVICE }, now);
    await this.unitOfWork.run(async ({ accounts, audit, mails, setupLinks, users }) => {
      const account = await accounts.lock(accountId);
      const user = await users.lock(id);
      if (!account || user?.email !== email || user.toState().passwordHash === null) return;
      await setupLinks.put(link);
      await audit.append(userChanged({ at: now, actor: SERVICE, action: 'user.link_issued', user: user.toState() }));
      await mails.add(this.linkMails.of({ user, token, link, accountName: account.name, reason: 'reset' }));
    });
  }
}
