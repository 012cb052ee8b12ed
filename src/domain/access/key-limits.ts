import { ALL_TYPES, findRecordType } from '../dns/records/types/record-types';
import { parseTags } from '../shared/tags';
import { parseZoneName } from '../dns/zone-names/zone-name';
import { isWithin, type Money } from '../shared/money';
import { ValidationError } from '../shared/validation-error';
import { containsNetwork, parseNetwork } from '../shared/network';
import { coversName, parseNamePattern } from './record-name-pattern';

/**
 * What a key may do below its scope. `read`: everything that changes nothing; `write`: DNS records; `register`: new domains,
 * deletion in the add grace period, imports; `renew`: also restores; `transfer`: to and from other registrars; `settings`: nameservers,
 * contacts, tags, auto-renewal, transfer lock, DNSSEC and keys.
 */
export const KEY_ACTIONS = ['read', 'write', 'register', 'renew', 'transfer', 'settings'] as const;
export type KeyAction = (typeof KEY_ACTIONS)[number];

/** The actions that cost money. */
const BUYING_ACTIONS: readonly KeyAction[] = ['register', 'renew', 'transfer'];
/** A key that is limited to some records must not delegate the domain elsewhere, transfer or renew it, unless its `actions` say so. */
export const RECORD_ACTIONS: readonly KeyAction[] = ['read', 'write'];

/** The most that a key may spend, in one currency. Days and months are those of UTC. */
export interface SpendLimits {
  readonly perOrder?: Money;
  readonly perDay?: Money;
  readonly perMonth?: Money;
}

/** What a key may do, below its scope. What is absent limits nothing. */
export interface KeyLimits {
  /** Names of domains and of other zones, in A-labels. */
  readonly domains?: readonly string[];
  /** Tags, one of which a domain must have. */
  readonly tags?: readonly string[];
  /** Owner names relative to the domain, `@` for the apex. In a pattern, `*` is one label and `**` one or more; `\*` is a wildcard record. */
  readonly names?: readonly string[];
  /** Record types. */
  readonly types?: readonly string[];
  /** Absent: `read` and `write` with a limit of names or types, otherwise all. */
  readonly actions?: readonly KeyAction[];
  /** IPv4 and IPv6 networks in CIDR notation (RFC 4632, RFC 4291 section 2.3), from which the key may be used. */
  readonly networks?: readonly string[];
  /** The key expires so many days after its last use. */
  readonly unusedAfterDays?: number;
  readonly spend?: SpendLimits;
  /** Each write becomes a proposal, which someone else accepts. */
  readonly propose?: true;
}

/** The limits as the API names them. */
export const LIMIT_FIELDS: Readonly<Record<keyof KeyLimits, string>> = {
  domains: 'domains',
  tags: 'tags',
  names: 'names',
  types: 'types',
  actions: 'actions',
  networks: 'networks',
  unusedAfterDays: 'unused_after',
  spend: 'spend',
  propose: 'propose',
};

const MAX_ITEMS = 100;
/** Of all patterns: a request is compared with each label of each. */
const MAX_LABELS = 400;
const MAX_UNUSED_DAYS = 3_650;
const SPEND_PERIODS = ['perOrder', 'perDay', 'perMonth'] as const;

/** As a client or a form gives them, not validated. Undefined is absent. */
export type GivenLimits = {
  readonly [Field in keyof Omit<KeyLimits, 'actions' | 'propose'>]?: KeyLimits[Field] | undefined;
} & {
  readonly actions?: readonly string[] | undefined;
  readonly propose?: boolean | undefined;
};

/** Validates limits and brings them into their stored form; null if nothing is limited. @throws ValidationError */
export function parseKeyLimits(given: GivenLimits): KeyLimits | null {
  const { domains, tags, names, types, actions, networks, unusedAfterDays, spend, propose } = given;
  const limits: KeyLimits = {
    ...(domains && { domains: each('domains', domains, (text) => parseZoneName(text, 'limits.domains')) }),
    ...(tags && { tags: parseLimitTags(tags) }),
    ...(names && { names: parseNames(names) }),
    ...(types && { types: each('types', types, parseType) }),
    ...(actions && { actions: each('actions', actions, parseAction) }),
    ...(networks && { networks: each('networks', networks, parseNetwork) }),
    ...(unusedAfterDays !== undefined && { unusedAfterDays: parseDays(unusedAfterDays) }),
    ...(spend && { spend: parseSpend(spend) }),
    ...(propose && { propose }),
  };
  return Object.keys(limits).length === 0 ? null : limits;
}

/** Undefined: all. */
export function actionsAllowedBy({ actions, names, types, propose }: KeyLimits): readonly KeyAction[] | undefined {
  if (propose) return ['read'];
  return actions ?? (names || types ? RECORD_ACTIONS : undefined);
}

/** The limits of `limits` that `wider` does not include: a key may make only keys for which there are none. */
export function limitsBeyond(limits: KeyLimits, wider: KeyLimits): readonly (keyof KeyLimits)[] {
  const beyond: (keyof KeyLimits)[] = [];
  const actions = actionsAllowedBy(limits);
  const check = (name: keyof KeyLimits, isIncluded: boolean): void => {
    if (wider[name] !== undefined && !isIncluded) beyond.push(name);
  };
  check('domains', isSubset(limits.domains, wider.domains));
  check('tags', isSubset(limits.tags, wider.tags));
  check('names', eachCovered(limits.names, wider.names, coversName));
  check('types', isSubset(limits.types, wider.types));
  check('actions', isSubset(actions, wider.actions));
  check('networks', eachCovered(limits.networks, wider.networks, containsNetwork));
  check('unusedAfterDays', (limits.unusedAfterDays ?? Infinity) <= (wider.unusedAfterDays ?? Infinity));
  check('propose', limits.propose === true);
  // Several keys would spend several times as much.
  check('spend', actions?.every((action) => !BUYING_ACTIONS.includes(action)) ?? false);
  return beyond;
}

function isSubset<T>(items: readonly T[] | undefined, wider: readonly T[] | undefined): boolean {
  return items?.every((item) => wider?.includes(item)) ?? false;
}

function eachCovered(
  items: readonly string[] | undefined,
  wider: readonly string[] | undefined,
  covers: (outer: string, inner: string) => boolean,
): boolean {
  return items?.every((item) => wider?.some((outer) => covers(outer, item))) ?? false;
}

function each<I, O>(field: string, items: readonly I[], parse: (text: I) => O): readonly O[] {
  if (items.length === 0 || items.length > MAX_ITEMS)
    throw ValidationError.of(`limits.${field}`, `must have 1 to ${MAX_ITEMS} items`);
  return [...new Set(items.map(parse))];
}

function parseLimitTags(given: readonly string[]): readonly string[] {
  if (given.length === 0) throw ValidationError.of('limits.tags', 'must have at least one item');
  return parseTags(given, 'limits.tags');
}

function parseNames(given: readonly string[]): readonly string[] {
  const names = each('names', given, (text) => parseNamePattern(text));
  const labels = names.reduce((sum, name) => sum + name.split('.').length, 0);
  if (labels > MAX_LABELS)
    throw ValidationError.of('limits.names', `must have at most ${MAX_LABELS} labels, all names together`);
  return names;
}

function parseType(text: string): string {
  const type = findRecordType(text.toUpperCase());
  if (!type) throw ValidationError.of('limits.types', `must be some of ${ALL_TYPES.join(', ')}`);
  return type;
}

function parseAction(text: string): KeyAction {
  const action = KEY_ACTIONS.find((known) => known === text);
  if (!action) throw ValidationError.of('limits.actions', `must be some of ${KEY_ACTIONS.join(', ')}`);
  return action;
}

function parseDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > MAX_UNUSED_DAYS)
    throw ValidationError.of('limits.unused_after', `must be 1 to ${MAX_UNUSED_DAYS} days`);
  return days;
}

function parseSpend(spend: SpendLimits): SpendLimits {
  const amounts = SPEND_PERIODS.flatMap((period) => spend[period] ?? []);
  const [first] = amounts;
  if (!first || amounts.some(({ minor }) => !Number.isSafeInteger(minor) || minor < 0))
    throw ValidationError.of('limits.spend', 'must have at least one amount, each of zero or more');
  if (!amounts.every((amount) => isWithin({ ...amount, minor: 0 }, first)))
    throw ValidationError.of('limits.spend', 'must be in one currency');
  return spend;
}
