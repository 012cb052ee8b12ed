import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Denial } from '../dns/dnssec/zone-signing-state';
import type { RecordDraft } from '../dns/records/dns-record';
import type { DomainState } from '../registration/domain';
import { areSameHosts } from '../registration/nameservers';
import type { OperationRequest } from '../registration/operations/operation-request';
import type { Registrant } from '../registration/registrant';
import type { Money } from '../shared/money';

/** The records that a zone is to have. */
export interface DesiredRecords {
  /** The program whose records these are: all others stay. Undefined: they are all records of the zone. */
  readonly owner: string | undefined;
  readonly records: readonly RecordDraft[];
  /** The place of each record in the document, if that is no list of records. Not stored. */
  readonly placeOf?: (index: number) => string;
}

/** The settings of a name that a state can have. */
export interface SettingValues {
  readonly nameservers: readonly string[];
  readonly registrant: Registrant | null;
  readonly transferLocked: boolean;
  readonly autoRenew: boolean;
  readonly tags: readonly string[];
  /** The denial is null while DNSSEC is off. */
  readonly dnssec: { readonly enabled: boolean; readonly denial: Denial | null };
}
export type SettingName = keyof SettingValues;

/** Their names in requests, in the order in which they are applied. */
export const SETTING_PATHS: Readonly<Record<SettingName, string>> = {
  nameservers: 'nameservers',
  registrant: 'registrant',
  transferLocked: 'transfer_locked',
  autoRenew: 'auto_renew',
  tags: 'tags',
  dnssec: 'dnssec',
};
const SETTING_NAMES = Object.keys(SETTING_PATHS) as readonly SettingName[];

/** What the registry knows of a registered name: a name with DNS only has none of these. */
export const REGISTERED_SETTINGS: readonly SettingName[] = ['nameservers', 'registrant', 'transferLocked', 'autoRenew'];

/** Settings as a state has them. */
export interface DesiredSettings extends Partial<
  Pick<SettingValues, 'nameservers' | 'transferLocked' | 'autoRenew' | 'tags'>
> {
  /** The name or the id of a domain of the account: its registrant. */
  readonly contact?: string;
  readonly dnssec?: { readonly enabled: boolean; readonly denial?: Denial | undefined };
}

/** That the name may be registered if it is not here. */
export interface DesiredRegistration {
  /** For the whole term: nothing is ordered above it. */
  readonly maxPrice: Money;
  readonly years: number | undefined;
}

/** What a name is to be like. What is absent stays as it is, and nothing in a state deletes a registration or a zone. */
export interface DesiredState {
  readonly records?: DesiredRecords | undefined;
  readonly settings?: DesiredSettings | undefined;
  readonly registration?: DesiredRegistration | undefined;
}

/** `before` is null if the name is not here yet. */
export interface SettingChange {
  readonly name: SettingName;
  readonly before: SettingValues[SettingName] | null;
  readonly after: SettingValues[SettingName];
}

/** The settings of a domain as they are when its unfinished operations, in their order, have succeeded. */
export function settingsOf(
  domain: DomainState,
  unfinished: readonly OperationRequest[],
  dnssec: SettingValues['dnssec'],
): SettingValues {
  const { nameservers, registrant, transferLocked, autoRenew, tags } = domain;
  const now: SettingValues = { nameservers, registrant, transferLocked, autoRenew, tags, dnssec };
  return unfinished.reduce((values, request) => ({ ...values, ...settledBy(request) }), now);
}

function settledBy(request: OperationRequest): Partial<SettingValues> {
  if (request.kind === 'set_nameservers') return { nameservers: request.hosts };
  if (request.kind === 'set_registrant') return { registrant: request.registrant };
  if (request.kind === 'set_transfer_lock') return { transferLocked: request.locked };
  return request.kind === 'set_registrar_renewal' ? { autoRenew: request.autoRenew } : {};
}

/** What of the wanted settings differs from the current ones. */
export function changedSettings(current: SettingValues, wanted: Partial<SettingValues>): readonly SettingChange[] {
  return SETTING_NAMES.flatMap((name) => {
    const after = wanted[name];
    return after === undefined || isSameSetting(name, current, wanted) ? [] : [{ name, before: current[name], after }];
  });
}

/** The settings that a state can have and a change of a domain changes. */
export function settingsChangedBy(before: DomainState, after: DomainState): readonly SettingName[] {
  return SETTING_NAMES.filter((name) => !isSameSetting(name, before, after));
}

function isSameSetting(name: SettingName, one: Partial<SettingValues>, other: Partial<SettingValues>): boolean {
  if (name === 'nameservers') return areSameHosts(one.nameservers ?? [], other.nameservers ?? []);
  return isDeepStrictEqual(one[name], other[name]);
}

/** Some hexadecimal digits for each setting, so that it can be told which one changed. */
const DIGEST_LENGTH = 8;
const ABSENT = '0';

/** The version of some settings. */
export function settingsVersion(values: SettingValues, wanted: Partial<SettingValues>): string {
  return SETTING_NAMES.map((name) => (wanted[name] === undefined ? ABSENT : digestOf(values[name]))).join('-');
}

/** The version of the same values for a state that does not have the setting. */
export function versionWithout(name: SettingName, version: string): string {
  return version
    .split('-')
    .map((digest, index) => (SETTING_NAMES[index] === name ? ABSENT : digest))
    .join('-');
}

/** The settings that differ between two versions, if both have them. */
export function settingsChangedBetween(one: string, other: string): readonly SettingName[] {
  const [ones, others] = [one.split('-'), other.split('-')];
  return SETTING_NAMES.filter((_name, index) => {
    const [left, right] = [ones[index], others[index]];
    return left !== right && left !== ABSENT && right !== ABSENT;
  });
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortedMembers(value)))
    .digest('hex')
    .slice(0, DIGEST_LENGTH);
}

/** Databases keep no order of members. */
function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, inner]) => [name, sortedMembers(inner)]);
}

/** The program whose records of the zone a state lists; '' for all records, null if it lists none. */
export function zoneOwnerOf({ records }: DesiredState): string | null {
  return records ? (records.owner ?? '') : null;
}
