import { inject, injectable } from '../../ports/inject';
import { UserNotFound } from '../../../domain/access/access-errors';
import type { User } from '../../../domain/access/people/user';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';

interface SwitchAccountCommand {
  readonly userId: string;
  readonly sessionDigest: string;
  /** The chosen account. */
  readonly accountId: string;
}

/** Continues a session as the same person's user of another account. The next sign-in begins there. @throws UserNotFound */
@injectable()
export class SwitchAccount {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'sessions' | 'users'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ userId, sessionDigest, accountId }: SwitchAccountCommand): Promise<User> {
    return this.unitOfWork.run(async ({ sessions, users }) => {
      const user = await users.lock(userId);
      const personUsers = user ? await users.lockPerson(user.toState().personId) : [];
      const chosen = personUsers.find((each) => each.toState().accountId === accountId);
      if (!chosen) throw new UserNotFound();
      await sessions.moveTo(sessionDigest, chosen.id, this.clock.now());
      return chosen;
    });
  }
}
