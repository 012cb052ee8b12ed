import type {
  EventFeed,
  EventFilter,
  EventPage,
  UnknownPosition,
} from '../../../application/ports/access/audit-and-events';
import type { AccountEvent } from '../../../domain/access/events/account-event';
import type { EventPlace } from '../../../domain/access/events/event-id';
import type { Clock } from '../../../application/ports/system';
import { SystemClock } from '../../system/system-clock';
import type { Database } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { columnsOf, placeholders, stateOf } from '../database/table';
import { withTags } from '../registration/domains/pages/domain-conditions';
import { EventTable, type EventFeedRow, type EventRow } from './event-tables';
import { EventSignal } from './event-signal';
import { numberEvents } from './number-events';

/** Events of which one call finds those that a filter wants, or the last. */
const SEARCHED = 10_000;
const MAX_CLOCK_SKEW_MS = 120_000;
/** Readings within it are stored once. */
const ASKED_WITHIN_MS = 24 * 60 * 60_000;
const COLUMNS = columnsOf(EventTable, { except: ['sequence', 'retained_from'] });
/** Whether an account has committed events without a position. */
export function pendingOf(account: string): string {
  return `EXISTS (SELECT 1 FROM events${forceIndex('events_in_order')} WHERE events.account_id = ${account} AND events.position IS NULL)`;
}

type FeedState = Omit<EventFeedRow, 'account_id'> & { readonly pending: number };

export class SqlEventFeed implements EventFeed {
  /** By account: many webhooks read its feed at once, and each numbering locks it. */
  private readonly numbering = new Map<string, Promise<unknown>>();

  constructor(
    private readonly database: Database,
    private readonly signal = new EventSignal(),
    private readonly clock: Clock = new SystemClock(),
  ) {}

  onCommit(listener: (accountId: string) => void): void {
    this.signal.onCommit(listener);
  }

  async read(
    accountId: string,
    filter: EventFilter,
    limit: number,
    after?: (Partial<EventPlace> & Pick<EventPlace, 'position'>) | 'latest',
  ): Promise<EventPage | UnknownPosition> {
    const known = await this.known(accountId);
    if (wantsPublications(filter)) await this.askForPublications(accountId, known);
    if (after === 'latest') return this.latest(accountId, known);
    const { feed, removed_to: removedTo } = known;
    const start = after?.position ?? removedTo;
    if (after && ((after.feed ?? feed) !== feed || start < removedTo || start > known.position))
      return { feed, removedTo };
    const state = await this.numberedTo(accountId, known, start + limit);
    const end = Math.min(start + SEARCHED, state.position);
    const events = start < end ? await this.between(accountId, filter, limit, start, end) : [];
    // Clean-up may have removed some of them meanwhile.
    const { removed_to: removedNow } = await this.known(accountId);
    if (removedNow > start) return { feed, removedTo: removedNow };
    const readTo = events.length < limit ? end : (events.at(-1)?.position ?? end);
    return { feed, events, readTo, more: readTo < state.position || state.pending !== 0 };
  }

  async haveNews(positions: ReadonlyMap<string, number>): Promise<readonly string[]> {
    const accounts = [...positions.keys()];
    if (accounts.length === 0) return [];
    const rows = await this.database.query<FeedState & { readonly account_id: string }>(
      `SELECT account_id, position, ${pendingOf('event_feeds.account_id')} AS pending FROM event_feeds WHERE account_id IN (${placeholders(accounts)})`,
      accounts,
    );
    return rows
      .filter((row) => row.pending !== 0 || row.position > (positions.get(row.account_id) ?? 0))
      .map((row) => row.account_id);
  }

  /** From then on, `zone.published` is written for the account, until clean-up ends what is no longer asked for. */
  private async askForPublications(accountId: string, known: FeedState): Promise<void> {
    const now = this.clock.now().getTime();
    const { publications_from: from, publications_asked_at: askedAt } = known;
    if (from !== null && askedAt !== null && now - askedAt < ASKED_WITHIN_MS) return;
    // Other processes' clocks may be behind.
    const sql =
      'UPDATE event_feeds SET publications_from = COALESCE(publications_from, ?), publications_asked_at = ? WHERE account_id = ?';
    await this.database.transaction(
      (manager) => manager.query(sql, [now - MAX_CLOCK_SKEW_MS, now, accountId]),
      accountId,
    );
  }

  private async latest(accountId: string, known: FeedState): Promise<EventPage> {
    const { feed, position, pending } = await this.numberedTo(accountId, known, known.position + SEARCHED);
    return { feed, events: [], readTo: position, more: pending !== 0 };
  }

  /** Numbers events until the feed reaches the position, or all are numbered. */
  private async numberedTo(accountId: string, known: FeedState, position: number): Promise<FeedState> {
    let state = known;
    while (state.pending !== 0 && state.position < position) {
      await this.number(accountId);
      state = await this.known(accountId);
    }
    return state;
  }

  private async known(accountId: string): Promise<FeedState> {
    const state = await this.find(accountId);
    if (state) return state;
    await this.number(accountId);
    return this.known(accountId);
  }

  /** Readers that come meanwhile wait for the same pass, then read the state again. */
  private async number(accountId: string): Promise<void> {
    const running = this.numbering.get(accountId);
    if (running) {
      await running;
      return;
    }
    const pass = numberEvents(this.database, accountId).finally(() => this.numbering.delete(accountId));
    this.numbering.set(accountId, pass);
    await pass;
  }

  private async find(accountId: string): Promise<FeedState | undefined> {
    const [row] = await this.database.query<FeedState>(
      `SELECT feed, position, removed_to, publications_from, publications_asked_at, ${pendingOf('?')} AS pending FROM event_feeds WHERE account_id = ?`,
      [accountId, accountId],
    );
    return row;
  }

  private async between(
    accountId: string,
    filter: EventFilter,
    limit: number,
    start: number,
    end: number,
  ): Promise<readonly AccountEvent[]> {
    const { sql, parameters } = filterSql(accountId, filter);
    const rows = await this.database.query<EventRow>(
      `SELECT ${COLUMNS} FROM events${forceIndex('events_in_order')} WHERE account_id = ? AND position > ? AND position <= ?${sql} ORDER BY position LIMIT ?`,
      [accountId, start, end, ...parameters, limit],
    );
    return rows.map((row) => ({ ...stateOf(EventTable, row), position: row.position ?? 0 }));
  }
}

function wantsPublications({ types, withoutTypes }: EventFilter): boolean {
  return (types?.includes('zone.published') ?? true) && !(withoutTypes?.includes('zone.published') ?? false);
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function filterSql(accountId: string, filter: EventFilter): Condition {
  const conditions = conditionsOf(filter);
  const tagged = withTags(accountId, filter.tags, 'domain_id');
  const sql = `${conditions.map((each) => ` AND ${each.sql}`).join('')}${tagged.sql}`;
  const parameters = [...conditions.flatMap((each) => each.parameters), ...tagged.parameters];
  if (filter.orType === undefined) return { sql, parameters };
  return { sql: ` AND (type = ? OR (1 = 1${sql}))`, parameters: [filter.orType, ...parameters] };
}

function conditionsOf({ types, withoutTypes, domainId, domainNames, ofDomains }: EventFilter): readonly Condition[] {
  return [
    ...(types ? [among('type', types)] : []),
    ...(withoutTypes?.length ? [{ sql: `type NOT IN (${placeholders(withoutTypes)})`, parameters: withoutTypes }] : []),
    ...(domainId === undefined ? [] : [among('domain_id', [domainId])]),
    ...(domainNames ? [among('domain_name', domainNames)] : []),
    ...(ofDomains === true ? [{ sql: 'domain_id IS NOT NULL', parameters: [] }] : []),
  ];
}

/** MySQL has no empty list. */
function among(column: string, values: readonly string[]): Condition {
  return values.length === 0
    ? { sql: '1 = 0', parameters: [] }
    : { sql: `${column} IN (${placeholders(values)})`, parameters: values };
}
