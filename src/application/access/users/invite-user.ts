import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import type { Role } from '../../../domain/access/people/role';
import { setupLink, type SetupLink } from '../../../domain/access/people/setup-link';
import { User } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { SetUpMailLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { countAttempt } from '../sign-in/count-attempt';
import { Clock, IdGenerator } from '../../ports/system';
import { TokenGenerator } from '../../ports/access/users';
import { UnitOfWork, type Stores } from '../../ports/storage/unit-of-work';
import { SetupLinkMails } from './setup-link-mails';
import { lockAsOwner } from './lock-as-owner';

/** Pages about the team read all of its users. */
const MAX_USERS = 500;

/** A person's place in the account, and the token of the link by which they set their password: returned only here. */
export interface Invitation {
  readonly user: User;
  readonly token: string;
  readonly link: SetupLink;
}

/** @throws RoleForbids; ValidationError for an unknown account, for an invalid e-mail address, for tags that the role cannot have, for one that the account has already, and beyond 500 users; RateLimitExceeded beyond five mails of an address in an hour */
@injectable()
export class InviteUser {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'domains' | 'mails' | 'setupLinks' | 'users'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(TokenGenerator) private readonly tokens: TokenGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(SetupLinkMails) private readonly linkMails: SetupLinkMails,
    @inject(SetUpMailLimiter) private readonly limiter: RateLimiter<'set-up-mail'>,
  ) {}

  /** @param grant what is to be written with the invitation, or neither is */
  async execute(
    { accountId, actor, email, role, tags }: Requester & { email: string; role: Role; tags?: readonly string[] },
    grant?: (stores: Pick<Stores, 'audit' | 'domains'>) => Promise<void>,
  ): Promise<Invitation> {
    const now = this.clock.now();
    const user = User.invite({ id: this.ids.next('usr'), accountId, email, role, ...(tags && { tags }) }, now);
    if (actor.kind !== 'operator') await countAttempt(this.limiter, user.email);
    const token = this.tokens.token();
    const link = setupLink(token, { userId: user.id, issuedBy: actor }, now);
    await this.unitOfWork.run(async (stores) => {
      const account = await lockAsOwner(stores, { accountId, actor });
      if (!account) throw ValidationError.of('account', 'is not known');
      const { audit, mails, users, setupLinks } = stores;
      if ((await users.lockAll(accountId)).length >= MAX_USERS)
        throw ValidationError.of('email', `cannot be invited: an account has at most ${MAX_USERS} people`);
      await users.add(user);
      await setupLinks.put(link);
      await audit.append(userChanged({ at: now, actor, action: 'user.invited', user: user.toState() }));
      await grant?.(stores);
      await mails.add(this.linkMails.of({ user, token, link, accountName: account.name, reason: 'invitation' }));
    });
    return { user, token, link };
  }
}
