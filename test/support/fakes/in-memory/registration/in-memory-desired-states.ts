import type {
  DesiredStateReader,
  DesiredStateRepository,
  StoredSettings,
  StoredState,
} from '../../../../../src/application/ports/portfolio/portfolio-repositories';
import { DRIFT_MODULUS } from '../../../../../src/domain/dns/state-drift';
import { zoneOwnerOf } from '../../../../../src/domain/portfolio/desired-state';
import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import { pageOf } from '../in-order';
import type { Tables } from '../tables';

export class InMemoryDesiredStates implements DesiredStateReader, DesiredStateRepository {
  constructor(private readonly tables: () => Tables) {}

  async put(state: StoredState): Promise<void> {
    const { zones, desiredStates, driftedSettings, recordDrift } = this.tables();
    desiredStates.set(state.domainId, state);
    driftedSettings.delete(state.domainId);
    recordDrift.set(state.domainId, 0);
    const zone = zones.get(state.domainId);
    if (!zone) return;
    const { stateOwner: _former, ...unowned } = zone;
    const stateOwner = zoneOwnerOf(state.state);
    zones.set(state.domainId, stateOwner === null ? unowned : { ...unowned, stateOwner });
  }

  async markRecordsDrifted(domainId: string, sum: number | undefined, at: Date): Promise<void> {
    const { desiredStates, driftedSettings, recordDrift } = this.tables();
    const stored = desiredStates.get(domainId);
    if (!stored) return;
    const former = recordDrift.get(domainId);
    const drift = sum === undefined || former === undefined ? undefined : (former + sum) % DRIFT_MODULUS;
    recordDrift.set(domainId, drift);
    driftedSettings.delete(domainId);
    if (drift === 0 && stored.state.settings) driftedSettings.set(domainId, true);
    const ends = drift === 0 && !stored.state.settings;
    desiredStates.set(domainId, { ...stored, driftedAt: ends ? null : (stored.driftedAt ?? at) });
  }

  async markSettingsDrifted(domainId: string, at: Date): Promise<void> {
    const { desiredStates, driftedSettings } = this.tables();
    const stored = desiredStates.get(domainId);
    if (!stored) return;
    if (!stored.driftedAt) driftedSettings.set(domainId, true);
    desiredStates.set(domainId, { ...stored, driftedAt: stored.driftedAt ?? at });
  }

  async endDriftOfSettings(domainId: string): Promise<void> {
    const { desiredStates, driftedSettings } = this.tables();
    const stored = desiredStates.get(domainId);
    if (driftedSettings.delete(domainId) && stored) desiredStates.set(domainId, { ...stored, driftedAt: null });
  }

  async lockSettings(domainId: string): Promise<StoredSettings | undefined> {
    const { accountId, state } = this.tables().desiredStates.get(domainId) ?? {};
    return accountId !== undefined && state?.settings ? { accountId, settings: state.settings } : undefined;
  }

  async drifted(accountId: string, limit: number, after?: ListPosition): Promise<readonly StoredState[]> {
    const drifted = [...this.tables().desiredStates.values()]
      .filter((each) => each.accountId === accountId)
      .flatMap((state) => (state.driftedAt ? [{ createdAt: state.driftedAt, id: state.domainId, state }] : []));
    return pageOf(drifted, limit, after).map(({ state }) => state);
  }

  async find(accountId: string, domainId: string): Promise<StoredState | undefined> {
    const found = this.tables().desiredStates.get(domainId);
    return found?.accountId === accountId ? found : undefined;
  }

  async hasGone(accountId: string, name: string): Promise<boolean> {
    return this.tables().goneNames.has(goneKey({ accountId, name }));
  }
}

export function goneKey({ accountId, name }: { readonly accountId: string; readonly name: string }): string {
  return `${accountId} ${name}`;
}
