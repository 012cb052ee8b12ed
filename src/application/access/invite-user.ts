import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { Role } from '../../domain/access/role';
import { setupLink, type SetupLink } from '../../domain/access/setup-link';
import { User } from '../../domain/access/user';
import { ValidationError } from '../../domain/shared/validation-error';
import { userChanged } from '../audit/access-audit';
import { AccountReader } from '../ports/access/access-repositories';
import { Clock } from '../ports/system/clock';
import { IdGenerator } from '../ports/system/id-generator';
import { TokenGenerator } from '../ports/access/token-generator';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/** A person's place in the account, and the token of the link by which they set their password: answered here and never again. */
export interface Invitation {
  readonly user: User;
  readonly token: string;
  readonly link: SetupLink;
}

/** @throws ValidationError for an unknown account, for what is no e-mail address, and for one that somebody has */
@injectable()
export class InviteUser {
  constructor(
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(TokenGenerator) private readonly tokens: TokenGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, actor, email, role }: Requester & { email: string; role: Role }): Promise<Invitation> {
    if (!(await this.accounts.find(accountId))) throw ValidationError.of('account', 'is not known');
    const now = this.clock.now();
    const user = User.invite({ id: this.ids.next('usr'), accountId, email, role }, now);
    const token = this.tokens.token();
    const link = setupLink(token, user.id, now);
    await this.unitOfWork.run(async ({ audit, users, setupLinks }) => {
      await users.add(user);
      await setupLinks.put(link);
      await audit.append(userChanged({ at: now, actor, action: 'user.invited', user: user.toState() }));
    });
    return { user, token, link };
  }
}
