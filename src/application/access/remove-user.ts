import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { RoleForbids, UserNotFound } from '../../domain/access/errors';
import { ValidationError } from '../../domain/shared/validation-error';
import { userChanged } from '../audit/access-audit';
import { Clock } from '../ports/system/clock';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/**
 * Takes a person out of the account: their sessions end at once. @throws UserNotFound; ValidationError for oneself and
 * for the last owner; RoleForbids for somebody who was removed meanwhile
 */
@injectable()
export class RemoveUser {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, actor, userId }: Requester & { userId: string }): Promise<void> {
    if (actor.kind === 'user' && actor.id === userId) throw ValidationError.of('user', 'must not be yourself: an account keeps an owner');
    await this.unitOfWork.run(async ({ audit, users }) => {
      // All of them, so that of two owners who are removed at once, by each other or by the operator, one stays.
      const people = await users.lockAll(accountId);
      if (actor.kind === 'user' && !people.some(({ id }) => id === actor.id)) throw new RoleForbids();
      const user = people.find(({ id }) => id === userId);
      if (!user) throw new UserNotFound();
      if (user.isOwner && !people.some(({ id, isOwner }) => isOwner && id !== userId)) throw ValidationError.of('user', 'must not be the last owner: an account keeps one');
      await users.remove(user);
      await audit.append(userChanged({ at: this.clock.now(), actor, action: 'user.removed', user: user.toState() }));
    });
  }
}
