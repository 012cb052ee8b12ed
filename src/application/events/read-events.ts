import { inject, injectable } from '../ports/inject';
import type { Actor, Reader } from '../../domain/access/actor';
import type { EventType } from '../../domain/access/events/account-event';
import { eventIdOf, type EventPlace } from '../../domain/access/events/event-id';
import {
  assertActionAllowed,
  assertNotForRecordsOnly,
  limitsOf,
  seesSomeDomains,
  seesSomeRecords,
} from '../../domain/access/key-permissions';
import { ServiceError } from '../../domain/shared/service-error';
import { EventFeed, type EventFilter, type EventPage } from '../ports/access/audit-and-events';
import { readInTurn } from '../shared/pages-of';
import { EventWaits } from './event-waits';

/** The reader comes too late, or its position is from before the database was restored from a backup. */
export class EventsRemoved extends ServiceError {
  readonly code = 'EVENTS_REMOVED';

  constructor(oldest: string) {
    super(
      'The feed cannot be continued from this event',
      `Events after it were removed, or the database was restored from a backup. Read on with after=${oldest}`,
    );
  }
}

/** Each finds what a filter wants among 10,000 events. */
const MAX_READS = 100;
/** About the account's people, keys, trust rules and webhooks, which only ADMIN keys may list. */
const ACCESS_EVENTS: readonly EventType[] = [
  'account.changed',
  'account.created',
  'key.created',
  'key.revoked',
  'person.changed',
  'person.invited',
  'person.joined',
  'person.removed',
  'trust_rule.changed',
  'trust_rule.created',
  'trust_rule.removed',
  'webhook.changed',
  'webhook.created',
  'webhook.removed',
  'webhook.switched_off',
  'webhook.test',
];
/** About the zone as a whole. */
const ZONE_EVENTS: readonly EventType[] = ['health.changed', 'records.changed', 'zone.drifted', 'zone.update_refused'];

/** A position that is stored in this database needs no feed. */
type StoredPlace = Partial<EventPlace> & Pick<EventPlace, 'position'>;

interface EventQuery extends Reader {
  /** Whether the requester may see keys and people. */
  readonly seesAccess: boolean;
  /** `latest`: after all events that are committed by now. */
  readonly after?: StoredPlace | 'latest' | undefined;
  readonly types?: readonly EventType[] | undefined;
  /** Its id or its name. */
  readonly domain?: { readonly id: string } | { readonly name: string } | undefined;
  readonly limit: number;
  /** How long to wait for an event. */
  readonly waitMs: number;
}

/** Reads an account's feed, as far as the requester may see it; waits for the next event if there is none yet. @throws EventsRemoved, LimitedKey */
@injectable()
export class ReadEvents {
  constructor(
    @inject(EventFeed) private readonly feed: EventFeed,
    @inject(EventWaits) private readonly waits: EventWaits,
  ) {}

  async execute(query: EventQuery): Promise<EventPage> {
    const { accountId, actor, limit, waitMs } = query;
    assertActionAllowed(actor, 'read');
    assertNotForRecordsOnly(actor);
    const filter = filterOf(query);
    const deadline = performance.now() + waitMs;
    let page = await this.filledPage(accountId, filter, limit, query.after);
    while (page.events.length === 0 && !page.more) {
      const left = deadline - performance.now();
      if (left <= 0 || !(await this.waits.wait(accountId, page.readTo, left))) break;
      page = await this.filledPage(accountId, filter, limit, { feed: page.feed, position: page.readTo });
    }
    return page;
  }

  /** Reads on until the page is full, the feed ends, or very many events were read. Each read on waits for its turn by itself. */
  private async filledPage(
    accountId: string,
    filter: EventFilter,
    limit: number,
    after: StoredPlace | 'latest' | undefined,
  ): Promise<EventPage> {
    let page = await this.read(accountId, filter, limit, after);
    if (after === 'latest') return page;
    for (let reads = 1; page.more && page.events.length < limit && reads < MAX_READS; reads += 1) {
      const { feed, events, readTo } = page;
      const more = await readInTurn(accountId, () =>
        this.read(accountId, filter, limit - events.length, { feed, position: readTo }),
      );
      // A writer is never waited for: what it has not committed is for the next page.
      if (more.readTo === readTo) return { ...more, events };
      page = { ...more, events: [...events, ...more.events] };
    }
    return page;
  }

  private async read(
    accountId: string,
    filter: EventFilter,
    limit: number,
    after: StoredPlace | 'latest' | undefined,
  ): Promise<EventPage> {
    const page = await this.feed.read(accountId, filter, limit, after);
    if ('events' in page) return page;
    throw new EventsRemoved(eventIdOf({ feed: page.feed, position: page.removedTo }));
  }
}

function filterOf({ actor, seesAccess, types, domain }: EventQuery): EventFilter {
  const { domains, tags } = limitsOf(actor) ?? {};
  const names = domain && 'name' in domain ? [domain.name] : undefined;
  return {
    types,
    withoutTypes: hiddenTypes(actor, seesAccess),
    domainId: domain && 'id' in domain ? domain.id : undefined,
    domainNames: names && domains ? names.filter((name) => domains.includes(name)) : (names ?? domains),
    tags,
    ofDomains: seesSomeDomains(actor),
  };
}

function hiddenTypes(actor: Actor, seesAccess: boolean): readonly EventType[] {
  const isLimited = seesSomeDomains(actor) || limitsOf(actor)?.actions !== undefined;
  return [...(seesAccess && !isLimited ? [] : ACCESS_EVENTS), ...(seesSomeRecords(actor) ? ZONE_EVENTS : [])];
}
