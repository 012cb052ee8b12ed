import type { ReadEvents } from '../../application/events/read-events';
import { OPERATOR } from '../../domain/access/actor';
import { OPERATOR_FEED } from '../../domain/access/events/account-event';
import { parseEventId } from '../../domain/access/events/event-id';
import { ValidationError } from '../../domain/shared/validation-error';
import { eventDocument } from '../../application/events/event-document';
import { table, type CommandSpec } from '../command-spec';
import { printableJson } from '../printable';

export const EVENT_USAGE = `  event list [--after ID] [--limit N] [--account ID]
                                        lists the operator's events (low balances, differences to registries), or those
                                        of an account, oldest first: time, id, type and data; --after: only those after
                                        that event; --limit: 1 to 1000 (default: 100)`;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export interface EventServices {
  readonly readEvents: Pick<ReadEvents, 'execute'>;
}

export const EVENT_COMMANDS: Readonly<Record<string, CommandSpec<EventServices>>> = {
  'event list': {
    required: [],
    optional: ['after', 'limit', 'account'],
    prepare: ({ after: text, limit: limitText, account: accountId = OPERATOR_FEED }) => {
      const limit = limitOf(limitText);
      const after = text === undefined ? undefined : parseEventId(text);
      if (text !== undefined && !after) throw ValidationError.of('after', 'must be the id of an event');
      return async ({ readEvents }) => {
        const query = { accountId, actor: OPERATOR, seesAccess: true, after, limit, waitMs: 0 };
        const { feed, events } = await readEvents.execute(query);
        const shown = events.map((event) => eventDocument(event, feed));
        const rows = shown.map(({ timestamp, id, type, data }) => [
          timestamp,
          id,
          type,
          printableJson(JSON.stringify(data)),
        ]);
        return { json: shown, text: table(rows) };
      };
    },
  },
};

/** @throws ValidationError */
function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw ValidationError.of('limit', `must be an integer from 1 to ${MAX_LIMIT}`);
  return limit;
}
