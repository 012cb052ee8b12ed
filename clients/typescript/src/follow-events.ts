import type { Event } from './api.ts';
import type { Namewright } from './client.ts';

export interface FollowOptions {
  /** The id of the last event that was processed; without it, the feed begins with the oldest event that is kept. */
  readonly after?: string;
  /** Such as `['domain.*', 'records.changed']`; all without it. */
  readonly types?: readonly string[];
  /** Only events of this domain, by its id or name. */
  readonly domain?: string;
  /** Ends the wait; the loop then throws its reason. */
  readonly signal?: AbortSignal;
}

const WAIT_SECONDS = 30;

/**
 * The events of the account, oldest first and without a gap; waits for the next one when all are read. Store the `id` of an event
 * after you have processed it. It fails with EVENTS_REMOVED if events after `after` are no longer kept.
 */
export async function* followEvents(client: Namewright, options: FollowOptions = {}): AsyncGenerator<Event, never> {
  const { types, domain, signal } = options;
  let { after } = options;
  for (;;) {
    const query = {
      wait: WAIT_SECONDS,
      ...(after !== undefined && { after }),
      ...(types && { types: types.join(',') }),
      ...(domain !== undefined && { domain }),
    };
    const { data, headers } = await client.listEvents({ query }, { envelope: true, ...(signal && { signal }) });
    yield* data;
    // Past events that the filters leave out.
    after = headers.eventsPosition;
  }
}
