import type {
  EventFeed,
  EventFilter,
  EventLog,
  EventPage,
  UnknownPosition,
} from '../../../../../src/application/ports/access/audit-and-events';
import { actorText, parseActor } from '../../../../../src/domain/access/actor';
import type { AccountEvent, EventFact } from '../../../../../src/domain/access/events/account-event';
import type { EventPlace } from '../../../../../src/domain/access/events/event-id';
import { noticeOfEvent } from '../../../../../src/application/notices/notice-of-event';
import type { Tables } from '../tables';
import { InMemoryNoticeRepository } from './in-memory-notices';

const FEED = 'inmemory00';

/** Units of work run one after another, so positions are given at once. */
export class InMemoryEventLog implements EventLog {
  private serial = 0;

  constructor(private readonly tables: Tables) {}

  async append(...facts: readonly EventFact[]): Promise<void> {
    for (const fact of facts) {
      const notice = noticeOfEvent(fact, `in memory ${this.tables.notices.size} ${(this.serial += 1)}`);
      if (notice) await new InMemoryNoticeRepository(this.tables).add(notice);
      const events = this.tables.events.get(fact.accountId) ?? [];
      const actor = parseActor(actorText(fact.actor));
      this.tables.events.set(fact.accountId, [...events, { ...fact, actor, position: events.length + 1 }]);
    }
  }
}

export class InMemoryEventFeed implements EventFeed {
  constructor(private readonly committed: () => Tables) {}

  async read(
    accountId: string,
    filter: EventFilter,
    limit: number,
    after?: (Partial<EventPlace> & Pick<EventPlace, 'position'>) | 'latest',
  ): Promise<EventPage | UnknownPosition> {
    const all = this.committed().events.get(accountId) ?? [];
    if (after === 'latest') return { feed: FEED, events: [], readTo: all.length, more: false };
    const { feed = FEED, position: start } = after ?? { position: 0 };
    if (feed !== FEED || start > all.length) return { feed: FEED, removedTo: 0 };
    const events = all.filter((event) => event.position > start && this.matches(event, filter)).slice(0, limit);
    const readTo = events.length < limit ? all.length : (events.at(-1)?.position ?? all.length);
    return { feed: FEED, events, readTo, more: readTo < all.length };
  }

  onCommit(): void {
    // No test waits on it.
  }

  async haveNews(positions: ReadonlyMap<string, number>): Promise<readonly string[]> {
    const { events } = this.committed();
    return [...positions].flatMap(([id, position]) => ((events.get(id)?.length ?? 0) > position ? [id] : []));
  }

  private matches({ type, domain }: AccountEvent, filter: EventFilter): boolean {
    const { types, withoutTypes, domainId, domainNames, tags, ofDomains = false } = filter;
    const own = (domain && this.committed().domains.get(domain.id)?.tags) ?? [];
    if (type === filter.orType) return true;
    return (
      (types?.includes(type) ?? true) &&
      !(withoutTypes?.includes(type) ?? false) &&
      (domainId === undefined || domain?.id === domainId) &&
      (domainNames?.includes(domain?.name ?? '') ?? true) &&
      (tags?.some((tag) => own.includes(tag)) ?? true) &&
      (!ofDomains || domain !== null)
    );
  }
}
