import { actorText } from '../../domain/access/actor';
import type { AccountEvent } from '../../domain/access/events/account-event';
import { eventIdOf } from '../../domain/access/events/event-id';
import { zoneIdOf } from '../../domain/dns/zone-id';

/** Of `data`: raised by a change that is more than an addition. */
const EVENT_VERSION = 1;

/** An event as programs get it: the same in every feed and in a webhook. */
export function eventDocument(event: AccountEvent, feed: string) {
  const { position, type, at, accountId, actor, domain, data } = event;
  return {
    id: eventIdOf({ feed, position }),
    position,
    type,
    version: EVENT_VERSION,
    timestamp: at.toISOString(),
    account: accountId,
    actor: actorText(actor),
    data: { ...(domain && { domain: { id: domain.id, name: domain.name, zone_id: zoneIdOf(domain.id) } }), ...data },
  };
}
