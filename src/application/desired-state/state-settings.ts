import { inject, injectable } from '../ports/inject';
import type { CommitStore, Stores } from '../ports/storage/unit-of-work';
import type { Requester } from '../../domain/access/actor';
import { ItemsRejected } from '../../domain/dns/dns-errors';
import {
  changedSettings,
  REGISTERED_SETTINGS,
  SETTING_PATHS,
  settingsChangedBetween,
  settingsOf,
  settingsVersion,
  type DesiredSettings,
  type SettingChange,
  type SettingName,
  type SettingValues,
} from '../../domain/portfolio/desired-state';
import { dnssecOf, wantedSettings, withPresentDenial } from '../../domain/portfolio/wanted-settings';
import type { Domain } from '../../domain/registration/domain';
import { Nameservers } from '../../domain/registration/nameservers';
import type { Operation } from '../../domain/registration/operations/operation';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { DomainName } from '../../domain/shared/domain-name';
import { DomainNotFound } from '../../domain/shared/domain-errors';
import { ServiceError } from '../../domain/shared/service-error';
import { parseTags } from '../../domain/shared/tags';
import { ValidationError } from '../../domain/shared/validation-error';
import { requireOwned } from '../access/require-domain';
import { ChangeSigning } from '../dnssec/change-signing';
import { LeavingWarnings } from '../ports/dns/hosted-names';
import { FindDomain } from '../registration/find-domain';
import { SettingSteps } from './setting-steps';
import { StatePlanOutdated } from './state-errors';

/** The settings of a state, validated and with what they refer to. */
export interface PreparedSettings {
  readonly wanted: Partial<SettingValues>;
  readonly desired: DesiredSettings;
  /** The secondary that signs zones by itself, if DNSSEC is to be on. */
  readonly signer: string | undefined;
  /** If the nameservers change. */
  readonly warnings: readonly string[];
}

export interface AppliedSettings {
  readonly domain: Domain;
  readonly changes: readonly SettingChange[];
  readonly operations: readonly Operation[];
  readonly warnings: readonly string[];
  readonly versions: { readonly before: string; readonly after: string };
}

interface ComparedSettings extends AppliedSettings {
  /** The settings that the name is to have. */
  readonly after: SettingValues;
}

/** Decides what the settings of a desired state change, and stores it. */
@injectable()
export class StateSettings {
  constructor(
    @inject(FindDomain) private readonly findDomain: Pick<FindDomain, 'byId' | 'byName'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(SettingSteps) private readonly steps: SettingSteps,
    @inject(ChangeSigning) private readonly signing: Pick<ChangeSigning, 'signingSecondary' | 'wake'>,
    @inject(LeavingWarnings) private readonly leaving: Pick<LeavingWarnings, 'ofNameservers'>,
  ) {}

  /** @param domainId undefined if the name is not here yet @throws ItemsRejected, ValidationError that name the setting */
  async prepare(
    requester: Requester,
    name: string,
    desired: DesiredSettings,
    domainId?: string,
  ): Promise<PreparedSettings> {
    const { contact, dnssec, nameservers: given, tags } = desired;
    const policy = this.policies.forName(DomainName.fromState(name));
    const nameservers = given && (await ofPart('nameservers', async () => Nameservers.of(given, policy).hosts));
    const registrant = contact === undefined ? undefined : await this.registrantOf(requester, contact);
    const valid = { ...desired, ...(nameservers && { nameservers }), ...(tags && { tags: parseTags(tags) }) };
    const wanted = wantedSettings(valid, registrant);
    return {
      wanted,
      desired,
      signer: dnssec && (await this.signing.signingSecondary(dnssec)),
      warnings: nameservers && domainId !== undefined ? await this.leaving.ofNameservers(domainId, nameservers) : [],
    };
  }

  /**
   * In a unit of work of the caller, who calls `wake` after the commit.
   * @param expected the version of the settings that the plan was made for @throws StatePlanOutdated, ItemsRejected
   */
  async apply(
    stores: Pick<Stores, CommitStore>,
    requester: Requester,
    domainId: string,
    prepared: PreparedSettings,
    expected?: string | null,
  ): Promise<AppliedSettings> {
    const compared = await this.compare(stores, requester, domainId, prepared, expected);
    const { domain, changes, after } = compared;
    const operations: Operation[] = [];
    for (const { name } of changes) {
      const queued = await ofPart(SETTING_PATHS[name], () =>
        this.steps.apply(stores, { ...requester, domainId }, { domain, name, after, signer: prepared.signer }),
      );
      if (queued) operations.push(queued);
    }
    return { ...compared, operations };
  }

  /** What `apply` would change, whether or not it can. @throws as `apply`, but for the errors of the changes */
  async compare(
    stores: Pick<Stores, CommitStore>,
    { accountId, actor }: Requester,
    domainId: string,
    { wanted: given, warnings }: PreparedSettings,
    expected?: string | null,
  ): Promise<ComparedSettings> {
    const domain = requireOwned(await stores.domains.lock(accountId, domainId), { actor }, 'settings');
    if (domain.isHosted) assertWithoutRegistration(domain, given);
    const unfinished = (await stores.operations.unfinished(domainId)).map(({ request }) => request);
    const signing = given.dnssec && (await stores.zoneSignings.lock(domainId));
    const current = settingsOf(domain.toState(), unfinished, dnssecOf(signing));
    const wanted = withPresentDenial(given, current);
    const before = settingsVersion(current, wanted);
    if (expected !== undefined && expected !== null) assertAsPlanned(expected, before, current);
    const changes = changedSettings(current, wanted);
    const isLeaving = changes.some(({ name }) => name === 'nameservers');
    const after = { ...current, ...wanted };
    const versions = { before, after: settingsVersion(after, wanted) };
    return { domain, changes, after, operations: [], versions, warnings: isLeaving ? warnings : [] };
  }

  wake({ domain, operations, changes }: AppliedSettings): void {
    if (operations.length > 0) this.steps.wake(domain);
    if (changes.some(({ name }) => name === 'dnssec')) this.signing.wake(domain.id);
  }

  private async registrantOf(requester: Requester, contact: string) {
    const path = `${SETTING_PATHS.registrant}.contact`;
    const found = await this.contactDomain(requester, contact).catch((error: unknown) => {
      if (error instanceof DomainNotFound) return undefined;
      throw error;
    });
    const registrant = found?.toState().registrant;
    if (!registrant)
      throw ValidationError.of(path, 'must be the name or the id of a domain of the account with a registrant');
    return registrant;
  }

  private contactDomain(requester: Requester, contact: string): Promise<Domain> {
    return contact.startsWith('dom_')
      ? this.findDomain.byId({ ...requester, domainId: contact }, 'settings')
      : this.findDomain.byName({ ...requester, name: contact }, 'settings');
  }
}

/** @throws ValidationError */
function assertWithoutRegistration({ name }: Domain, wanted: Partial<SettingValues>): void {
  const issues = REGISTERED_SETTINGS.filter((setting) => wanted[setting] !== undefined).map((setting) => ({
    path: SETTING_PATHS[setting],
    message: `is for registered names, and ${name.value} has DNS only`,
  }));
  if (issues.length > 0) throw new ValidationError(issues);
}

/** @throws StatePlanOutdated */
function assertAsPlanned(expected: string, present: string, current: SettingValues): void {
  if (expected === present) return;
  const changed = settingsChangedBetween(expected, present);
  const told = changed.map((name) => `${SETTING_PATHS[name]} is now ${shownValue(name, current)}`);
  throw new StatePlanOutdated(
    told.length > 0 ? `The settings have changed: ${told.join('; ')}` : 'The plan is of a state with other settings',
  );
}

function shownValue(name: SettingName, { [name]: value, registrant }: SettingValues): string {
  if (name === 'registrant') return registrant ? 'another one' : 'unknown';
  return JSON.stringify(value);
}

/** @throws ItemsRejected that names the part of the state; ValidationError as it is */
async function ofPart<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof ValidationError) throw error;
    throw new ItemsRejected([{ place: path, error }]);
  }
}
