import { ApplyState } from '../../../src/application/desired-state/apply-state';
import { ApplyToName } from '../../../src/application/desired-state/apply-to-name';
import { ReadState } from '../../../src/application/desired-state/read-state';
import { RegisterByState } from '../../../src/application/desired-state/register-by-state';
import { SettingSteps } from '../../../src/application/desired-state/setting-steps';
import { StateRecords } from '../../../src/application/desired-state/state-records';
import { StateSettings } from '../../../src/application/desired-state/state-settings';
import { StoredStates } from '../../../src/application/desired-state/stored-states';
import { ZoneChangesSince } from '../../../src/application/desired-state/zone-changes-since';
import { ChangeTags } from '../../../src/application/portfolio/change-tags';
import { FindDomain } from '../../../src/application/registration/find-domain';
import { ChangeAutoRenewal } from '../../../src/application/registration/settings/change-auto-renewal';
import { dnsUseCases } from './dns-use-cases';
import { SETTINGS } from './registration-settings';
import { RegistrationScenario } from './registration-scenario';
import type { UseCaseContext } from './use-case-context';

export interface StateUseCases {
  readonly applyToName: ApplyToName;
  readonly registerByState: RegisterByState;
  readonly applyState: ApplyState;
  readonly readState: ReadState;
}

export function applyStateOf(around: UseCaseContext, scenario?: RegistrationScenario): ApplyState {
  return stateUseCases(around, scenario).applyState;
}

export function stateUseCases(around: UseCaseContext, scenario = new RegistrationScenario(around)): StateUseCases {
  const { storage, ids, clock, lifecycleClock, tlds, plan } = around;
  const { zoneWriter, zoneCommit } = dnsUseCases(around);
  const findDomain = new FindDomain(storage.domains);
  const records = new StateRecords(ids, clock);
  const steps = new SettingSteps(
    scenario.queue,
    tlds,
    scenario.takeOverRenewal,
    new ChangeAutoRenewal(storage, plan, clock, lifecycleClock),
    new ChangeTags(storage, clock, lifecycleClock),
    scenario.changeSigning,
  );
  const settings = new StateSettings(findDomain, tlds, steps, scenario.changeSigning, scenario.leaving);
  const stored = new StoredStates(storage.desiredStates, clock);
  const applyToName = new ApplyToName(
    storage.zones,
    zoneWriter,
    storage,
    records,
    settings,
    new ZoneChangesSince(storage.zoneHistory),
    stored,
    SETTINGS,
  );
  const registerByState = new RegisterByState(
    scenario.orders,
    scenario.registerDomain,
    settings,
    records,
    zoneCommit,
    zoneWriter,
    storage,
    stored,
    ids,
  );
  return {
    applyToName,
    registerByState,
    applyState: new ApplyState(findDomain, applyToName, registerByState, stored, clock),
    readState: new ReadState(findDomain, stored, applyToName),
  };
}
