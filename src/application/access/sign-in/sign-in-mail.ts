import { sendUntil, type NewMail } from '../../../domain/access/notices/mail';
import type { User } from '../../../domain/access/people/user';

interface NewSignIn {
  readonly id: string;
  readonly user: User;
  readonly at: Date;
  readonly sessionId: string;
  readonly clientAddress: string;
  /** In words. */
  readonly browser: string;
}

/** Tells a person of a session that a new browser has opened. Sign-ins have no audit entry and no event. */
export function signInMail({ id, user, at, sessionId, clientAddress, browser }: NewSignIn): NewMail {
  return {
    id,
    kind: 'sign_in',
    cause: `sign_in/${sessionId}`,
    at,
    accountId: user.toState().accountId,
    domain: null,
    data: { address: clientAddress, browser },
    recipient: user.id,
    userId: user.id,
    address: user.email,
    sealedSecret: null,
    sendUntil: sendUntil(at),
  };
}
