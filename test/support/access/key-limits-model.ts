import { constantFrom, option, record, subarray, type Arbitrary } from 'fast-check';
import { KEY_ACTIONS, type GivenLimits } from '../../../src/domain/access/key-limits';

/**
 * The reference model of the limits of keys: what the rules say, written without the code of the implementation. `import zone` replaces
 * all records by the TXT record `only`, `roll back` removes all records.
 */
export const DOMAINS = ['one.com', 'two.com', 'three.com'] as const;
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
  'roll back',
  'update auto-renewal',
  'dynamic update',
] as const;
/** They need the whole service. */
const WIRE_KINDS = [...KINDS, 'order domain', 'read auth code'] as const;
/** From which the requests come over the wire. */
const HERE = '127.0.0.0/8';
const NETWORKS = [HERE, '192.0.2.0/24', '2001:db8::/32'];

export interface Case {
  readonly limits: GivenLimits;
  readonly kind: (typeof WIRE_KINDS)[number];
  readonly domain: string;
  readonly name: string;
  readonly type: string;
}

const REFUSED = 'INSUFFICIENT_SCOPE';
const SHOWS_RECORDS: ReadonlySet<string> = new Set(['list records', 'export zone', 'read history']);
const CHANGES_RECORD: ReadonlySet<string> = new Set(['change record', 'remove record', 'move record']);
const WRITES: ReadonlySet<string> = new Set([
  ...CHANGES_RECORD,
  'add record',
  'import zone',
  'roll back',
  'dynamic update',
]);

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

function modelSees({ names, types }: GivenLimits, name: string, type: string): boolean {
  const isNamed = names === undefined || names.some((pattern) => modelMatches(pattern, name));
  return isNamed && (types === undefined || types.includes(type));
}

const modelRecords = (limits: GivenLimits) =>
  NAMES.flatMap((name) => TYPES.filter((type) => modelSees(limits, name, type)).map((type) => `${name} ${type}`));

const actionOf = (kind: string): string =>
  WRITES.has(kind)
    ? 'write'
    : ({ 'update auto-renewal': 'settings', 'order domain': 'register', 'read auth code': 'transfer' }[kind] ?? 'read');

/** What a request does: the error code, or what it shows. @param price what `order domain` costs */
export function expectedResult({ limits, kind, domain, name, type }: Case, price = 0): unknown {
  const action = actionOf(kind);
  const isUpdate = kind === 'dynamic update';
  if (limits.networks && !limits.networks.includes(HERE)) return isUpdate ? 'REFUSED' : REFUSED;
  const isHidden = limits.domains !== undefined && !limits.domains.includes(domain);
  if (isUpdate && isHidden) return 'NOTAUTH';
  if (limits.actions && !limits.actions.includes(action)) return isUpdate ? 'REFUSED' : REFUSED;
  if (kind === 'order domain') {
    const mostSpent = Math.min(...Object.values(limits.spend ?? {}).map((amount) => amount?.minor ?? 0));
    return limits.domains || mostSpent < price ? REFUSED : 'done';
  }
  if (kind === 'list domains') return DOMAINS.filter((each) => limits.domains?.includes(each) ?? true).toSorted();
  if (isHidden) return kind === 'read operation' ? 'OPERATION_NOT_FOUND' : 'DOMAIN_NOT_FOUND';
  const visible = modelRecords(limits);
  const isAll = visible.length === NAMES.length * TYPES.length;
  const sees = modelSees(limits, name, type);
  if (isUpdate) return sees ? 'NOERROR' : 'REFUSED';
  if (SHOWS_RECORDS.has(kind)) return visible.toSorted();
  if (kind === 'add record') return sees ? 'done' : REFUSED;
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
export const limitCases: Arbitrary<Case> = record({
  limits: record(commonLimits).map(plain),
  kind: constantFrom(...KINDS),
  ...request,
});

/** The same with limits of networks and spend, and more kinds of requests. The amounts are in US cents. */
export const wireCases: Arbitrary<Case> = record({
  limits: record({
    ...commonLimits,
    networks: option(some(NETWORKS), { nil: undefined, freq: 3 }),
    spend: optional(
      record({
        perOrder: optional(constantFrom({ minor: 1, currency: 'USD' }, { minor: 1_000_000, currency: 'USD' })),
        perDay: constantFrom({ minor: 100, currency: 'USD' }, { minor: 100_000_000, currency: 'USD' }),
      }),
    ),
  }).map(plain),
  kind: constantFrom(...WIRE_KINDS),
  ...request,
});
