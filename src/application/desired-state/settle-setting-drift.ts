import { settingsDrifted } from '../audit/domain-audit';
import type { Actor } from '../../domain/access/actor';
import {
  changedSettings,
  REGISTERED_SETTINGS,
  settingsOf,
  type SettingName,
  type SettingValues,
} from '../../domain/portfolio/desired-state';
import { dnssecOf, wantedSettings, withPresentDenial } from '../../domain/portfolio/wanted-settings';
import type { Registrant } from '../../domain/registration/registrant';
import { toAsciiName } from '../../domain/shared/idna';
import type { Stores } from '../ports/storage/unit-of-work';

type DriftStores = Pick<Stores, 'desiredStates' | 'domains' | 'events' | 'operations' | 'zoneSignings'>;

/** What a unit of work changed of a domain, and for whom. */
export interface ChangedSettings {
  readonly domainId: string;
  readonly names: readonly SettingName[];
  readonly actor: Actor;
}

/**
 * Marks a name whose settings differ from its desired state, with an event if this change made them differ, and ends the mark if they are
 * as it says again. What unfinished operations change counts. Every unit of work ends with it for the names whose settings it changed, and
 * for those whose records are as the state says again: they have no `names`.
 */
export async function settleSettingDrift(
  stores: DriftStores,
  { domainId, names, actor }: ChangedSettings,
  at: Date,
): Promise<void> {
  const { desiredStates, domains, events, operations, zoneSignings } = stores;
  const stored = await desiredStates.lockSettings(domainId);
  const [domain] = stored ? await domains.findEach([{ accountId: stored.accountId, domainId }]) : [];
  if (!stored || !domain || (domain.hasLeft && !domain.isHosted)) return;
  const { accountId, settings } = stored;
  const unfinished = (await operations.unfinished(domainId)).map(({ request }) => request);
  const signing = settings.dnssec && (await zoneSignings.lock(domainId));
  const current = settingsOf(domain.toState(), unfinished, dnssecOf(signing));
  const registrant =
    settings.contact === undefined ? undefined : await registrantOf(stores, accountId, settings.contact);
  const wanted = withPresentDenial(wantedSettings(settings, registrant), current);
  const drift = changedSettings(current, domain.isHosted ? withoutRegistration(wanted) : wanted);
  if (drift.length === 0) return desiredStates.endDriftOfSettings(domainId);
  await desiredStates.markSettingsDrifted(domainId, at);
  const drifted = drift.map(({ name }) => name).filter((name) => names.includes(name));
  if (drifted.length > 0) await events.append(settingsDrifted(domain.toState(), drifted, actor, at));
}

/** Of a contact as states name it: a domain of the account by id or name. */
async function registrantOf(
  { domains }: DriftStores,
  accountId: string,
  contact: string,
): Promise<Registrant | null | undefined> {
  if (contact.startsWith('dom_')) {
    const [found] = await domains.findEach([{ accountId, domainId: contact }]);
    return found?.toState().registrant;
  }
  const name = toAsciiName(contact);
  const found = name === undefined ? [] : await domains.zonesAmong([name]);
  return found.find((each) => each.accountId === accountId)?.registrant;
}

function withoutRegistration(wanted: Partial<SettingValues>): Partial<SettingValues> {
  const others = Object.entries(wanted).filter(([name]) => !REGISTERED_SETTINGS.some((each) => each === name));
  return Object.fromEntries(others);
}
