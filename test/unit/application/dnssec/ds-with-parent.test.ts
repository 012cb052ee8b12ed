import { RollKey } from '../../../../src/application/dnssec/roll-key';
import { announcedKeys } from '../../../../src/domain/dns/dnssec/parent/cds-records';
import { dsRecordOf, type DsRecord } from '../../../../src/domain/dns/delegation/ds-record';
import { Domain } from '../../../../src/domain/registration/domain';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import {
  closeScenarios,
  openSigningScenario,
  pass,
  signAfter,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const NAME = 'example.com';
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const SERVED = { kind: 'serves', serial: 1_000, since: new Date(0) } as const;

describe('the chain of trust of a domain whose registrar takes no DS records', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openSigningScenario());
    const [policy] = around.tlds.all();
    if (!policy) throw new Error('no TLD');
    jest.spyOn(around.tlds, 'forName').mockReturnValue({ ...policy, unsupported: ['delegation_signers'] });
    await around.givenDomain({ id: 'dom_1', name: NAME, nameservers: SETTINGS.defaultNameservers });
    for (const clock of [around.clock, around.lifecycleClock]) clock.advance({ ms: 2 * DAY * 1_000 });
    around.publisher.answersFrom('ns1', SERVED);
    publish([]);
  });
  afterEach(async () => {
    await closeScenarios(around, scenario);
    jest.restoreAllMocks();
  });

  const publish = (...sets: readonly (readonly DsRecord[])[]) => {
    scenario.agent.published = { sets, ttl: sets.flat().length > 0 ? HOUR : undefined };
  };
  const change = (enabled: boolean) => scenario.changeSigning.execute({ ...OURS, domainId: 'dom_1', enabled });
  const roll = () =>
    new RollKey(around.storage, scenario.signing, around.clock, around.lifecycleClock).execute({
      ...OURS,
      domainId: 'dom_1',
    });
  const signing = async () => around.storage.zoneSignings.find('dom_1');
  const state = async () => (await signing())?.shownState ?? 'off';
  const step = async () => (await signing())?.step;
  const after = (seconds: number) => signAfter(around, scenario, seconds);
  /** What the CDS records of the zone ask for. */
  const asked = async (): Promise<readonly DsRecord[]> => {
    const { cds = 'none', keys = [] } = (await scenario.signer.find('dom_1')) ?? {};
    return announcedKeys(cds, keys).map(({ publicKey }) => dsRecordOf(NAME, { flags: 257, algorithm: 13, publicKey }));
  };
  const follow = async () => publish(await asked());
  async function activate(): Promise<void> {
    await change(true);
    await after(0);
    await after(HOUR);
    await follow();
    await after(MINUTE);
  }

  it('is built when the parent has the DS records that the CDS records ask for, and the registry is not asked', async () => {
    await change(true);
    await after(0);
    expect(scenario.signer.calls).toEqual(['start nsec']);
    await after(HOUR);
    expect([await state(), (await signing())?.waitsFor, scenario.signer.calls.at(-1)]).toEqual([
      'waiting_for_ds',
      'parent',
      'setCds first',
    ]);
    await after(MINUTE);
    expect(await state()).toBe('waiting_for_ds');

    await follow();
    await after(MINUTE);

    expect(await state()).toBe('active');
    expect(scenario.agent.notified).toEqual([`${NAME} CDS`]);
    expect(around.registry.calls.filter(({ command }) => command.endsWith('DsRecords'))).toEqual([]);
  });

  it('is built at once by a parent that follows the notification', async () => {
    scenario.agent.onNotify = () => void follow();
    await change(true);
    await after(0);
    await after(HOUR);
    await after(1);

    expect(await state()).toBe('active');
    expect((await signing())?.toState().notice).toMatchObject({ outcome: 'accepted', receiver: 'scanner.test:53' });
  });

  it('notifies the parent only when every secondary serves the CDS records', async () => {
    await change(true);
    await after(0);
    const serial = (await around.storage.zones.find('dom_1'))?.serial ?? 0;
    around.publisher.answersFrom('ns1', { ...SERVED, serial });
    await after(HOUR - 1);
    const waiting = after(1);
    await pass(around, 5_000);
    await waiting;
    expect([(await signing())?.waitsFor, scenario.agent.notified]).toEqual(['secondaries', []]);

    around.publisher.answersFrom('ns1', SERVED);
    await after(MINUTE);

    expect([(await signing())?.waitsFor, scenario.agent.notified.length]).toEqual(['parent', 1]);
  });

  it('is not built while one of the parent’s nameservers has other DS records, or none of them answers', async () => {
    await change(true);
    await after(0);
    await after(HOUR);

    publish(await asked(), []);
    await after(MINUTE);
    expect(await state()).toBe('waiting_for_ds');
    scenario.agent.published = undefined;
    await after(MINUTE);
    expect(await state()).toBe('waiting_for_ds');
    await after(DAY);

    expect(await state()).toBe('error');
    expect((await signing())?.toState().problem?.reason).toMatch(/^The nameservers of the parent zone do not answer/);
    publish([]);
    await after(HOUR);
    expect((await signing())?.toState().problem?.remedy).toMatch(/^Set them where the domain is managed/);
    await follow();
    await after(HOUR);
    expect(await state()).toBe('active');
  });

  it.each([
    ['no_receiver', HOUR, 2],
    ['no_response', HOUR, 2],
    ['accepted', HOUR, 1],
    ['accepted', DAY, 2],
  ] as const)('notifies again after %s, %i seconds later: %i times', async (outcome, seconds, times) => {
    scenario.agent.result = { outcome, receiver: null, error: null };
    await change(true);
    await after(0);
    await after(HOUR);

    await after(seconds);

    expect(scenario.agent.notified).toHaveLength(times);
  });

  it('survives a key rollover: the CDS records ask for both DS records, and then for the new one', async () => {
    await activate();
    const [old] = await asked();

    await roll();
    await after(0);
    expect(await asked()).toEqual([old]);
    await after(HOUR);
    const both = await asked();
    expect(both).toHaveLength(2);
    await after(MINUTE);
    expect(await step()).toBe('add_second_ds');
    await follow();
    await after(MINUTE);
    expect([await step(), await asked()]).toEqual(['replace_ds', both.slice(1)]);
    await follow();
    await after(MINUTE);
    expect(await step()).toBe('wait_for_new_ds');
    await after(HOUR);

    expect(await step()).toBe('check');
    expect(scenario.signer.calls.at(-1)).toBe('removeKey key_1');
    expect(scenario.agent.notified).toHaveLength(3);
  });

  it('survives a person who replaces the DS record of the old key by that of the new one at once', async () => {
    await activate();
    await roll();
    await after(0);
    await after(HOUR);
    const [, young] = await asked();

    publish([young as DsRecord]);
    await after(MINUTE);

    expect(await step()).toBe('wait_for_new_ds');
    expect(scenario.agent.notified).toHaveLength(2);
  });

  it('is taken down when the parent has no DS records any more, and their TTL has passed', async () => {
    await activate();
    await change(false);
    await after(0);
    expect([await state(), scenario.signer.calls.at(-1)]).toEqual(['removing_ds', 'setCds delete']);
    await after(DAY);
    await after(HOUR);
    expect((await signing())?.toState().problem?.remedy).toMatch(/^Remove them where the domain is managed/);
    expect(scenario.signer.calls).not.toContain('stop');

    publish([]);
    await after(HOUR);
    expect(await step()).toBe('wait_without_ds');
    await after(HOUR);

    expect(await state()).toBe('off');
    expect(scenario.signer.calls.at(-1)).toBe('stop');
  });

  it('is compared once a day, and asks again if the DS records were changed', async () => {
    await activate();
    publish([]);
    await after(DAY);

    expect(await state()).toBe('waiting_for_ds');
    await follow();
    await after(MINUTE);
    expect(await state()).toBe('active');
  });

  it('stays as it is while the parent cannot be asked', async () => {
    await activate();
    scenario.agent.published = undefined;
    await after(DAY);

    expect(await state()).toBe('active');
  });

  it('waits for the setting’s time if not all of the parent’s nameservers answer', async () => {
    await activate();
    await change(false);
    await after(0);
    publish([]);
    scenario.agent.isComplete = false;
    await after(MINUTE);

    expect((await signing())?.toState().until).toEqual(new Date(around.lifecycleClock.now().getTime() + DAY * 1_000));
  });
});

describe('the chain of trust of a hosted name', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const ours = SETTINGS.defaultNameservers;

  beforeEach(async () => {
    ({ around, scenario } = openSigningScenario());
    await around.givenDomain({ id: 'dom_1', name: 'k8s.corp.example', nameservers: ours, status: 'hosted' });
    around.publisher.answersFrom('ns1', SERVED);
    scenario.agent.published = { sets: [[]], ttl: undefined };
  });
  afterEach(() => closeScenarios(around, scenario));

  const delegate = (...sets: readonly (readonly string[])[]) => {
    scenario.agent.delegation = { sets, isComplete: true, ttl: 2 * HOUR };
  };
  const change = (enabled: boolean) => scenario.changeSigning.execute({ ...OURS, domainId: 'dom_1', enabled });
  const signing = async () => around.storage.zoneSignings.find('dom_1');
  const after = (seconds: number) => signAfter(around, scenario, seconds);
  const follow = async () => {
    const { dsRecords } = (await signing())?.toState() ?? {};
    scenario.agent.published = { sets: [dsRecords ?? []], ttl: HOUR };
  };

  it.each([
    ['other nameservers', [[...ours], ['ns1.elsewhere.test']]],
    ['some of them', [[...ours, 'ns1.elsewhere.test']]],
    ['none', [[]]],
  ])('is not begun while the parent delegates it to %s', async (_what, sets) => {
    delegate(...sets);
    await change(true);
    await after(0);

    expect((await signing())?.toState().problem?.reason).toMatch(
      /^The parent zone delegates the name to nameservers that/,
    );
    expect(scenario.signer.calls).toEqual([]);
    delegate(ours);
    await after(HOUR);
    expect((await signing())?.shownState).toBe('publishing');
  });

  it('is not begun while the parent cannot be asked', async () => {
    await change(true);
    await after(0);

    expect((await signing())?.toState().problem?.reason).toMatch(/^The nameservers of the parent zone do not answer/);
  });

  it('waits for the TTL of the delegation, and becomes active with the DS records of the parent', async () => {
    delegate(ours);
    await change(true);
    await after(0);
    await after(2 * HOUR - MINUTE);
    expect([(await signing())?.shownState, scenario.agent.notified]).toEqual(['publishing', []]);
    await after(MINUTE);
    expect((await signing())?.waitsFor).toBe('parent');
    await follow();
    await after(MINUTE);

    expect((await signing())?.shownState).toBe('active');
    expect(around.registry.calls).toEqual([]);
  });

  it('announces no keys if the delegation has changed meanwhile', async () => {
    delegate(ours);
    await change(true);
    await after(0);
    delegate(['ns1.elsewhere.test']);
    await after(2 * HOUR);

    expect([(await signing())?.shownState, scenario.signer.calls]).toEqual(['error', ['start nsec']]);
  });

  it('is not begun for a name that is not verified', async () => {
    await around.storage.run(async ({ domains }) => {
      const held = await domains.lockAny('dom_1');
      if (held) await domains.save(Domain.fromState({ ...held.toState(), status: 'unverified' }));
    });

    await expect(change(true)).rejects.toMatchObject({ code: 'ZONE_NOT_VERIFIED' });
  });
});
