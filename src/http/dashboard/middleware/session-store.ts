import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import { Store, type SessionData } from 'express-session';
import { inject, injectable } from '../../../application/ports/inject';
import { Clock, IdGenerator } from '../../../application/ports/system';
import { UsedTokenReader } from '../../../application/ports/access/idempotency-and-used-tokens';
import { SessionReader } from '../../../application/ports/access/users';
import { UnitOfWork } from '../../../application/ports/storage/unit-of-work';
import { IdentityUnknown, SignedOutAtProvider, WrongCredentials } from '../../../domain/access/access-errors';
import { identityId } from '../../../domain/access/people/identity';
import { isAlive, SESSION_MAX_AGE_MS } from '../../../domain/access/people/session';
import { signInMail } from '../../../application/access/sign-in/sign-in-mail';
import type { Flash } from '../flash';
import { describeUserAgent } from './describe-user-agent';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    clientAddress: string;
    userAgent: string;
    /** Shown once, on the next page. */
    flash: Flash | undefined;
    /** The id of the provider with which the user signed in. */
    provider?: string | undefined;
    /** `providerSessionOf` the session at the provider. */
    providerSession?: string | undefined;
    /** Set on sessions read from the database. */
    lastSeenAt: number;
    /** When the user last proved who they are. Of a new session: undefined for now, null if it is not known. */
    authenticatedAt?: number | null | undefined;
    /** Of a new session: password hash and account of the user. Not stored. */
    passwordHash?: string | null;
    /** Of a new session: the id of the identity with which the user signed in. Not stored. */
    identity?: string | undefined;
    /** Of a new session: `SessionStore.lastLogout` when the browser went to the provider. Not stored. */
    lastLogout?: number | undefined;
    accountId?: string;
    /** Of a new session: whether the user has used a second factor. */
    secondFactor?: boolean;
    /** Of a new session: whether the user has not signed in with this browser before. Not stored. */
    newBrowser?: boolean;
    /** When the user last used a second factor. Set on sessions read from the database. */
    secondFactorAt?: number | undefined;
  }
}

/** What `data` of a stored session has. */
type KeptData = Pick<SessionData, 'flash' | 'provider' | 'providerSession'>;

/** `lastSeenAt` is written at most this often. */
const SEEN_INTERVAL_MS = 60_000;

/** How long a sign-in with a provider takes at most, with a second factor after it. */
const SIGN_IN_MAX_AGE_MS = 900_000;

interface ProviderLogout {
  readonly provider: string;
  /** The id of the identity that was signed out, if the provider names it. */
  readonly identity: string | undefined;
  /** Of that identity. */
  readonly userIds: readonly string[] | undefined;
  readonly sid: string | undefined;
  /** Works once until it expires. */
  readonly id: string;
  readonly expiresAt: Date;
}

/** Counts the logouts of all providers. */
const LOGOUTS = sessionDigest('logouts');

type Done<T> = (error: unknown, result?: T) => void;

/** The database stores only this digest: the session id is a secret of the browser. */
export function sessionDigest(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

/** What is kept of a session at a provider (`sid`), to find ours. */
export function providerSessionKey(provider: string, sid: string): string {
  return createHash('sha256')
    .update(JSON.stringify([provider, sid]))
    .digest('hex');
}

/** Which sign-ins that are in progress a logout ends: all of the identity, or those that do not know their session at the provider. */
function signInsKey(provider: string, identity: string, which: 'any' | 'without session'): string {
  return sessionDigest(`sign-ins ${JSON.stringify([provider, identity, which])}`);
}

/** Stores express-session's sessions in the database. A request in progress never revives a session that has ended. */
@injectable()
export class SessionStore extends Store {
  constructor(
    @inject(SessionReader) private readonly sessions: SessionReader,
    @inject(UsedTokenReader) private readonly usedTokens: UsedTokenReader,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'identities' | 'mails' | 'sessions' | 'usedTokens' | 'users'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {
    super();
  }

  override get(id: string, done: Done<SessionData | null>): void {
    settle(this.read(sessionDigest(id)), done);
  }

  override set(id: string, session: SessionData, done: Done<void> = ignore): void {
    settle(this.write(sessionDigest(id), session), done);
  }

  override touch(id: string, session: SessionData, done: Done<void> = ignore): void {
    settle(this.seen(sessionDigest(id), session), done);
  }

  override destroy(id: string, done: Done<void> = ignore): void {
    settle(
      this.unitOfWork.run(({ sessions }) => sessions.end(sessionDigest(id))),
      done,
    );
  }

  /** A number that grows with each logout: the database decides the order, not the clocks of the processes. */
  async lastLogout(): Promise<number> {
    return (await this.usedTokens.usedUntil([LOGOUTS]))?.getTime() ?? 0;
  }

  /**
   * Ends the sessions that began with the provider: of the users, of one session there, or of one session of the users. Sessions that do
   * not know their session there are taken for any. False, and nothing is ended, if `id` was used before.
   *
   * A sign-in that is in progress is recorded as ended before the sessions are read, and looks for that after its session is stored:
   * so one of the two ends it, whatever the order.
   */
  async endOfProvider({ provider, identity, userIds, sid, id, expiresAt }: ProviderLogout): Promise<boolean> {
    const token = sessionDigest(`logout ${id}`);
    if (await this.usedTokens.usedUntil([token])) return false;
    const session = sid === undefined ? undefined : providerSessionKey(provider, sid);
    const signedOut = [session, identity && signInsKey(provider, identity, session ? 'without session' : 'any')];
    const forgottenAt = new Date(this.clock.now().getTime() + SIGN_IN_MAX_AGE_MS);
    await this.unitOfWork.run(async ({ usedTokens }) => {
      const at = await usedTokens.useLater(LOGOUTS, forgottenAt);
      for (const each of signedOut) if (each !== undefined) await usedTokens.useAgain(each, at);
    });
    const found = userIds
      ? (await Promise.all(userIds.map((userId) => this.sessions.ofUser(userId)))).flat()
      : session === undefined
        ? []
        : await this.sessions.containing(session);
    const ended = found.filter(({ data }) => {
      const kept = JSON.parse(data) as KeptData;
      const isSession = !session || kept.providerSession === session || (userIds && !kept.providerSession);
      return kept.provider === provider && isSession;
    });
    return this.unitOfWork.run(async ({ sessions, usedTokens }) => {
      const isNew = await usedTokens.use(token, expiresAt);
      if (isNew) for (const { digest } of ended) await sessions.end(digest);
      return isNew;
    });
  }

  private async read(digest: string): Promise<SessionData | null> {
    const found = await this.sessions.find(digest);
    if (!found || !isAlive(found, this.clock.now())) return null;
    const { flash, provider, providerSession } = JSON.parse(found.data) as KeptData;
    const cookie = {
      originalMaxAge: SESSION_MAX_AGE_MS,
      expires: new Date(found.createdAt.getTime() + SESSION_MAX_AGE_MS),
      httpOnly: true,
      sameSite: 'lax' as const,
      path: '/',
    };
    return {
      cookie,
      userId: found.userId,
      clientAddress: found.clientAddress,
      userAgent: found.userAgent,
      flash,
      provider,
      providerSession,
      lastSeenAt: found.lastSeenAt.getTime(),
      authenticatedAt: found.authenticatedAt?.getTime(),
      secondFactorAt: found.secondFactorAt?.getTime(),
    };
  }

  private async write(digest: string, session: SessionData): Promise<void> {
    const now = this.clock.now();
    const {
      userId,
      clientAddress,
      userAgent,
      flash,
      provider,
      providerSession,
      lastSeenAt,
      passwordHash,
      identity,
      accountId = '',
      secondFactor,
      newBrowser = false,
      lastLogout,
      authenticatedAt = now.getTime(),
    } = session;
    if (!userId) return;
    const data = JSON.stringify({ flash, provider, providerSession } satisfies KeptData);
    await this.unitOfWork.run(async ({ accounts, identities, mails, sessions, users }) => {
      if (lastSeenAt !== undefined) return sessions.saveData(digest, data);
      await accounts.lock(accountId);
      const user = await users.lock(userId);
      // A password change ends all sessions, also those that are being opened with the old password.
      if (!user || user.toState().passwordHash !== passwordHash) throw new WrongCredentials();
      const known = identity === undefined ? [] : await identities.ofPerson(user.toState().personId);
      if (identity !== undefined && !known.some((each) => identityId(each) === identity))
        throw new IdentityUnknown('the provider');
      const sessionId = this.ids.next('ses');
      await sessions.add({
        digest,
        id: sessionId,
        userId,
        clientAddress,
        userAgent,
        data,
        createdAt: now,
        lastSeenAt: now,
        authenticatedAt: authenticatedAt === null ? null : new Date(authenticatedAt),
        secondFactorAt: secondFactor === true ? now : null,
      });
      const browser = describeUserAgent(userAgent);
      const start = { id: this.ids.next('mail'), user, at: now, sessionId, clientAddress, browser };
      if (newBrowser) await mails.add(signInMail(start));
    });
    if (lastSeenAt === undefined && (await this.hasSignedOut(session, lastLogout))) {
      await this.unitOfWork.run(({ sessions }) => sessions.end(digest));
      throw new SignedOutAtProvider();
    }
    session.lastSeenAt = now.getTime();
  }

  /** Whether the provider has signed the person out since the browser went there. */
  private async hasSignedOut(
    { provider, providerSession, identity }: Partial<SessionData>,
    lastLogout = 0,
  ): Promise<boolean> {
    if (provider === undefined || identity === undefined) return false;
    const until = await this.usedTokens.usedUntil([
      signInsKey(provider, identity, 'any'),
      providerSession ?? signInsKey(provider, identity, 'without session'),
    ]);
    return until !== undefined && until.getTime() > lastLogout;
  }

  private async seen(digest: string, { lastSeenAt }: SessionData): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - lastSeenAt < SEEN_INTERVAL_MS) return;
    await this.unitOfWork.run(({ sessions }) => sessions.recordSeen(digest, now));
  }
}

function settle<T>(work: Promise<T>, done: Done<T>): void {
  callbackify(() => work)(done);
}

function ignore(): void {}
