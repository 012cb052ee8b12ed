import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { setupLink } from '../../../domain/access/people/setup-link';
import { UserNotFound } from '../../../domain/access/access-errors';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system';
import { SetUpMailLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { countAttempt } from '../sign-in/count-attempt';
import { TokenGenerator, UserReader } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import type { Invitation } from './invite-user';
import { SetupLinkMails } from './setup-link-mails';
import { lockAsOwner } from './lock-as-owner';

/** A new set-up link for a person of the account who lost the first one, or the password. It revokes the earlier link. @throws UserNotFound, RoleForbids, RateLimitExceeded */
@injectable()
export class IssueSetupLink {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'mails' | 'setupLinks' | 'users'>,
    @inject(TokenGenerator) private readonly tokens: TokenGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(SetupLinkMails) private readonly linkMails: SetupLinkMails,
    @inject(UserReader) private readonly people: Pick<UserReader, 'find'>,
    @inject(SetUpMailLimiter) private readonly limiter: RateLimiter<'set-up-mail'>,
  ) {}

  async execute({ accountId, actor, userId }: Requester & { userId: string }): Promise<Invitation> {
    const found = await this.people.find(userId);
    if (actor.kind !== 'operator' && found?.toState().accountId === accountId)
      await countAttempt(this.limiter, found.email);
    const token = this.tokens.token();
    const now = this.clock.now();
    const link = setupLink(token, { userId, issuedBy: actor }, now);
    return this.unitOfWork.run(async (stores) => {
      const account = await lockAsOwner(stores, { accountId, actor });
      const { audit, mails, users, setupLinks } = stores;
      const user = await users.lock(userId);
      if (user?.toState().accountId !== accountId) throw new UserNotFound();
      await setupLinks.put(link);
      await audit.append(userChanged({ at: now, actor, action: 'user.link_issued', user: user.toState() }));
      const accountName = account?.name ?? '';
      await mails.add(this.linkMails.of({ user, token, link, accountName, reason: 'owner' }));
      return { user, token, link };
    });
  }
}
