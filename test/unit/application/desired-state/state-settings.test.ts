import type { StatePlan } from '../../../../src/application/desired-state/state-plan';
import type { Actor } from '../../../../src/domain/access/actor';
import type { DesiredSettings, DesiredState } from '../../../../src/domain/portfolio/desired-state';
import { aRecord } from '../../../support/data/a-record';
import { closeScenarios, openScenario, pass } from '../../../support/use-cases/registration-scenario';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import { applyStateOf } from '../../../support/use-cases/state-use-cases';
import { OURS } from '../../../support/use-cases/use-case-context';

const OTHERS = ['ns1.elsewhere.net', 'ns2.elsewhere.net'];
const told = ({ settings, operations }: StatePlan) => ({
  settings: settings.map(({ name }) => name),
  operations: operations.map(({ kind }) => kind),
});

const commandOf = (state: DesiredState, actor: Actor = OURS.actor) => ({
  ...OURS,
  actor,
  name: 'example.com',
  state,
});

describe('the settings of a desired state', () => {
  let opened: ReturnType<typeof openScenario>;

  beforeEach(async () => {
    opened = openScenario();
    await opened.around.givenDomain({
      id: 'dom_1',
      name: 'example.com',
      nameservers: SETTINGS.defaultNameservers,
      transferLocked: true,
      autoRenew: true,
    });
  });

  afterEach(() => closeScenarios(opened.around, opened.scenario));

  const plan = (settings: DesiredSettings) =>
    applyStateOf(opened.around, opened.scenario).plan(commandOf({ settings }));
  const apply = (state: DesiredState, actor?: Actor) =>
    applyStateOf(opened.around, opened.scenario).execute(commandOf(state, actor));
  const domain = () => opened.around.storage.tables.domains.get('dom_1');

  it('are planned without a change, then queued and changed in one transaction', async () => {
    const settings = { nameservers: OTHERS, transferLocked: false, autoRenew: false, tags: ['Shop'] };
    const before = opened.around.storage.tables;

    const planned = await plan(settings);
    expect(opened.around.storage.tables).toEqual(before);
    const applied = await apply({ settings });
    await pass(opened.around, 1_000);

    expect(told(planned)).toEqual({
      settings: ['nameservers', 'transferLocked', 'autoRenew', 'tags'],
      operations: ['set_nameservers', 'set_transfer_lock'],
    });
    expect(told(applied)).toEqual(told(planned));
    expect(domain()).toMatchObject({ nameservers: OTHERS, transferLocked: false, autoRenew: false, tags: ['shop'] });
  });

  it('are applied once: a second apply is empty, also while the operations wait', async () => {
    const settings = { nameservers: OTHERS, transferLocked: false };
    opened.around.registry.next('setNameservers').isUnreachable();

    const first = await apply({ settings });
    const second = await apply({ settings });
    await pass(opened.around, 60_000);
    const third = await apply({ settings });

    expect(told(first).operations).toHaveLength(2);
    expect(told(second)).toEqual({ settings: [], operations: [] });
    expect(told(third)).toEqual({ settings: [], operations: [] });
    expect(domain()).toMatchObject({ nameservers: OTHERS, transferLocked: false });
  });

  it('do not differ by the order of the nameservers', async () => {
    expect(told(await plan({ nameservers: SETTINGS.defaultNameservers.toReversed() })).operations).toEqual([]);
  });

  it('take the registrant from another domain of the account', async () => {
    const other = await opened.around.givenDomain({ id: 'dom_2', name: 'other.com' });
    const registrant = { ...other.toState().registrant, lastName: 'Another' };
    await opened.around.storage.run(async ({ domains }) => {
      const found = await domains.lockAny('dom_2');
      found?.changeRegistrant(registrant as never, new Date());
      if (found) await domains.save(found);
    });

    const applied = await apply({ settings: { contact: 'other.com' } });
    await pass(opened.around, 1_000);

    expect(told(applied).operations).toEqual(['set_registrant']);
    expect(domain()).toMatchObject({ registrant: { lastName: 'Another' } });
    expect(told(await plan({ contact: 'dom_2' })).operations).toEqual([]);
    await expect(plan({ contact: 'unknown.com' })).rejects.toMatchObject({
      details: expect.stringMatching(/^registrant\.contact must be the name or the id/),
    });
  });

  it('change nothing if the records are refused, and no records if a setting is refused', async () => {
    const before = opened.around.storage.tables;
    const record = { type: 'A', name: 'www', content: '192.0.2.1' };

    await expect(
      apply({ settings: { transferLocked: false }, records: { owner: undefined, records: [{ ...record, ttl: 1 }] } }),
    ).rejects.toMatchObject({ details: expect.stringMatching(/^records\[0\]\.ttl/) });
    await expect(
      apply({ settings: { nameservers: ['one'] }, records: { owner: undefined, records: [record] } }),
    ).rejects.toMatchObject({ code: 'INVALID_NAMESERVERS', details: expect.stringMatching(/^nameservers: /) });

    expect(opened.around.storage.tables).toEqual(before);
  });

  it('are refused if the plan is older, with what has changed', async () => {
    const planned = await plan({ transferLocked: true, tags: ['a'] });
    await apply({ settings: { transferLocked: false } });

    const refused = applyStateOf(opened.around, opened.scenario).execute({
      ...commandOf({ settings: { transferLocked: true, tags: ['a'] } }),
      expected: planned.versions,
    });

    await expect(refused).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
      details: expect.stringMatching(/transfer_locked is now false/),
    });
    expect(domain()).toMatchObject({ tags: [] });
  });

  it('need a key for settings; records alone do not', async () => {
    const actor: Actor = { kind: 'key', id: 'k', limits: { actions: ['read', 'write'] } };
    await opened.around.givenRecords('dom_1', [aRecord()]);

    await expect(apply({ settings: { autoRenew: false } }, actor)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    await expect(
      apply({ settings: { autoRenew: false }, records: { owner: undefined, records: [] } }, actor),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(told(await apply({ records: { owner: undefined, records: [] } }, actor))).toEqual({
      settings: [],
      operations: [],
    });
  });

  it('switch DNSSEC on together with the change to our nameservers', async () => {
    await apply({ settings: { nameservers: OTHERS } });
    await pass(opened.around, 1_000);

    await expect(apply({ settings: { dnssec: { enabled: true } } })).rejects.toMatchObject({
      details: expect.stringMatching(/^dnssec: /),
    });
    const settings = { nameservers: SETTINGS.defaultNameservers, dnssec: { enabled: true } };

    expect(told(await apply({ settings })).settings).toEqual(['nameservers', 'dnssec']);
    expect(told(await apply({ settings })).settings).toEqual([]);
  });

  it('of the registry are refused for a name with DNS only', async () => {
    await opened.around.givenDomain({ id: 'dom_3', name: 'hosted.example', status: 'hosted' });
    const command = { ...commandOf({ settings: { nameservers: OTHERS, tags: ['a'] } }), name: 'hosted.example' };

    await expect(applyStateOf(opened.around, opened.scenario).plan(command)).rejects.toMatchObject({
      details: 'nameservers is for registered names, and hosted.example has DNS only',
    });
  });
});
