import { inject, injectable } from '../../ports/inject';
import { SessionNotFound } from '../../../domain/access/access-errors';
import { UnitOfWork } from '../../ports/storage/unit-of-work';

/** Ends a user's sessions in other browsers. */
@injectable()
export class EndSessions {
  constructor(@inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'sessions'>) {}

  /** One of the person's sessions by its public id. @throws SessionNotFound */
  async endOne({ userId, sessionId }: { userId: string; sessionId: string }): Promise<void> {
    const ended = await this.unitOfWork.run(({ sessions }) => sessions.endOne(userId, sessionId));
    if (!ended) throw new SessionNotFound();
  }

  /** All of the person's sessions, but the one with the digest `keep`. */
  async endAll({ userId, keep }: { userId: string; keep?: string }): Promise<void> {
    await this.unitOfWork.run(({ sessions }) => sessions.endOthers(userId, keep));
  }
}
