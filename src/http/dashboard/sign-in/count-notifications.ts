import type { Request } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { ReadNotifications } from '../../../application/events/read-notifications';
import { StorageUnavailable } from '../../../application/ports/storage/storage-unavailable';
import { actorOfUser } from '../../../domain/access/people/user';
import type { UserSession } from '../user-session';

/** The number at the bell of a page. */
@injectable()
export class CountNotifications {
  constructor(@inject(ReadNotifications) private readonly notifications: ReadNotifications) {}

  /** Undefined for what has no bell, such as a part of a page, and during an outage: the page is shown without it. */
  async forPage(req: Request, userSession: UserSession): Promise<number | undefined> {
    if (!isForWholePage(req)) return undefined;
    return this.notifications.count(notificationsReader(userSession)).catch((error: unknown) => {
      if (error instanceof StorageUnavailable) return undefined;
      throw error;
    });
  }
}

/** Not for a part of a page, an event stream or a form. */
export function isForWholePage(req: Request): boolean {
  const isPage = req.method === 'GET' && req.accepts(['html', 'text/event-stream']) === 'html';
  return isPage && req.get('HX-Request') !== 'true';
}

export function notificationsReader(userSession: UserSession) {
  const { accountId, user } = userSession;
  return {
    accountId,
    actor: actorOfUser(userSession.user, userSession.account),
    userId: user.id,
    seesAccess: user.role === 'owner',
    seenPosition: user.seenPosition,
  };
}
