import type { Log } from '../../../../application/ports/system';
import { RegistryNotContacted } from '../../../../application/ports/registry/registry-errors';
import { shareOf } from '../../share-of';
import { LoginRefused } from './epp-session';

export interface PooledSession {
  readonly usable: boolean;
  /** By `performance.now()`: the clock may be set back. */
  readonly openedAt: number;
  keepAlive(): Promise<void>;
  close(): Promise<void>;
}

export interface PoolSettings {
  /** The registry's name, for logs. */
  readonly registry: string;
  /** Of all processes together. */
  readonly maxSessions: number;
  /** Idle time after which a session sends `<hello/>`. */
  readonly keepAliveMs: number;
  /** Age at which an idle session is logged out, before the registry ends it. */
  readonly lifetimeMs: number;
  /** How long a caller waits for a session. */
  readonly acquireTimeoutMs: number;
}

interface Waiter<S> {
  readonly resolve: (session: S) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const STOPPING = 'The service is stopping';
const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** How long the pool stays at its size after 2502 (session limit exceeded). */
const SESSION_LIMIT_MS = 5 * 60_000;

/**
 * Sessions with one registry, opened one at a time on demand. A permanently refused login is not repeated in this process
 * with the same password: registries lock accounts. Other failures are retried with back-off; callers fail meanwhile if no session is open.
 */
export class EppSessionPool<S extends PooledSession> {
  private readonly idle: { readonly session: S; readonly keepAliveTimer: NodeJS.Timeout }[] = [];
  private readonly busy = new Set<S>();
  private readonly waiters: Waiter<S>[] = [];
  private opening: Promise<void> | undefined;
  private maxSessions: number;
  private limit: number;
  private limitedUntil = 0;
  private retryAt = 0;
  private failures = 0;
  private isLoginRefused = false;
  private closed = false;

  constructor(
    private readonly open: () => Promise<S>,
    private readonly settings: PoolSettings,
    private readonly log: Log,
    /** Whether a login that was refused permanently has another password now. */
    private readonly isPasswordNew: () => boolean = () => false,
  ) {
    this.limit = this.maxSessions = settings.maxSessions;
  }

  get size(): { readonly busy: number; readonly idle: number } {
    return { busy: this.busy.size, idle: this.idle.length };
  }

  /** Takes the share of one of so many processes in the sessions, and closes idle ones beyond it; busy ones are closed after use. */
  shareAmong(processes: number): void {
    this.maxSessions = shareOf(this.settings.maxSessions, processes);
    this.limit = Math.min(this.limit, this.maxSessions);
    while (this.idle.length > 0 && this.busy.size + this.idle.length > this.limit) {
      const surplus = this.idle.shift();
      clearTimeout(surplus?.keepAliveTimer);
      void surplus?.session.close();
    }
    this.dispatch();
  }

  /** Runs `work` with a session. @throws RegistryNotContacted without a session, in which case `work` was not called */
  async use<T>(work: (session: S) => Promise<T>): Promise<T> {
    const session = await this.acquire();
    try {
      return await work(session);
    } finally {
      this.release(session);
    }
  }

  /** Logs out of idle sessions. Busy ones are closed when they are released. */
  async close(): Promise<void> {
    this.closed = true;
    this.rejectWaiters(STOPPING);
    const sessions = this.idle.splice(0).map(({ session, keepAliveTimer }) => {
      clearTimeout(keepAliveTimer);
      return session.close();
    });
    await Promise.allSettled([...sessions, this.opening]);
  }

  private async acquire(): Promise<S> {
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject, timer: setTimeout(() => this.timeOut(waiter), this.settings.acquireTimeoutMs) };
      this.waiters.push(waiter);
      this.dispatch();
    });
  }

  private timeOut(waiter: Waiter<S>): void {
    const position = this.waiters.indexOf(waiter);
    if (position < 0) return;
    this.waiters.splice(position, 1);
    waiter.reject(new RegistryNotContacted('All sessions with the registry are busy'));
  }

  private release(session: S): void {
    this.busy.delete(session);
    this.addIdle(session);
    this.dispatch();
  }

  /** Closes the session instead if it is too old, or one too many. */
  private addIdle(session: S): void {
    if (!session.usable) return;
    if (this.closed || this.isOld(session) || this.busy.size + this.idle.length >= this.limit) {
      void session.close();
      return;
    }
    const keepAliveTimer = setTimeout(() => void this.keepAlive(session), this.settings.keepAliveMs);
    keepAliveTimer.unref();
    this.idle.push({ session, keepAliveTimer });
  }

  private async keepAlive(session: S): Promise<void> {
    const position = this.idle.findIndex((entry) => entry.session === session);
    if (position < 0) return;
    this.idle.splice(position, 1);
    this.busy.add(session);
    try {
      await session.keepAlive();
    } catch (error) {
      this.log.info({ registry: this.settings.registry, err: error }, 'idle EPP session closed: keep-alive failed');
    } finally {
      this.release(session);
    }
  }

  /** Gives idle sessions to waiters, opens a session if allowed, and rejects waiters if none will come. */
  private dispatch(): void {
    while (this.waiters.length > 0) {
      const session = this.takeIdle();
      if (!session) break;
      const waiter = this.waiters.shift();
      clearTimeout(waiter?.timer);
      this.busy.add(session);
      waiter?.resolve(session);
    }
    if (this.waiters.length === 0 || this.opening) return;
    if (this.canOpen()) this.opening = this.openOne();
    else if (this.closed) this.rejectWaiters(STOPPING);
    else if (this.busy.size === 0)
      this.rejectWaiters(this.isLoginRefused ? 'The registry refuses our login' : 'The registry cannot be reached');
  }

  /** The most recently used session, so that surplus sessions reach their maximum age. */
  private takeIdle(): S | undefined {
    for (;;) {
      const taken = this.idle.pop();
      if (!taken) return undefined;
      clearTimeout(taken.keepAliveTimer);
      if (!taken.session.usable) continue;
      if (!this.isOld(taken.session)) return taken.session;
      void taken.session.close();
    }
  }

  private canOpen(): boolean {
    const now = performance.now();
    if (now >= this.limitedUntil) this.limit = this.maxSessions;
    return (
      !this.closed &&
      now >= this.retryAt &&
      this.busy.size + this.idle.length < this.limit &&
      (!this.isLoginRefused || this.isPasswordNew())
    );
  }

  private async openOne(): Promise<void> {
    try {
      const session = await this.open();
      this.failures = 0;
      this.isLoginRefused = false;
      this.addIdle(session);
    } catch (error) {
      this.backOff(error);
    } finally {
      this.opening = undefined;
      this.dispatch();
    }
  }

  private backOff(error: unknown): void {
    const { registry } = this.settings;
    const refusal = error instanceof LoginRefused ? error.refusal : 'temporary';
    this.failures += 1;
    this.retryAt =
      performance.now() +
      Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (this.failures - 1)) * (0.5 + Math.random() / 2);
    if (refusal === 'permanent') {
      this.isLoginRefused = true;
      this.log.error(
        { registry, err: error },
        'registry refused the login: not retried with this password before a restart, to keep the account from being locked',
      );
    } else if (refusal === 'session_limit') {
      this.limit = Math.max(1, this.busy.size + this.idle.length);
      this.limitedUntil = performance.now() + SESSION_LIMIT_MS;
      this.log.warn({ registry, sessions: this.limit }, 'registry allows no more EPP sessions: using the open ones');
    } else {
      this.log.warn({ registry, err: error }, 'EPP session could not be opened');
    }
  }

  private rejectWaiters(details: string): void {
    const seconds = Math.max(1, Math.ceil((this.retryAt - performance.now()) / 1_000));
    for (const { reject, timer } of this.waiters.splice(0)) {
      clearTimeout(timer);
      reject(new RegistryNotContacted(details, seconds));
    }
  }

  private isOld({ openedAt }: S): boolean {
    return performance.now() - openedAt >= this.settings.lifetimeMs;
  }
}
