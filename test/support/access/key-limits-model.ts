import { constantFrom, integer, oneof, option, record, subarray, type Arbitrary } from 'fast-check';
import { KEY_ACTIONS, type GivenLimits } from '../../../src/domain/access/key-limits';

/**
 * The reference model of the limits of keys: what the rules say, written without the code of the implementation. `import zone` replaces
 * all records by the TXT record `only`, `add zone text` adds
 * a record that is there already, `roll back` removes all records.
 */
export const DOMAINS = ['one.com', 'two.com', 'three.com'] as const;
export const TAGS: Readonly<Record<string, readonly string[]>> = { 'one.com': ['shop'], 'two.com': ['blog', 'shop'] };
export const NAMES = ['@', 'www', '_acme-challenge', 'a.lan', 'b.a.lan', '*', '*.lan'] as const;
export const TYPES = ['A', 'AAAA', 'TXT'] as const;
const PATTERNS = [
  ...NAMES.filter((name) => !name.startsWith('*')),
  '*',
  '**',
  '*.lan',
  '**.lan',
  String.raw`\*`,
  String.raw`\*.lan`,
];
const KINDS = [
  'list domains',
  'read domain',
  'list operations',
  'read operation',
  'list records',
  'export zone',
  'read history',
  'add record',
  'change record',
  'remove record',
  'move record',
  'import zone',
  'add zone text',
  'roll back',
  'update auto-renewal',
  'dynamic update',
] as const;
/** Requests of programs to the compatibility APIs. */
const COMPATIBILITY_KINDS = [
  'list zones by PowerDNS API',
  'read zone by PowerDNS API',
  'add record by PowerDNS API',
  'list records by external-dns',
  'set address by DynDNS2',
  'add challenge by httpreq',
  'add challenge by acme-dns',
] as const;
/** They need the whole service. */
const WIRE_KINDS = [...KINDS, ...COMPATIBILITY_KINDS, 'order domain', 'order transfer', 'read auth code'] as const;
/** From which the requests come over the wire. */
const HERE = '127.0.0.0/8';
const NETWORKS = [HERE, '192.0.2.0/24', '2001:db8::/32'];

export interface Case<Kind = (typeof WIRE_KINDS)[number]> {
  readonly limits: GivenLimits;
  readonly kind: Kind;
  readonly domain: string;
  readonly name: string;
  readonly type: string;
}

export type CompatibilityCase = Case<(typeof COMPATIBILITY_KINDS)[number]>;

export function isCompatibilityCase(request: Case): request is CompatibilityCase {
  return COMPATIBILITY_KINDS.some((kind) => kind === request.kind);
}

const REFUSED = 'INSUFFICIENT_SCOPE';
const SHOWS_RECORDS: ReadonlySet<string> = new Set([
  'list records',
  'export zone',
  'read history',
  'read zone by PowerDNS API',
  'list records by external-dns',
]);
const CHANGES_RECORD: ReadonlySet<string> = new Set(['change record', 'remove record', 'move record']);
const WRITES: ReadonlySet<string> = new Set([
  ...CHANGES_RECORD,
  'add record',
  'import zone',
  'add zone text',
  'roll back',
  'dynamic update',
  'add record by PowerDNS API',
  'set address by DynDNS2',
  'add challenge by httpreq',
  'add challenge by acme-dns',
]);
const ORDERS: ReadonlySet<string> = new Set(['order domain', 'order transfer']);
const CHALLENGES: ReadonlySet<string> = new Set(['add challenge by httpreq', 'add challenge by acme-dns']);

/** `*` is one label, `**` one or more; a wildcard record is matched by its own name, written with a backslash, only. */
function modelMatches(pattern: string, name: string): boolean {
  if (name.startsWith('*')) return pattern === `\\${name}`;
  if (name === '@' || pattern === '@') return name === pattern;
  if (pattern.startsWith('\\')) return false;
  const source = pattern
    .split('.')
    .map((label) => ({ '*': '[^.]+', '**': String.raw`[^.]+(\.[^.]+)*` })[label] ?? label)
    .join(String.raw`\.`);
  return new RegExp(`^${source}$`).test(name);
}

function modelSeesDomain({ domains, tags }: GivenLimits, domain: string): boolean {
  const isTagged = tags === undefined || tags.some((tag) => TAGS[domain]?.includes(tag));
  return isTagged && (domains === undefined || domains.includes(domain));
}

function modelSees({ names, types }: GivenLimits, name: string, type: string): boolean {
  const isNamed = names === undefined || names.some((pattern) => modelMatches(pattern, name));
  return isNamed && (types === undefined || types.includes(type));
}

const modelRecords = (limits: GivenLimits) =>
  NAMES.flatMap((name) => TYPES.filter((type) => modelSees(limits, name, type)).map((type) => `${name} ${type}`));

const actionOf = (kind: string): string =>
  WRITES.has(kind)
    ? 'write'
    : ({
        'update auto-renewal': 'settings',
        'order domain': 'register',
        'order transfer': 'transfer',
        'read auth code': 'transfer',
      }[kind] ?? 'read');

/** Whether the limits allow an order. Amounts are in cents. @param spent what the key has spent today and this month */
function modelAffords({ spend = {} }: GivenLimits, price: number, spent: number): boolean {
  const { perOrder, perDay, perMonth } = spend;
  const left = [perDay, perMonth].flatMap((limit) => (limit ? [limit.minor - spent] : []));
  return [...left, ...(perOrder ? [perOrder.minor] : [])].every((amount) => price <= amount);
}

/** What a request does: the error code, or what it shows. @param price what an order costs */
export function expectedResult({ limits, kind, domain, name, type }: Case, price = 0, spent = 0): unknown {
  const action = actionOf(kind);
  const isUpdate = kind === 'dynamic update';
  if (limits.networks && !limits.networks.includes(HERE)) return isUpdate ? 'REFUSED' : REFUSED;
  const isHidden = !modelSeesDomain(limits, domain);
  if (isUpdate && isHidden) return 'NOTAUTH';
  if (CHALLENGES.has(kind) && isHidden) return 'DOMAIN_NOT_FOUND';
  // A key for some records is for nothing else of the domain, unless that is said.
  const actions = limits.actions ?? (limits.names || limits.types ? ['read', 'write'] : undefined);
  if (kind === 'set address by DynDNS2') {
    const mayWrite = actions?.includes('write') ?? true;
    return !isHidden && mayWrite && modelSees(limits, name, 'A') ? 'nochg' : 'nohost';
  }
  if (actions && !actions.includes(action)) return isUpdate ? 'REFUSED' : REFUSED;
  if (ORDERS.has(kind)) return limits.domains || limits.tags || !modelAffords(limits, price, spent) ? REFUSED : 'done';
  if (kind === 'list domains' || kind === 'list zones by PowerDNS API')
    return DOMAINS.filter((each) => modelSeesDomain(limits, each)).toSorted();
  const isForRecordsOnly = (limits.names ?? limits.types) && actions?.every((each) => ['read', 'write'].includes(each));
  if (isForRecordsOnly && kind === 'read operation') return REFUSED;
  if (isHidden && kind === 'list records by external-dns') return [];
  if (isHidden) return kind === 'read operation' ? 'OPERATION_NOT_FOUND' : 'DOMAIN_NOT_FOUND';
  if (isForRecordsOnly && kind === 'list operations') return REFUSED;
  const visible = modelRecords(limits);
  const isAll = visible.length === NAMES.length * TYPES.length;
  const sees = modelSees(limits, name, type);
  if (isUpdate) return sees ? 'NOERROR' : 'REFUSED';
  if (SHOWS_RECORDS.has(kind)) return visible.toSorted();
  if (CHALLENGES.has(kind)) return modelSees(limits, '_acme-challenge', 'TXT') ? 'done' : REFUSED;
  if (kind === 'add zone text' || kind === 'add record' || kind === 'add record by PowerDNS API')
    return sees ? 'done' : REFUSED;
  if (CHANGES_RECORD.has(kind) && !sees) return 'RECORD_NOT_FOUND';
  if (kind === 'move record') return modelSees(limits, 'moved', type) ? 'done' : REFUSED;
  if (kind === 'import zone') return isAll && modelSees(limits, 'only', 'TXT') ? 'done' : REFUSED;
  if (kind === 'roll back') return isAll ? 'done' : REFUSED;
  return 'done';
}

const optional = <T>(values: Arbitrary<T>): Arbitrary<T | undefined> => option(values, { nil: undefined });
const some = (items: readonly string[]) => subarray([...items], { minLength: 1 });

const commonLimits = {
  domains: optional(some(DOMAINS)),
  tags: option(some(['shop', 'blog', 'other']), { nil: undefined, freq: 3 }),
  names: optional(some(PATTERNS)),
  types: optional(some(TYPES)),
  actions: optional(some(KEY_ACTIONS)),
};
const plain = (limits: object) => JSON.parse(JSON.stringify(limits)) as GivenLimits;
const request = {
  domain: constantFrom(...DOMAINS),
  name: constantFrom(...NAMES),
  type: constantFrom(...TYPES),
};

/** A key's limits and a request. Every domain has a record of each type at each name. */
export const limitCases: Arbitrary<Case<(typeof KINDS)[number]>> = record({
  limits: record(commonLimits).map(plain),
  kind: constantFrom(...KINDS),
  ...request,
});

const cents = (minor: number) => ({ minor, currency: 'USD' });
/** Too little, enough for some orders, and enough for all. */
const amount = oneof(constantFrom(cents(100), cents(100_000_000)), integer({ min: 1_000, max: 50_000 }).map(cents));

/** The same with limits of networks and spend, and more kinds of requests. The amounts are in US cents. */
export const wireCases: Arbitrary<Case> = record({
  limits: record({
    ...commonLimits,
    networks: option(some(NETWORKS), { nil: undefined, freq: 3 }),
    spend: optional(
      record({
        perOrder: optional(constantFrom(cents(1), cents(1_000_000))),
        perDay: amount,
        perMonth: optional(amount),
      }),
    ),
  }).map(plain),
  kind: constantFrom(...WIRE_KINDS),
  ...request,
});
