import type { Log } from '../../../../application/ports/system/log';
import { RegistryNotContacted } from '../../../../application/ports/registry/registry-errors';
import { LoginRefused } from './epp-session';

/** What the pool needs of a session. */
export interface PooledSession {
  readonly usable: boolean;
  readonly openedAt: number;
  keepAlive(): Promise<void>;
  close(): Promise<void>;
}

export interface PoolSettings {
  /** The registry's name, for logs. */
  readonly registry: string;
  readonly maxSessions: number;
  /** A session that has been idle for so long says hello. */
  readonly keepAliveMs: number;
  /** A session older than this is logged out once idle, before the registry does it at a moment of its choosing. */
  readonly lifetimeMs: number;
  /** How long whoever needs a session waits for one. */
  readonly acquireTimeoutMs: number;
}

interface Waiter<S> {
  readonly resolve: (session: S) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const STOPPING = 'The service is stopping';
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;
/** After the registry said that it has enough sessions of ours. */
const CROWDED_MS = 5 * 60_000;

/**
 * Sessions with one registry, opened one after another as they are needed. A login that the registry refuses is never
 * repeated while this process runs: registries lock out whoever keeps trying. One that fails otherwise is tried again
 * after a growing pause, and meanwhile whoever asks is told so at once.
 */
export class EppSessionPool<S extends PooledSession> {
  private readonly idle: { readonly session: S; readonly alarm: NodeJS.Timeout }[] = [];
  private readonly busy = new Set<S>();
  private readonly waiters: Waiter<S>[] = [];
  private opening: Promise<void> | undefined;
  private limit: number;
  private limitedUntil = 0;
  private pausedUntil = 0;
  private failures = 0;
  private refused = false;
  private closed = false;

  constructor(
    private readonly open: () => Promise<S>,
    private readonly settings: PoolSettings,
    private readonly log: Log,
  ) {
    this.limit = settings.maxSessions;
  }

  /** Lends a session for the time of `work`. @throws RegistryNotContacted where there is none to lend, and then `work` was not begun */
  async use<T>(work: (session: S) => Promise<T>): Promise<T> {
    const session = await this.borrow();
    try {
      return await work(session);
    } finally {
      this.giveBack(session);
    }
  }

  /** Logs out of what is idle; what is lent is closed when it comes back. */
  async close(): Promise<void> {
    this.closed = true;
    this.turnAway(STOPPING);
    const sessions = this.idle.splice(0).map(({ session, alarm }) => {
      clearTimeout(alarm);
      return session.close();
    });
    await Promise.allSettled([...sessions, this.opening]);
  }

  private async borrow(): Promise<S> {
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject, timer: setTimeout(() => this.giveUp(waiter), this.settings.acquireTimeoutMs) };
      this.waiters.push(waiter);
      this.serve();
    });
  }

  private giveUp(waiter: Waiter<S>): void {
    const position = this.waiters.indexOf(waiter);
    if (position < 0) return;
    this.waiters.splice(position, 1);
    waiter.reject(new RegistryNotContacted('All sessions with the registry are busy'));
  }

  private giveBack(session: S): void {
    this.busy.delete(session);
    this.keep(session);
    this.serve();
  }

  /** Puts a session among the idle ones, unless its time is over. */
  private keep(session: S): void {
    if (!session.usable) return;
    if (this.closed || this.isOld(session)) {
      void session.close();
      return;
    }
    const alarm = setTimeout(() => void this.sayHello(session), this.settings.keepAliveMs);
    alarm.unref();
    this.idle.push({ session, alarm });
  }

  private async sayHello(session: S): Promise<void> {
    const position = this.idle.findIndex((each) => each.session === session);
    if (position < 0) return;
    this.idle.splice(position, 1);
    this.busy.add(session);
    try {
      await session.keepAlive();
    } catch (error) {
      this.log.info({ registry: this.settings.registry, err: error }, 'an idle EPP session has ended');
    } finally {
      this.giveBack(session);
    }
  }

  /** Gives those who wait what there is, opens what may be opened, and turns them away where nothing is to come. */
  private serve(): void {
    while (this.waiters.length > 0) {
      const session = this.takeIdle();
      if (!session) break;
      const waiter = this.waiters.shift();
      clearTimeout(waiter?.timer);
      this.busy.add(session);
      waiter?.resolve(session);
    }
    if (this.waiters.length === 0 || this.opening) return;
    if (this.mayOpen()) this.opening = this.openOne();
    else if (this.closed) this.turnAway(STOPPING);
    else if (this.busy.size === 0)
      this.turnAway(this.refused ? 'The registry refuses our login' : 'The registry cannot be reached');
  }

  /** The one used last, so that those too many grow old. */
  private takeIdle(): S | undefined {
    for (;;) {
      const taken = this.idle.pop();
      if (!taken) return undefined;
      clearTimeout(taken.alarm);
      if (!taken.session.usable) continue;
      if (!this.isOld(taken.session)) return taken.session;
      void taken.session.close();
    }
  }

  private mayOpen(): boolean {
    const now = Date.now();
    if (now >= this.limitedUntil) this.limit = this.settings.maxSessions;
    return !this.closed && !this.refused && now >= this.pausedUntil && this.busy.size + this.idle.length < this.limit;
  }

  private async openOne(): Promise<void> {
    try {
      const session = await this.open();
      this.failures = 0;
      this.keep(session);
    } catch (error) {
      this.pause(error);
    } finally {
      this.opening = undefined;
      this.serve();
    }
  }

  private pause(error: unknown): void {
    const { registry } = this.settings;
    const refusal = error instanceof LoginRefused ? error.refusal : 'passing';
    this.failures += 1;
    this.pausedUntil =
      Date.now() + Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1)) * (0.5 + Math.random() / 2);
    if (refusal === 'refused') {
      this.refused = true;
      this.log.error(
        { registry, err: error },
        'the registry refuses our login; it is not tried again before a restart, lest we are locked out',
      );
    } else if (refusal === 'crowded') {
      this.limit = Math.max(1, this.busy.size + this.idle.length);
      this.limitedUntil = Date.now() + CROWDED_MS;
      this.log.warn(
        { registry, sessions: this.limit },
        'the registry allows no more sessions; we make do with those that we have',
      );
    } else {
      this.log.warn({ registry, err: error }, 'no EPP session could be opened');
    }
  }

  private turnAway(details: string): void {
    const seconds = Math.max(1, Math.ceil((this.pausedUntil - Date.now()) / 1_000));
    for (const { reject, timer } of this.waiters.splice(0)) {
      clearTimeout(timer);
      reject(new RegistryNotContacted(details, seconds));
    }
  }

  private isOld({ openedAt }: S): boolean {
    return Date.now() - openedAt >= this.settings.lifetimeMs;
  }
}
