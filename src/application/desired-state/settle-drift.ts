import { inject, injectable } from '../ports/inject';
import type { DnsRecordState, RecordDraft } from '../../domain/dns/records/dns-record';
import { isOfState } from '../../domain/dns/state-drift';
import {
  versionWithout,
  type DesiredSettings,
  type DesiredState,
  type SettingChange,
} from '../../domain/portfolio/desired-state';
import { DomainNotFound } from '../../domain/shared/domain-errors';
import { RecordReader } from '../ports/dns/zone-queries';
import { ApplyState } from './apply-state';
import { ReadState } from './read-state';
import type { StateCommand, StatePlan } from './state-plan';

/** `expected`: the versions of the drift that a person has looked at. */
export type SettleDriftCommand = Omit<StateCommand, 'state'>;

const PAGE_SIZE = 1_000;

/** Ends the drift of a name from its desired state, one way or the other. @throws as `ApplyState`; DomainNotFound without a state */
@injectable()
export class SettleDrift {
  constructor(
    @inject(ReadState) private readonly readState: Pick<ReadState, 'execute'>,
    @inject(ApplyState) private readonly applyState: Pick<ApplyState, 'execute'>,
    @inject(RecordReader) private readonly records: Pick<RecordReader, 'page'>,
  ) {}

  /** Makes the name what its state says. */
  async setBack(command: SettleDriftCommand): Promise<StatePlan> {
    const { stored, invalid } = await this.find(command);
    if (invalid) throw invalid;
    return this.applyState.execute({ ...command, state: stored.state });
  }

  /** Makes the state what the name is: its records in the place of those of the state, and the settings that the state has. */
  async adopt(command: SettleDriftCommand): Promise<StatePlan> {
    const { owner, stored, drift } = await this.find(command);
    const { records, settings } = stored.state;
    const state: DesiredState = {
      ...stored.state,
      ...(records && { records: { owner: records.owner, records: await this.present(owner.id, records.owner) } }),
      ...(settings && { settings: adopted(settings, drift.settings) }),
    };
    return this.applyState.execute({ ...command, state, expected: adoptedVersions(command.expected, drift) });
  }

  private async find(command: SettleDriftCommand) {
    const { owner, stored, drift, invalid } = await this.readState.execute(command);
    if (!stored || !drift) throw invalid ?? new DomainNotFound('No desired state was applied to it');
    return { owner, stored, drift, invalid };
  }

  /** The records that a state of this owner lists. */
  private async present(domainId: string, owner: string | undefined): Promise<readonly RecordDraft[]> {
    const found: DnsRecordState[] = [];
    for (let page = await this.records.page(domainId, {}, PAGE_SIZE); page.length > 0;) {
      found.push(...page);
      const last = page.at(-1);
      page = page.length < PAGE_SIZE || !last ? [] : await this.records.page(domainId, {}, PAGE_SIZE, last);
    }
    return found.filter((record) => isOfState(record, owner ?? '')).map(toDraft);
  }
}

function toDraft({
  id: _id,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  written: _written,
  ...draft
}: DnsRecordState): RecordDraft {
  return draft;
}

/** Without the registrant that leaves the state, unless the name was changed since a person looked at its drift. */
function adoptedVersions(expected: SettleDriftCommand['expected'], { settings, versions }: StatePlan) {
  if (!expected?.settings || expected.settings !== versions.settings) return expected;
  if (!settings.some(({ name }) => name === 'registrant')) return expected;
  return { ...expected, settings: versionWithout('registrant', expected.settings) };
}

/** A contact cannot be told from a registrant, so a registrant that was changed by other ways leaves the state. */
function adopted(settings: DesiredSettings, drift: readonly SettingChange[]): DesiredSettings {
  const drifted = new Map(drift.map(({ name, before }) => [name, before]));
  const { contact, ...rest } = settings;
  const present = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, drifted.get(name as SettingChange['name']) ?? value]),
  );
  return { ...present, ...(contact !== undefined && !drifted.has('registrant') && { contact }) };
}
