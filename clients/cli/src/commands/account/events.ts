import { followEvents, type Event, type EventType } from '../../../../typescript/src/namewright.ts';
import { command } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { UsageError } from '../../program/usage-error.ts';
import { printable, printableJson } from '../../terminal/printable.ts';

const DEFAULT_LIMIT = 100;
const WIDEST_TYPE = 'domain.transfer_out_completed' satisfies EventType;

export const events = command({
  name: 'events',
  summary: 'print what happened in the account, oldest first',
  details: [
    'Each event is a line, and with --json an object on a line. To continue after a break, store the id of the last one.',
  ],
  options: {
    follow: {
      type: 'boolean',
      description: 'wait for further events; begins with the next one unless --after is given',
    },
    after: { type: 'string', value: 'ID', description: 'only events after this one' },
    types: { type: 'string', value: 'TYPES', description: 'such as domain.*,records.changed' },
    domain: { type: 'string', value: 'NAME', description: 'only events of this domain' },
    limit: { type: 'string', value: 'N', description: 'end after so many (100; none with --follow)' },
  },
  examples: [
    'namewright events --types "domain.*" --limit 2',
    'namewright events --follow --after "$EVENT_ID" --limit 1',
  ],
  run: async (session, _args, { follow, limit: text, ...values }) => {
    if (text !== undefined && !/^[1-9]\d*$/.test(text)) throw new UsageError(`--limit is a number, not ${text}`);
    const limit = text === undefined ? undefined : Number(text);
    let count = 0;
    for await (const event of follow ? following(session, values) : past(session, values)) {
      session.terminal.print(session.json ? printableJson(event) : lineOf(event));
      count += 1;
      if (count === (limit ?? (follow ? undefined : DEFAULT_LIMIT))) return;
    }
  },
});

interface Filters {
  readonly after?: string;
  readonly types?: string;
  readonly domain?: string;
}

function following(
  { patientClient: client }: Session,
  { types, domain, after = 'latest' }: Filters,
): AsyncIterable<Event> {
  const filters = { ...(domain !== undefined && { domain }), ...(types !== undefined && { types: types.split(',') }) };
  return followEvents(client, { after, ...filters });
}

/** A page can be empty although there are more: its events are filtered. */
function past({ client }: Session, { types, domain, after }: Filters): AsyncIterable<Event> {
  const query = {
    ...(domain !== undefined && { domain }),
    ...(types !== undefined && { types }),
    ...(after !== undefined && { after }),
  };
  return client.listEvents.items({ query });
}

function lineOf({ id, timestamp, type, actor, data }: Event): string {
  const { domain, zone, name } = data as { domain?: { name?: string }; zone?: { name?: string }; name?: string };
  const about = domain?.name ?? zone?.name ?? name ?? '';
  return [timestamp, id, type.padEnd(WIDEST_TYPE.length), printable(about), `(${printable(actor)})`]
    .filter(Boolean)
    .join('  ');
}
