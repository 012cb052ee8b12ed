import { setTimeout as sleep } from 'node:timers/promises';
import { shownLimits } from '../../api/resources/access/keys';
import { integer, list, optional, text } from '../../api/shape';
import { ANY_OBJECT, args, BOOLEAN, result, TEXT } from '../schema';
import { READS, tool } from '../tool';
import type { Json, ToolCall } from '../tool-call';
import { CURSOR, NAME } from './names';

const POLL_MS = 1_000;
const UNFINISHED = /^(queued|running|uncertain|pending|approved|open|accepting)$/;
/** Where a thing is, by the prefix of its id. */
const PATHS: Readonly<Record<string, string>> = { op: 'operations', tr: 'transfers', prop: 'proposals' };
const WAIT = { minimum: 0, maximum: 30 };

const ENTRY = result({
  id: TEXT,
  kind: TEXT,
  name: TEXT,
  state: TEXT,
  method: TEXT,
  path: TEXT,
  reason: TEXT,
  request: ANY_OBJECT,
  plan: ANY_OBJECT,
  charged: ANY_OBJECT,
  decision: ANY_OBJECT,
  error: ANY_OBJECT,
  created_at: TEXT,
  expires_at: TEXT,
  finished_at: TEXT,
});

export const LIST_OPERATIONS = tool({
  name: 'list_operations',
  title: 'Operations and proposals',
  description:
    'What registries were asked to do and what came of it, and proposals that wait for a person; or one operation, transfer or proposal by its id, waiting for its end.',
  hints: READS,
  input: args({
    id: optional(TEXT),
    name: optional(NAME),
    wait: optional(integer({ description: 'Seconds to wait for an end', ...WAIT })),
    cursor: CURSOR,
  }),
  output: result({ operations: list(ENTRY), proposals: list(ENTRY), next_cursor: TEXT }),
  async run({ id, name, wait = 0, cursor }, call) {
    if (id !== undefined) return ofOne(id, wait, call);
    const path = name === undefined ? '/api/operations' : `/api/domains/${await domainIdOf(name, call)}/operations`;
    const page = await call.page(path, { cursor });
    const proposals = name === undefined ? (await call.page('/api/proposals', { undecided: 'true' })).body : undefined;
    return { operations: page.body, proposals, next_cursor: page.next_cursor };
  },
});

async function ofOne(id: string, wait: number, call: ToolCall): Promise<object> {
  const kind = PATHS[id.split('_')[0] ?? ''] ?? 'operations';
  const read = () => call.get(`/api/${kind}/${encodeURIComponent(id)}`);
  let entry = await read();
  for (let second = 1; second <= wait && UNFINISHED.test(String(entry['state'])) && !call.signal.aborted; second += 1) {
    await sleep(POLL_MS);
    await call.report(second, `${id} is ${String(entry['state'])}`);
    entry = await read();
  }
  return kind === 'proposals' ? { proposals: [entry] } : { operations: [entry] };
}

async function domainIdOf(name: string, call: ToolCall): Promise<string> {
  return String((await call.get(`/api/domains/by-name/${encodeURIComponent(name)}`))['id']);
}

export const CHECK_HEALTH = tool({
  name: 'check_health',
  title: 'Health, with what to do',
  description:
    'Whether the delegation, nameservers, DNSSEC, mail and other settings of a name work, with advice: the last result, or a check now (recheck, up to 20 seconds).',
  hints: { ...READS, openWorldHint: true },
  input: args({ name: NAME, recheck: optional(BOOLEAN) }),
  output: result({
    state: TEXT,
    checked_at: TEXT,
    checks: list(result({ id: TEXT, state: TEXT, summary: TEXT, evidence: list(TEXT), advice: TEXT, action: TEXT })),
    note: TEXT,
  }),
  async run({ name, recheck = false }, call) {
    const { zone } = await call.resolve(name);
    const path = `/api/zones/${String(zone['id'])}/health`;
    return recheck ? call.post(path, {}) : call.get(path);
  },
});

export const READ_EVENTS = tool({
  name: 'read_events',
  title: 'Events since',
  description:
    'What happened in the account after a position, in order, and the position to continue from. "latest" is now; without one, from the first that is kept.',
  hints: READS,
  input: args({
    after: optional(text({ description: 'position of the call before, or latest' })),
    types: optional(text({ description: 'Such as domain.*,zone.changed' })),
    name: optional(NAME),
    wait: optional(integer({ description: 'Seconds to wait for an event', ...WAIT })),
  }),
  output: result({ events: list(ANY_OBJECT), position: TEXT }),
  async run({ after, types, name, wait }, call) {
    const page = await call.page('/api/events', { after, types, domain: name, wait, limit: 50 });
    return { events: page.body, position: page.headers['Events-Position'] };
  },
});

const KEY = result({
  key_id: TEXT,
  name: TEXT,
  scope: TEXT,
  type: TEXT,
  limits: ANY_OBJECT,
  status: TEXT,
  created_at: TEXT,
  expires_at: TEXT,
  last_used_at: TEXT,
});

export const LIST_KEYS = tool({
  name: 'list_keys',
  title: 'Keys and their limits',
  description:
    'The key of this connection, its scope and limits, and, with scope ADMIN, the keys of the account. Key texts are never shown; keys are made and revoked in the dashboard.',
  hints: READS,
  input: args({ cursor: CURSOR }),
  output: result({ own: KEY, account: result({ name: TEXT }), keys: list(KEY), next_cursor: TEXT }),
  async run({ cursor }, call) {
    const { actor, scope } = call.caller;
    if (actor.kind === 'user')
      return { own: { name: 'of a person who signed in', scope, limits: actor.limits && shownLimits(actor.limits) } };
    const own = await call.get('/api/key');
    const page = scope === 'ADMIN' ? await call.page('/api/keys', { cursor }) : undefined;
    return { own, account: own['account'] as Json, keys: page?.body, next_cursor: page?.next_cursor };
  },
});
