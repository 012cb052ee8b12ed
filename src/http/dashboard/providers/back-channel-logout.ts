import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { countAttempt } from '../../../application/access/sign-in/count-attempt';
import {
  IdentityProviders,
  LogoutTokenInvalid,
  type IdentityProvider,
} from '../../../application/ports/access/authentication';
import { IdentityReader, UserReader } from '../../../application/ports/access/users';
import { FailedAuthLimiter, type RateLimiter } from '../../../application/ports/access/rate-limits-and-usage';
import { Log } from '../../../application/ports/system';
import { identityId } from '../../../domain/access/people/identity';
import { refuseEncoded } from '../../shared/refuse-encoded';
import { SessionStore } from '../middleware/session-store';

const MAX_BYTES = 16_384;

/** Providers tell here that a person has signed out (OpenID Connect Back-Channel Logout 1.0). A program sends it: no cookie, no CSRF token. */
@injectable()
export class BackChannelLogout {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(IdentityProviders) private readonly providers: IdentityProviders,
    @inject(IdentityReader) private readonly identities: IdentityReader,
    @inject(UserReader) private readonly users: UserReader,
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(FailedAuthLimiter) private readonly failures: RateLimiter<'failed-auth'>,
    @inject(Log) private readonly log: Log,
  ) {
    const body = express.urlencoded({ extended: false, limit: MAX_BYTES, inflate: false, parameterLimit: 20 });
    this.router.post('/sign-in/with/:provider/logout', refuseEncoded, body, this.logOut.bind(this));
  }

  private async logOut(req: Request, res: Response, next: NextFunction): Promise<void> {
    const provider = this.providers.all.find(({ id }) => id === req.params['provider']);
    if (!provider) return next();
    const { logout_token: token } = (req.body ?? {}) as { readonly logout_token?: unknown };
    res.setHeader('Cache-Control', 'no-store');
    try {
      await this.endSessions(provider, typeof token === 'string' ? token : '');
      res.status(200).end();
    } catch (error) {
      if (!(error instanceof LogoutTokenInvalid)) throw error;
      await countAttempt(this.failures, req.ip ?? '');
      this.log.warn(
        { provider: provider.id, reason: error.reason },
        'a logout token of an identity provider was refused',
      );
      res.status(400).json({ error: 'invalid_request', error_description: error.message });
    }
  }

  /** Also succeeds for people who are not known here or not signed in. @throws LogoutTokenInvalid, ProviderUnavailable */
  private async endSessions(provider: IdentityProvider, token: string): Promise<void> {
    const { issuer, subject, session, id, expiresAt } = await this.providers.verifyLogout(provider, token);
    const identity = subject === undefined ? undefined : identityId({ issuer, subject });
    const isNew = await this.sessions.endOfProvider({
      provider: provider.id,
      identity,
      userIds: identity === undefined ? undefined : await this.findUsers(identity),
      sid: session,
      id: JSON.stringify([issuer, id]),
      expiresAt,
    });
    if (!isNew) throw new LogoutTokenInvalid('jti was used before');
  }

  private async findUsers(identity: string): Promise<readonly string[]> {
    const known = await this.identities.find(identity);
    const [user] = known ? await this.users.ofPerson(known.personId) : [];
    // The sessions of any user of a person are those of all.
    return user ? [user.id] : [];
  }
}
