import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import { Store, type SessionData } from 'express-session';
import { inject, injectable } from 'inversify';
import { Clock } from '../../../application/ports/system/clock';
import { IdGenerator } from '../../../application/ports/system/id-generator';
import { SessionReader } from '../../../application/ports/access/session-repository';
import { UnitOfWork } from '../../../application/ports/storage/unit-of-work';
import { WrongCredentials } from '../../../domain/access/errors';
import { isAlive, SESSION_MAX_AGE_MS } from '../../../domain/access/session';
import type { Notice } from '../notice';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    clientAddress: string;
    userAgent: string;
    /** What the next page tells the person, once. */
    notice: Notice | undefined;
    /** Set on what came out of the database. */
    lastSeenAt: number;
    /** When the person last entered the password; set on what came out of the database. */
    authenticatedAt?: number | undefined;
    /** Of a session that is being opened: what the person's password was known by, and their account. Neither is kept. */
    passwordHash?: string | null;
    accountId?: string;
  }
}

/** Seconds are of no interest: it is written down at most this often. */
const SEEN_EVERY_MS = 60_000;

type Done<T> = (error: unknown, result?: T) => void;

/** What the database knows a session by; the id itself is the browser's secret. */
export function sessionDigest(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

/** Keeps express-session's sessions in our tables. A session that has ended is never brought back by a request that was under way. */
@injectable()
export class SessionStore extends Store {
  constructor(
    @inject(SessionReader) private readonly sessions: SessionReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
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

  private async read(digest: string): Promise<SessionData | null> {
    const found = await this.sessions.find(digest);
    if (!found || !isAlive(found, this.clock.now())) return null;
    const { notice } = JSON.parse(found.data) as Pick<SessionData, 'notice'>;
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
      notice,
      lastSeenAt: found.lastSeenAt.getTime(),
      authenticatedAt: found.authenticatedAt?.getTime(),
    };
  }

  private async write(digest: string, session: SessionData): Promise<void> {
    const { userId, clientAddress, userAgent, notice, lastSeenAt, passwordHash, accountId = '' } = session;
    if (!userId) return;
    const now = this.clock.now();
    const data = JSON.stringify({ notice });
    await this.unitOfWork.run(async ({ accounts, sessions, users }) => {
      if (lastSeenAt !== undefined) return sessions.saveData(digest, data);
      await accounts.lock(accountId);
      const user = await users.lock(userId);
      // A password that is set anew ends all sessions, also those that somebody with the former one is about to open.
      if (!user || user.toState().passwordHash !== passwordHash) throw new WrongCredentials();
      await sessions.add({
        digest,
        id: this.ids.next('ses'),
        userId,
        clientAddress,
        userAgent,
        data,
        createdAt: now,
        lastSeenAt: now,
        authenticatedAt: now,
      });
    });
    session.lastSeenAt = now.getTime();
  }

  private async seen(digest: string, { lastSeenAt }: SessionData): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - lastSeenAt < SEEN_EVERY_MS) return;
    await this.unitOfWork.run(({ sessions }) => sessions.seen(digest, now));
  }
}

function settle<T>(work: Promise<T>, done: Done<T>): void {
  callbackify(() => work)(done);
}

function ignore(): void {}
