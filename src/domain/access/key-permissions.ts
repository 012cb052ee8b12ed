import { ROOT } from '../dns/records/record-name';
import { ServiceError } from '../shared/service-error';
import type { Actor } from './actor';
import { RoleForbids } from './access-errors';
import { actionsAllowedBy, KEY_ACTIONS, RECORD_ACTIONS, type KeyAction, type KeyLimits } from './key-limits';
import { isInNetworks } from '../shared/network';
import { coversName, matchesName } from './record-name-pattern';

/** One of the key's limits does not allow the request; `details` name it. */
export class LimitedKey extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  constructor(limit: string, details: string) {
    super("The key's limits do not allow this", `limits.${limit}: ${details}`);
  }
}

type RecordKey = { readonly name: string; readonly type: string };

const PROPOSE = 'the key may only propose changes, with POST /api/proposals';
const MAX_LISTED = 5;

/** The limits of the actor's key or role; undefined for an owner, the operator and the service. */
export function limitsOf(actor: Actor): KeyLimits | undefined {
  return actor.kind === 'key' || actor.kind === 'user' ? actor.limits : undefined;
}

/** Whether the actor may see some of the account's domains only. */
export function seesSomeDomains(actor: Actor): boolean {
  const limits = limitsOf(actor);
  return limits?.domains !== undefined || limits?.tags !== undefined;
}

export function maySeeDomain(
  actor: Actor,
  domain: { readonly name: string; readonly tags: readonly string[] },
): boolean {
  const { domains, tags } = limitsOf(actor) ?? {};
  return (domains?.includes(domain.name) ?? true) && (tags?.some((tag) => domain.tags.includes(tag)) ?? true);
}

/** For names whose tags are not known: who is limited to tags does not see them. */
export function maySeeName(actor: Actor, name: string): boolean {
  return maySeeDomain(actor, { name, tags: [] });
}

/** Whether the actor is a key that may see some of a zone's records only. */
export function seesSomeRecords(actor: Actor): boolean {
  const limits = limitsOf(actor);
  return limits?.names !== undefined || limits?.types !== undefined;
}

export function maySeeRecord(actor: Actor, record: RecordKey): boolean {
  const { names, types } = limitsOf(actor) ?? {};
  return (
    (types?.includes(record.type) ?? true) && (names?.some((pattern) => matchesName(pattern, record.name)) ?? true)
  );
}

/** Whether the actor may see all records at a name. */
export function seesWholeName(actor: Actor, name: string): boolean {
  const { names, types } = limitsOf(actor) ?? {};
  return types === undefined && (names?.some((pattern) => matchesName(pattern, name)) ?? true);
}

export function mayDo(actor: Actor, action: KeyAction): boolean {
  return actionsOf(actor)?.includes(action) ?? true;
}

/** Whether each write of the actor becomes a proposal. */
export function mayOnlyPropose(actor: Actor): boolean {
  return limitsOf(actor)?.propose === true;
}

/** The actor without what makes its writes proposals: for a write that was accepted, and to find out what it would do. */
export function asIfAccepted(actor: Actor): Actor {
  if (actor.kind !== 'key' && actor.kind !== 'user') return actor;
  const { approvalRules: _rules, ...rest } = actor;
  const freed = { ...rest, isAccepted: true } as const;
  if (!freed.limits?.propose) return freed;
  const { propose: _propose, ...limits } = freed.limits;
  return { ...freed, limits };
}

function actionsOf(actor: Actor): readonly KeyAction[] | undefined {
  return actionsAllowedBy(limitsOf(actor) ?? {});
}

/** @throws LimitedKey; RoleForbids for a user */
export function assertActionAllowed(actor: Actor, action: KeyAction): void {
  if (mayDo(actor, action)) return;
  if (actor.kind === 'user') throw roleForbids(action);
  if (limitsOf(actor)?.propose) throw new LimitedKey('propose', PROPOSE);
  throw new LimitedKey('actions', `the key may ${actionsOf(actor)?.join(', ')}, not ${action}`);
}

/** For what lets a domain leave the account: unlocking, auth codes, approved transfers, deletion. @throws RoleForbids */
export function assertMayLetGo(actor: Actor): void {
  if (actor.kind === 'user' && actor.keepsDomains === true)
    throw new RoleForbids('An owner can allow it to managers on the team page');
}

const ACTION_DESCRIPTIONS: Readonly<Record<KeyAction, string>> = {
  read: 'see domains',
  write: 'change DNS records',
  register: 'register or delete domains',
  renew: 'renew or restore domains',
  transfer: 'transfer domains',
  settings: 'change the settings of domains',
};

export function roleForbids(action: KeyAction): RoleForbids {
  return new RoleForbids(
    'Ask an owner of the account for another role',
    `Your role does not allow you to ${ACTION_DESCRIPTIONS[action]}`,
  );
}

/** For names that the account does not have yet; `maySeeDomain` is for those that it has. @throws LimitedKey; RoleForbids for a user */
export function assertNameAllowed(actor: Actor, name: string): void {
  assertEveryTagAllowed(actor);
  const domains = limitsOf(actor)?.domains;
  if (domains && !domains.includes(name)) throw new LimitedKey('domains', `the key is for ${listed(domains)}`);
}

/** @throws LimitedKey if the actor may not add, change or remove the record */
export function assertRecordAllowed(actor: Actor, record: RecordKey): void {
  const types = limitsOf(actor)?.types;
  if (types && !types.includes(record.type)) throw new LimitedKey('types', `the key is for ${listed(types)} records`);
  assertOwnerAllowed(actor, record.name);
}

/**
 * For requests that name records: they are judged by what they ask, not by what is stored, because the response would reveal it.
 * @throws LimitedKey
 */
export function assertRecordsAllowed(actor: Actor, records: Iterable<RecordKey>): void {
  if (!seesSomeRecords(actor)) return;
  for (const record of records) assertRecordAllowed(actor, record);
}

/** @throws LimitedKey if the actor may not see any record at the name */
export function assertOwnerAllowed(actor: Actor, name: string): void {
  const names = limitsOf(actor)?.names;
  if (names && !names.some((pattern) => matchesName(pattern, name)))
    throw new LimitedKey('names', `the key is for records named ${listed(names)}`);
}

/**
 * NS and DNAME records take the names below theirs along, those at the apex the whole zone.
 * @throws LimitedKey unless the actor may write all of these names
 */
export function assertMayDelegate(actor: Actor, { name, type }: RecordKey): void {
  const names = limitsOf(actor)?.names;
  if (!names || (type !== 'NS' && type !== 'DNAME')) return;
  const below = name === ROOT ? '**' : `**.${name}`;
  if (!names.some((pattern) => coversName(pattern, below)))
    throw new LimitedKey(
      'names',
      `${type} records need a key for ${below} as well; it is for records named ${listed(names)}`,
    );
}

/** Whether the actor is a key for records and nothing else: it needs neither contacts nor prices nor operations. */
export function isForRecordsOnly(actor: Actor): boolean {
  return (
    seesSomeRecords(actor) && KEY_ACTIONS.every((action) => RECORD_ACTIONS.includes(action) || !mayDo(actor, action))
  );
}

/** For prices and operations. @throws LimitedKey if the actor is a key for records only */
export function assertNotForRecordsOnly(actor: Actor): void {
  if (isForRecordsOnly(actor))
    throw new LimitedKey(limitsOf(actor)?.names ? 'names' : 'types', 'the key is for records only');
}

/** For what shows or changes a whole zone. @throws LimitedKey if the actor may see some of its records only */
export function assertWholeZoneAllowed(actor: Actor): void {
  if (seesSomeRecords(actor))
    throw new LimitedKey(limitsOf(actor)?.names ? 'names' : 'types', 'the key is not for the whole zone');
}

/** For what would show or give more domains to those who are limited to tags: new names, tags, what is the whole account's. @throws LimitedKey; RoleForbids for a user */
export function assertEveryTagAllowed(actor: Actor): void {
  const tags = limitsOf(actor)?.tags;
  if (!tags) return;
  if (actor.kind === 'key') throw new LimitedKey('tags', `the key is for domains tagged ${listed(tags)}`);
  throw new RoleForbids('Ask an owner of the account', `Your role is only for domains tagged ${listed(tags)}`);
}

/** For what concerns the whole account or several accounts. @throws LimitedKey if the actor is a key that is limited to domains, records or actions; RoleForbids for a user who is limited to tags */
export function assertWholeAccountAllowed(actor: Actor): void {
  assertEveryTagAllowed(actor);
  const limits = actor.kind === 'key' ? actor.limits : undefined;
  for (const limit of ['domains', 'names', 'types', 'actions'] as const)
    if (limits?.[limit]) throw new LimitedKey(limit, 'the key is not for the whole account');
}

/** @param isProven whether the client has proven its address: that of a UDP packet can be forged @throws LimitedKey if the key may not be used from the address */
export function assertAddressAllowed(
  limits: KeyLimits | null,
  address: string,
  { isProven } = { isProven: true },
): void {
  if (limits?.networks && !isProven)
    throw new LimitedKey('networks', 'the key is for TCP, because the address of a UDP packet can be forged');
  if (limits?.networks && !isInNetworks(limits.networks, address))
    throw new LimitedKey('networks', `the key is for ${listed(limits.networks)}, not for ${address}`);
}

function listed(items: readonly string[]): string {
  const more = items.length - MAX_LISTED;
  return `${items.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
