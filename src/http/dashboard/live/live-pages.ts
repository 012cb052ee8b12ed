import { inject, injectable } from '../../../application/ports/inject';
import { EventWaits } from '../../../application/events/event-waits';
import { EventFeed } from '../../../application/ports/access/audit-and-events';
import { SessionReader, UserReader } from '../../../application/ports/access/users';
import { StorageUnavailable } from '../../../application/ports/storage/storage-unavailable';
import { Clock, Log } from '../../../application/ports/system';
import { sleepUnless } from '../../../application/shared/sleep-unless';
import { RoleForbids } from '../../../domain/access/access-errors';
import { isAlive } from '../../../domain/access/people/session';
import { actorOfUser } from '../../../domain/access/people/user';
import { ServiceError } from '../../../domain/shared/service-error';
import { markStreaming } from '../../server/request-log';
import { RouteNotFound } from '../../shared/errors';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { readParameter } from '../form-fields';
import { LIVE_KINDS, type LiveKind } from '../layout/live-progress';
import type { UserSession } from '../user-session';
import { LiveStreams, type StreamEnd } from './live-streams';
import { ProgressStates } from './progress-states';

const WATCHED = /^([a-z]+):([a-z]+_[0-9a-z]{1,40})$/;
/** After which the browser connects again. */
const RETRY_MS = 3_000;
/** Proxies close connections without traffic, usually after a minute. What has no event is also read so often. */
const HEARTBEAT_MS = 15_000;
/** Between two messages: a busy account has many events a second. */
const LEAST_GAP_MS = 500;

interface Watched {
  readonly kind: LiveKind;
  readonly id: string;
}

/** The event stream of a page: tells that what the page follows has changed, and nothing else. The page is then loaded as any other. */
@injectable()
export class LivePages implements DashboardPages {
  constructor(
    @inject(LiveStreams) private readonly streams: LiveStreams,
    @inject(ProgressStates) private readonly states: ProgressStates,
    @inject(EventWaits) private readonly waits: EventWaits,
    @inject(EventFeed) private readonly feed: EventFeed,
    @inject(SessionReader) private readonly sessions: SessionReader,
    @inject(UserReader) private readonly users: UserReader,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/live', 'read', this.open.bind(this)]];
  }

  /** Returns when the stream is open. @throws ServiceError before that */
  private async open(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const watched = parseWatched(readParameter(req, 'of'));
    const { userSession } = res.locals;
    const state = await this.read(watched, userSession);
    if (req.method === 'HEAD') return void res.end();
    // The browser may have left meanwhile: `close` does not come again, and the stream would live as long as the session.
    if (res.destroyed) return;
    const stream = this.streams.open(userSession.user.personId);
    if (!stream) throw new StorageUnavailable();
    res.on('close', () => stream.close('closed'));
    res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    // `no-transform` keeps compression from holding messages back, the other field keeps nginx from it.
    res.setHeader('Cache-Control', 'no-store, no-transform');
    res.setHeader('X-Accel-Buffering', 'no');
    res.write(`retry: ${RETRY_MS}\nevent: ready\ndata:\n\n`);
    markStreaming(res);
    void this.follow(res, watched, state, stream.signal).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) this.log.error({ err: error }, 'an event stream failed');
      res.end();
    });
  }

  /** Until the stream or the session ends, or the person may no longer see what is watched. */
  private async follow(res: DashboardResponse, watched: Watched, state: string, signal: AbortSignal): Promise<void> {
    const { userSession } = res.locals;
    const { accountId } = userSession;
    let [shown, writtenAt] = [state, this.clock.now().getTime()];
    const write = (text: string): void => {
      res.write(text);
      writtenAt = this.clock.now().getTime();
    };
    while (!signal.aborted) {
      const position = await this.lastPosition(accountId, watched);
      const current = await this.currentSession(userSession);
      if (!current) return endStream(res);
      const next = await this.read(watched, current);
      if (next !== shown) write('event: news\ndata:\n\n');
      else if (this.clock.now().getTime() - writtenAt >= HEARTBEAT_MS) write(':\n\n');
      shown = next;
      await sleepUnless(signal, LEAST_GAP_MS);
      await this.waits.wait(accountId, position, HEARTBEAT_MS, { signal, isCounted: false });
    }
    if ((signal.reason as StreamEnd) === 'replaced') endStream(res);
    else res.end();
  }

  /** @throws ServiceError if the person may not see it */
  private read({ kind, id }: Watched, { accountId, account, user }: UserSession): Promise<string> {
    // As on the page of the import.
    if (kind === 'import' && user.role !== 'owner') throw new RoleForbids();
    return this.states.read(kind, { accountId, actor: actorOfUser(user, account) }, id);
  }

  /** Of the account's feed, so that the next wait ends with the next event. `zone.published` is written for those who read it. */
  private async lastPosition(accountId: string, { kind }: Watched): Promise<number> {
    const types = kind === 'publication' ? (['zone.published'] as const) : [];
    const page = await this.feed.read(accountId, { types }, 1, 'latest');
    return 'events' in page ? page.readTo : page.removedTo;
  }

  /** With the present rights of the person; undefined if the session has ended or is in another account. */
  private async currentSession(userSession: UserSession): Promise<UserSession | undefined> {
    const session = await this.sessions.find(userSession.sessionDigest);
    if (!session || !isAlive(session, this.clock.now())) return undefined;
    const user = (await this.users.find(session.userId))?.toState();
    return user?.accountId === userSession.accountId ? { ...userSession, user } : undefined;
  }
}

/** The browser does not connect again. */
function endStream(res: DashboardResponse): void {
  res.end('event: end\ndata:\n\n');
}

/** @throws RouteNotFound */
function parseWatched(text: string): Watched {
  const [, name, id] = WATCHED.exec(text) ?? [];
  const kind = LIVE_KINDS.find((each) => each === name);
  if (!kind || id === undefined) throw new RouteNotFound();
  return { kind, id };
}
