import { ChangePassword } from '../../../src/application/access/sign-in/change-password';
import { ChangeRole } from '../../../src/application/access/users/change-role';
import { SetupLinkMails } from '../../../src/application/access/users/setup-link-mails';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { IssueSetupLink } from '../../../src/application/access/users/issue-setup-link';
import { OpenSetupLink } from '../../../src/application/access/users/open-setup-link';
import { RemoveUser } from '../../../src/application/access/users/remove-user';
import { RevokeSetupLink } from '../../../src/application/access/users/revoke-setup-link';
import { SetPassword } from '../../../src/application/access/users/set-password';
import { OPERATOR, type Requester } from '../../../src/domain/access/actor';
import type { Role } from '../../../src/domain/access/people/role';
import { CountingRateLimiter } from '../fakes/counting-rate-limiter';
import { SECRET_BOX } from './credentials';
import { PASSWORD } from './people';
import { OURS, type UseCaseContext } from './use-case-context';

const INVITATION = { ...OURS, email: 'Grace@Example.com', role: 'manager' } as const;
export const BY_OPERATOR: Requester = { ...OURS, actor: OPERATOR };

/** No person of these tests has a second factor. */
const NO_FACTOR = { execute: () => Promise.reject(new Error('was asked for a second factor')) };

/** The use cases of people and of their set-up links. */
export class PeopleScenario {
  private readonly linkMails: SetupLinkMails;
  private readonly limiter: CountingRateLimiter;

  constructor(private readonly around: UseCaseContext) {
    this.limiter = new CountingRateLimiter(5, around.clock);
    this.linkMails = new SetupLinkMails(around.ids, SECRET_BOX);
  }

  invite(rest: Partial<Requester & { email: string; role: Role }> = {}) {
    const { storage, ids, tokens, clock } = this.around;
    return new InviteUser(storage, ids, tokens, clock, this.linkMails, this.limiter).execute({
      ...INVITATION,
      ...rest,
    });
  }

  setPassword(token: string, password = PASSWORD, passwords = this.around.passwords) {
    const { storage, ids, clock } = this.around;
    const openLink = new OpenSetupLink(storage.setupLinks, storage.users, storage.factors, clock);
    return new SetPassword(storage, passwords, NO_FACTOR, openLink, ids, clock).execute({ token, password });
  }

  issueLink(userId: string, { accountId, actor } = OURS) {
    const { storage, tokens, clock } = this.around;
    return new IssueSetupLink(storage, tokens, clock, this.linkMails, storage.users, this.limiter).execute({
      accountId,
      actor,
      userId,
    });
  }

  revokeLink(userId: string, { accountId, actor } = OURS) {
    return new RevokeSetupLink(this.around.storage, this.around.clock).execute({ accountId, actor, userId });
  }

  remove(userId: string, { accountId, actor } = OURS, revokeKeys = false) {
    return new RemoveUser(this.around.storage, this.around.clock).execute({ accountId, actor, userId, revokeKeys });
  }

  changeRole(userId: string, role: Role, { accountId, actor } = BY_OPERATOR, tags?: readonly string[]) {
    return new ChangeRole(this.around.storage, this.around.clock).execute({ accountId, actor, userId, role, tags });
  }

  changePassword({ id }: { readonly id: string }) {
    const { storage, passwords, clock } = this.around;
    const limiter = new CountingRateLimiter(99, clock);
    return new ChangePassword(storage.users, storage, passwords, limiter, clock).execute({
      userId: id,
      currentPassword: PASSWORD,
      newPassword: 'coffee at a quarter to',
      keepSession: '',
    });
  }

  async knows(userId: string, password: string): Promise<boolean> {
    const user = await this.around.storage.users.find(userId);
    return this.around.passwords.matches(password, user?.toState().passwordHash ?? null);
  }

  /** Whether a set-up link still sets a password. */
  async opens(token: string): Promise<boolean> {
    return this.setPassword(token).then(
      () => true,
      () => false,
    );
  }
}

/** The requester that a signed-in person is. */
export const asUser = ({ id }: { readonly id: string }) => ({ ...OURS, actor: { kind: 'user', id } as const });
