import { inject, injectable } from '../ports/inject';
import { ZoneVersionMismatch } from '../../domain/dns/dns-errors';
import type { DomainState } from '../../domain/registration/domain';
import { ZoneWriter } from '../dns/zones/zone-writer';
import type { Written, ZoneRequest } from '../dns/zones/zone-request';
import { RecordReader } from '../ports/dns/zone-queries';
import { UnitOfWork, type TransactionHook, type CommitStore, type Stores } from '../ports/storage/unit-of-work';
import { RegistrationSettings } from '../registration/registration-settings';
import { NO_CHANGE, planOnly, type StateCommand, type StatePlan } from './state-plan';
import { StatePlanOutdated } from './state-errors';
import { StateRecords, type StateRecordsChange } from './state-records';
import { StateSettings, type AppliedSettings, type PreparedSettings } from './state-settings';
import { StoredStates } from './stored-states';
import { ZoneChangesSince } from './zone-changes-since';

type RecordsPart = Pick<StatePlan, 'change' | 'warnings'> & { readonly zoneVersion: number };

interface SettingsPart {
  readonly prepared: PreparedSettings | undefined;
  /** Absent if the state has none. */
  readonly ofRecords?: RecordsPart | undefined;
  readonly mode?: 'apply' | 'plan' | 'compare';
}

/** Applies a desired state to a name that is here. */
@injectable()
export class ApplyToName {
  constructor(
    @inject(RecordReader) private readonly zones: Pick<RecordReader, 'find'>,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'planWhole' | 'writeWhole'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore>,
    @inject(StateRecords) private readonly records: StateRecords,
    @inject(StateSettings) private readonly settings: StateSettings,
    @inject(ZoneChangesSince) private readonly changesSince: ZoneChangesSince,
    @inject(StoredStates) private readonly stored: StoredStates,
    @inject(RegistrationSettings) private readonly registration: Pick<RegistrationSettings, 'currency'>,
  ) {}

  async plan(command: StateCommand, name: DomainState): Promise<StatePlan> {
    return this.planIn('plan', command, name);
  }

  /** How the name differs from the state, also in settings that cannot be changed to it now. @throws as `plan`, but for their errors */
  async compare(command: StateCommand, name: DomainState): Promise<StatePlan> {
    return this.planIn('compare', command, name);
  }

  private async planIn(mode: 'plan' | 'compare', command: StateCommand, name: DomainState): Promise<StatePlan> {
    const { records } = command.state;
    const prepared = await this.prepared(command, name);
    const planned =
      records &&
      (await this.refusingOutdated(command, name, () =>
        this.writer.planWhole(requestOf(command, name), async () => this.records.decideFor(command.actor, records)),
      ));
    const ofRecords = planned && {
      ...planned,
      warnings: [...planned.result.warnings, ...planned.warnings],
    };
    // Nothing but settings needs a transaction.
    if (!prepared && ofRecords) return this.planOf(name, ofRecords, undefined, true);
    return planOnly((hook) => this.applySettings(command, name, { prepared, ofRecords, mode }, hook));
  }

  async execute(command: StateCommand, name: DomainState, hook: TransactionHook<StatePlan>): Promise<StatePlan> {
    const { actor, state } = command;
    const { records } = state;
    const prepared = await this.prepared(command, name);
    if (!records) return this.applySettings(command, name, { prepared }, hook);
    let applied: { readonly plan: StatePlan; readonly settings: AppliedSettings | undefined } | undefined;
    const within = async (stores: Pick<Stores, CommitStore>, written: Written<StateRecordsChange>) => {
      const { result, zoneVersion, warnings } = written;
      const settings = await this.applyPrepared(stores, command, name, prepared);
      await this.stored.put(stores, command, name, zoneVersion);
      const ofRecords = { change: result.change, zoneVersion, warnings: [...result.warnings, ...warnings] };
      applied = { plan: this.planOf(name, ofRecords, settings), settings };
      await hook(stores, applied.plan);
    };
    await this.refusingOutdated(command, name, () =>
      this.writer.writeWhole(requestOf(command, name), async () => this.records.decideFor(actor, records), within),
    );
    if (!applied) throw new TypeError('a state was committed without its plan');
    if (applied.settings) this.settings.wake(applied.settings);
    return applied.plan;
  }

  private async prepared({ accountId, actor, state }: StateCommand, { id, name }: DomainState) {
    return state.settings && this.settings.prepare({ accountId, actor }, name, state.settings, id);
  }

  /** In a transaction of their own. */
  private async applySettings(
    command: StateCommand,
    name: DomainState,
    { prepared, ofRecords, mode = 'apply' }: SettingsPart,
    hook: TransactionHook<StatePlan>,
  ): Promise<StatePlan> {
    const planned = ofRecords ?? { change: NO_CHANGE, zoneVersion: await this.zoneVersion(name), warnings: [] };
    const { plan, settings } = await this.unitOfWork.run(async (stores) => {
      const applied = await this.applyPrepared(stores, command, name, prepared, mode);
      if (mode === 'apply') await this.stored.put(stores, command, name, planned.zoneVersion);
      const made = this.planOf(name, planned, applied, mode !== 'apply');
      await hook(stores, made);
      return { plan: made, settings: applied };
    }, command.accountId);
    if (settings) this.settings.wake(settings);
    return plan;
  }

  private applyPrepared(
    stores: Pick<Stores, CommitStore>,
    { accountId, actor, expected }: StateCommand,
    { id }: DomainState,
    prepared: PreparedSettings | undefined,
    mode: SettingsPart['mode'] = 'apply',
  ): Promise<AppliedSettings | undefined> {
    if (!prepared) return Promise.resolve(undefined);
    const method = mode === 'compare' ? 'compare' : 'apply';
    return this.settings[method](stores, { accountId, actor }, id, prepared, expected?.settings);
  }

  private async zoneVersion({ id }: DomainState): Promise<number> {
    return (await this.zones.find(id))?.version ?? 0;
  }

  private planOf(
    { id, name }: DomainState,
    { change, zoneVersion, warnings }: RecordsPart,
    settings: AppliedSettings | undefined,
    isPlan = false,
  ): StatePlan {
    const version = isPlan ? settings?.versions.before : settings?.versions.after;
    return {
      name,
      domainId: id,
      change,
      settings: settings?.changes ?? [],
      operations: settings?.operations ?? [],
      cost: { minor: 0, currency: this.registration.currency },
      warnings: [...new Set([...warnings, ...(settings?.warnings ?? [])])],
      versions: { zone: zoneVersion, settings: version ?? null },
    };
  }

  /** Tells what has changed since the plan. */
  private async refusingOutdated<T>(command: StateCommand, name: DomainState, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const { expected } = command;
      if (!expected || !(error instanceof ZoneVersionMismatch)) throw error;
      throw new StatePlanOutdated(await this.changesSince.describe(command, name, expected.zone), { cause: error });
    }
  }
}

function requestOf({ accountId, actor, expected }: StateCommand, { id: domainId }: DomainState): ZoneRequest {
  return { accountId, actor, domainId, expectedVersions: expected && [expected.zone], isState: true };
}
