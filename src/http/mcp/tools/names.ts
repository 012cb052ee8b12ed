import { integer, list, optional, text } from '../../api/shape';
import { ANY_OBJECT, args, BOOLEAN, INTEGER, NUMBER, oneOf, result, TEXT } from '../schema';
import { READS, tool } from '../tool';
import type { Json } from '../tool-call';

export const NAME = text({ description: 'A domain name' });
export const CURSOR = optional(text({ description: 'next_cursor of the page before' }));
export const LIMIT = optional(integer({ minimum: 1, maximum: 100 }));

const PRICE = result({ registration: NUMBER, renewal: NUMBER, total: NUMBER, currency: TEXT });

export const FIND_NAMES = tool({
  name: 'find_names',
  title: 'Find names and prices',
  description:
    'Asks registries which names can be registered, and what they cost: a word across TLDs (query), or exact names (names). Buys nothing.',
  hints: { ...READS, openWorldHint: true },
  input: args({
    query: optional(text({ description: 'A word or a name' })),
    tlds: optional(list(TEXT, { most: 50 })),
    names: optional(list(TEXT, { most: 20 })),
  }),
  output: result({
    names: list(result({ name: TEXT, available: BOOLEAN, price: PRICE })),
    errors: list(result({ name: TEXT, code: TEXT, message: TEXT, details: TEXT })),
  }),
  async run({ query, tlds, names = [] }, call) {
    const found = query === undefined ? undefined : await call.post('/api/domains/search', { query, tlds });
    const quoted =
      names.length === 0
        ? undefined
        : await call.post('/api/domains/quote', { domains: names.map((name) => ({ name })) });
    return {
      names: [...((found?.['results'] ?? []) as Json[]), ...((quoted?.['quotes'] ?? []) as Json[])],
      errors: found?.['errors'],
    };
  },
});

export const LIST_NAMES = tool({
  name: 'list_names',
  title: 'Portfolio and expiries',
  description:
    'The names of the account: registered ones, first those that expire first, or those with DNS here (kind: hosted has DNS only; all).',
  hints: READS,
  input: args({
    kind: optional(oneOf('registered', 'hosted', 'all')),
    name: optional(text({ description: 'A part of the name' })),
    tag: optional(TEXT),
    expires_within: optional(integer({ description: 'Days', minimum: 0 })),
    limit: LIMIT,
    cursor: CURSOR,
  }),
  output: result({
    names: list(
      result({
        name: TEXT,
        kind: TEXT,
        status: TEXT,
        expires_at: TEXT,
        auto_renew: BOOLEAN,
        transfer_locked: BOOLEAN,
        nameservers: list(TEXT),
        records: INTEGER,
        tags: list(TEXT),
      }),
    ),
    next_cursor: TEXT,
  }),
  async run({ kind = 'registered', expires_within, ...filters }, call) {
    const page = await (kind === 'registered'
      ? call.page('/api/domains', { sort: 'expires_at', expires_within, ...filters })
      : call.page('/api/zones', { ...(kind === 'hosted' && { kind }), ...filters }));
    return { names: page.body, next_cursor: page.next_cursor };
  },
});

export const GET_NAME = tool({
  name: 'get_name',
  title: 'One name in full',
  description:
    'Registration, dates, nameservers, DNS, DNSSEC and delegation of one name of the account. The registrant is not shown.',
  hints: READS,
  input: args({ name: NAME }),
  output: result({
    name: TEXT,
    domain: result({
      id: TEXT,
      status: TEXT,
      expires_at: TEXT,
      auto_renew: BOOLEAN,
      transfer_locked: BOOLEAN,
      nameservers: list(TEXT),
      tags: list(TEXT),
      created_at: TEXT,
      renewed_by: TEXT,
      keep_zone: BOOLEAN,
      transfer_out: ANY_OBJECT,
      lifecycle: ANY_OBJECT,
    }),
    zone: result({
      id: TEXT,
      status: TEXT,
      nameservers: list(TEXT),
      delegation: ANY_OBJECT,
      dnssec: ANY_OBJECT,
      verification: ANY_OBJECT,
      records: INTEGER,
      version: INTEGER,
      tags: list(TEXT),
    }),
  }),
  async run({ name }, call) {
    const { zone, domainId } = await call.resolve(name);
    return {
      name: zone['name'],
      domain: domainId === undefined ? undefined : await call.get(`/api/domains/${domainId}`),
      zone,
    };
  },
});
