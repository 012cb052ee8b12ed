import type { RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { driftOf } from '../../../../src/domain/dns/state-drift';
import { aRecord } from '../../../support/data/a-record';
import { dnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { RegistrationScenario } from '../../../support/use-cases/registration-scenario';
import { stateUseCases } from '../../../support/use-cases/state-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

const A: RecordDraft = { type: 'A', name: 'www', content: '192.0.2.1' };
const NAME = { ...OURS, name: 'example.com' };

describe('the drift of a name from its desired state', () => {
  let around: UseCaseContext;

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: 'example.com' });
  });

  const apply = (records: readonly RecordDraft[], owner?: string) =>
    stateUseCases(around).applyState.execute({ ...NAME, state: { records: { owner, records } } });
  const read = () => stateUseCases(around).readState.execute(NAME);
  const add = (draft: RecordDraft) => dnsUseCases(around).addRecord.execute({ ...OURS, domainId: 'dom_1', draft });
  const drifts = () => [...around.storage.tables.events.values()].flat().filter(({ type }) => type === 'zone.drifted');

  it('is none before a state was applied, and empty after', async () => {
    expect(await read()).toMatchObject({ stored: undefined, drift: undefined });

    await apply([A], 'git');

    const { stored, drift } = await read();
    expect(stored).toMatchObject({ state: { records: { owner: 'git', records: [A] } }, zoneVersion: 2 });
    expect(drift?.change).toEqual({ added: [], changed: [], removed: [] });
    expect(drifts()).toEqual([]);
  });

  it('is an event for each change past the state, and the plan sets it back', async () => {
    await apply([A], 'git');
    const [stored] = around.storage.tables.zones.get('dom_1')?.records ?? [];

    await dnsUseCases(around).changeRecord.execute({
      ...OURS,
      domainId: 'dom_1',
      recordId: stored?.id ?? '',
      patch: { content: '192.0.2.9' },
    });

    expect(drifts()).toMatchObject([
      { data: { version: 3, managed_by: 'git', added_count: 0, changed_count: 1, removed_count: 0 } },
    ]);
    expect((await read()).drift?.change.changed).toHaveLength(1);
    await apply([A], 'git');
    expect((await read()).drift?.change.changed).toEqual([]);
    expect(drifts()).toHaveLength(1);
  });

  it('is no event for records of others if the state has an owner, and one if it has the whole zone', async () => {
    await apply([A], 'git');
    await add({ ...A, name: 'by-hand' });
    expect(drifts()).toEqual([]);

    await apply([A]);
    await add({ ...A, name: 'again' });

    expect(drifts()).toMatchObject([{ data: { managed_by: null, added_count: 1 } }]);
  });

  it('leaves out the PTR records that the service keeps', async () => {
    await apply([A]);

    await add({ type: 'TXT', name: 'kept', content: 'x', managedBy: 'ptr' });

    expect(drifts()).toEqual([]);
    expect((await read()).drift?.change.removed).toEqual([]);
  });

  it('leaves out what the service keeps for zones below and for their parents', () => {
    const delegation = aRecord({
      type: 'NS',
      name: 'below',
      content: 'ns1.example.net',
      managedBy: `zone_${'0'.repeat(26)}`,
    });

    expect(driftOf({ added: [delegation], changed: [], removed: [] }, '')).toBeUndefined();
  });

  it('is no longer told once a state without records was applied', async () => {
    await apply([A]);
    await stateUseCases(around).applyState.execute({ ...NAME, state: { settings: { tags: ['x'] } } });

    await add({ ...A, name: 'by-hand' });

    expect(drifts()).toEqual([]);
  });

  it('is planned without storing the state', async () => {
    await around.givenRecords('dom_1', [aRecord()]);
    await stateUseCases(around).applyState.plan({ ...NAME, state: { records: { owner: undefined, records: [] } } });

    expect((await read()).stored).toBeUndefined();
  });

  it('is marked when the registry reports another setting', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com', dueAt: around.lifecycleClock.now() });
    const scenario = new RegistrationScenario(around);
    const state = { settings: { transferLocked: true } };
    await stateUseCases(around, scenario).applyState.execute({ ...NAME, name: 'other.com', state });
    around.registry.hold('other.com', { transferLocked: false });

    await scenario.lifecycle.runDue();

    expect(around.storage.tables.desiredStates.get('dom_2')?.driftedAt).toEqual(around.clock.now());
  });

  it('of another account is not found', async () => {
    await apply([A]);

    await expect(stateUseCases(around).readState.execute({ ...NAME, ...STRANGER })).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
  });
});
