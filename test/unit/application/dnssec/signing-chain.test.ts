import { RollKey } from '../../../../src/application/dnssec/roll-key';
import { RegistryRejected } from '../../../../src/application/ports/registry/registry-errors';
import { announcedKeys } from '../../../../src/domain/dns/dnssec/parent/cds-records';
import type { DsRecord } from '../../../../src/domain/dns/delegation/ds-record';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { aRecord } from '../../../support/data/a-record';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import {
  closeScenarios,
  openSigningScenario,
  pass,
  RegistrationScenario,
  signAfter,
  stopTime,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const NAME = DomainName.fromState('example.com');
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

function setStatus({ storage }: UseCaseContext, status: 'redemption' | 'active' | 'gone' | 'transferred_out'): void {
  const held = storage.tables.domains.get('dom_1');
  if (held) storage.tables.domains.set('dom_1', { ...held, status });
}

describe('the chain of trust of a domain', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openSigningScenario());
    await around.givenDomain({ id: 'dom_1', name: NAME.value, nameservers: SETTINGS.defaultNameservers });
    // What was known of its delegation before is in no cache.
    for (const clock of [around.clock, around.lifecycleClock]) clock.advance({ ms: 2 * DAY * 1_000 });
    around.publisher.answersFrom('ns1', { kind: 'serves', serial: 1_000, since: new Date(0) });
  });

  afterEach(() => closeScenarios(around, scenario));

  const change = (enabled: boolean) => scenario.changeSigning.execute({ ...OURS, domainId: 'dom_1', enabled });
  const roll = () =>
    new RollKey(around.storage, scenario.signing, around.clock, around.lifecycleClock).execute({
      ...OURS,
      domainId: 'dom_1',
    });
  const signing = async () => around.storage.zoneSignings.find('dom_1');
  const state = async () => (await signing())?.shownState ?? 'off';
  const step = async () => (await signing())?.step;
  const present = async (): Promise<readonly number[]> =>
    (await around.registry.dsRecords(NAME)).map(({ keyTag }: DsRecord) => keyTag);
  const announced = async () => {
    const { cds = 'none', keys = [] } = (await scenario.signer.find('dom_1')) ?? {};
    return announcedKeys(cds, keys).map(({ keyTag }) => keyTag);
  };
  const sent = () => around.registry.calls.filter(({ command }) => command === 'setDsRecords').length;
  const shown = () =>
    around.auditEntries.flatMap(({ action, after: facts }) =>
      action === 'domain.dnssec_changed' ? [facts['state']] : [],
    );
  const waits = () =>
    [...around.storage.tables.events.values()]
      .flat()
      .flatMap(({ type, data }) => (type === 'dnssec.progressed' ? [data['waits_for']] : []));
  const later = (seconds: number) => new Date(around.lifecycleClock.now().getTime() + seconds * 1_000);
  const after = (seconds: number) => signAfter(around, scenario, seconds);
  async function activate(): Promise<void> {
    await change(true);
    await after(0);
    await after(HOUR);
  }

  it('is built by signing, waiting for caches, setting DS records and reading them back', async () => {
    await change(true);
    await after(0);
    expect([await state(), await present()]).toEqual(['publishing', []]);
    await after(HOUR - MINUTE);
    expect([await state(), await present()]).toEqual(['publishing', []]);

    await after(MINUTE);

    expect(await state()).toBe('active');
    expect(await present()).toHaveLength(1);
    expect(scenario.signer.calls).toEqual(['start nsec', 'setCds first']);
    expect(shown()).toEqual(['publishing', 'waiting_for_ds', 'active']);
    expect(waits()).toEqual(['secondaries', 'caches']);
  });

  /** Time passes while secondaries are asked again and again. */
  async function afterLate(seconds: number): Promise<void> {
    const waiting = after(seconds);
    await pass(around, 5_000);
    await waiting;
  }
  const SERVED = { kind: 'serves', serial: 1_000, since: new Date(0) } as const;

  it('is not built before every secondary serves the signed zone, which is an error that names them after a day', async () => {
    const signedAt = around.lifecycleClock.now().toISOString();
    around.publisher.answersFrom('ns2', { kind: 'serves', serial: 0, since: new Date(0) });
    around.publisher.answersFrom('ns3', { kind: 'unreachable' });
    around.publisher.answersFrom('ns4', { kind: 'unknown_zone' });

    await change(true);
    await pass(around, 5_000);
    await afterLate(DAY - MINUTE);
    expect([await state(), (await signing())?.waitsFor]).toEqual(['publishing', 'secondaries']);
    await afterLate(MINUTE);
    expect([await state(), (await signing())?.waitsFor]).toEqual(['error', 'secondaries']);
    expect((await signing())?.toState().problem?.reason).toMatch(
      new RegExp(
        `${signedAt} yet: ns2 .serves serial 0, not \\d+., ns3 .does not respond., ns4 .does not have the zone`,
      ),
    );
    for (const secondary of ['ns2', 'ns3', 'ns4']) around.publisher.answersFrom(secondary, SERVED);
    await after(MINUTE);

    expect([await state(), (await signing())?.waitsFor]).toEqual(['publishing', 'caches']);
    expect(await present()).toEqual([]);
    expect(shown()).toEqual(['publishing', 'error', 'publishing']);
  });

  it.each([
    ['replaced key', () => roll(), 'active'],
    ['removal', () => change(false), 'off'],
  ])('is an error, too, if a secondary does not serve its %s for a day', async (_change, begin, end) => {
    await activate();
    around.publisher.answersFrom('ns2', { kind: 'unreachable' });

    await begin();
    await afterLate(0);
    await afterLate(DAY);
    await afterLate(DAY);
    expect([await state(), (await signing())?.waitsFor]).toEqual(['error', 'secondaries']);
    await change(end === 'active');
    expect([await state(), (await signing())?.waitsFor]).toEqual(['error', 'secondaries']);
    around.publisher.answersFrom('ns2', SERVED);
    await after(MINUTE);

    expect(await state()).toBe(end);
  });

  it('waits for the longest TTL that was published in the last week, even if the record is gone', async () => {
    const record = aRecord({ name: 'old', ttl: 86_400 });
    await around.givenRecords('dom_1', [record]);
    await around.storage.run(async ({ zones }) => {
      const zone = await zones.lock('dom_1');
      const by = { actor: OURS.actor, at: around.clock.now() };
      if (zone) await zones.apply([{ zone, change: { added: [], changed: [], removed: [record] }, by }]);
    });

    await change(true);
    await after(0);
    await after(DAY - 1);
    expect(await state()).toBe('publishing');
    await after(1);

    expect(await state()).toBe('active');
  });

  it('reads the DS records before it sends them again if the response was lost', async () => {
    await change(true);
    await after(0);
    around.registry.next('setDsRecords').losesItsResponse();

    void after(HOUR);
    await pass(around, 20_000);
    await after(MINUTE);

    expect(await state()).toBe('active');
    expect(sent()).toBe(1);
    expect(await present()).toHaveLength(1);
  });

  it('is an error that says why and what to do if the registry refuses, and is built as soon as it agrees', async () => {
    await change(true);
    await after(0);
    around.registry.next('setDsRecords').isRefused('policy', 'no algorithm 13');

    await after(HOUR);
    await after(MINUTE);

    expect(await state()).toBe('error');
    expect((await signing())?.toState().problem).toMatchObject({ reason: expect.stringContaining('no algorithm 13') });
    await after(HOUR);
    expect(await state()).toBe('active');
  });

  it('has one activity entry when the registry refuses, however often, and one when it agrees', async () => {
    await change(true);
    await after(0);
    for (let hour = 0; hour < 3; hour += 1) {
      around.registry.next('setDsRecords').isRefused('policy', 'no algorithm 13');
      await after(HOUR);
      await after(MINUTE);
      expect(await state()).toBe('error');
    }
    expect(sent()).toBe(3);
    expect(shown()).toEqual(['publishing', 'waiting_for_ds', 'error']);

    await after(HOUR);

    expect(await state()).toBe('active');
    expect(shown()).toEqual(['publishing', 'waiting_for_ds', 'error', 'active']);
  });

  it('is not built while the domain is delegated elsewhere, because resolvers would reject its answers', async () => {
    await change(true);
    await after(0);
    await around.storage.run(async ({ domains }) => {
      const domain = await domains.lockAny('dom_1');
      domain?.delegateTo(['ns1.elsewhere.net', 'ns2.elsewhere.net'], around.clock.now());
      if (domain) await domains.save(domain);
    });

    await after(HOUR);

    expect(await state()).toBe('error');
    expect(await present()).toEqual([]);
  });

  it('gets its DS records back if the registry loses them', async () => {
    await activate();
    await around.registry.setDsRecords(NAME, [], 'by-hand');

    await after(DAY);

    expect(await state()).toBe('active');
    expect(await present()).toHaveLength(1);
  });

  it('is taken down in reverse: no DS records, their TTL, no signatures', async () => {
    await activate();

    await change(false);
    await after(0);
    expect([await state(), await present()]).toEqual(['removing_ds', []]);
    await after(DAY - MINUTE);
    expect([await state(), scenario.signer.calls.at(-1)]).toEqual(['removing_ds', 'setCds delete']);
    await after(MINUTE);

    expect(await state()).toBe('off');
    expect(scenario.signer.calls.at(-1)).toBe('stop');
  });

  it('is not built before every nameserver of the parent publishes the DS records, if they can be asked', async () => {
    scenario.parent.published = { sets: [[], []], ttl: undefined };

    await activate();
    expect([await state(), await present()]).toEqual(['waiting_for_ds', [expect.any(Number)]]);
    const dsRecords = await around.registry.dsRecords(NAME);
    scenario.parent.published = { sets: [dsRecords, []], ttl: HOUR };
    await after(MINUTE);
    expect(await state()).toBe('waiting_for_ds');
    scenario.parent.published = { sets: [dsRecords, dsRecords], ttl: HOUR };
    await after(MINUTE);

    expect(await state()).toBe('active');
    expect(sent()).toBe(1);
  });

  it('is an error that says since when if the parent’s nameservers do not publish what the registry confirms, and is built when they do', async () => {
    scenario.parent.published = { sets: [[]], ttl: undefined };
    await activate();
    const sentAt = around.lifecycleClock.now().toISOString();

    await after(DAY - MINUTE);
    expect(await state()).toBe('waiting_for_ds');
    await after(HOUR);
    expect((await signing())?.toState().problem?.reason).toContain(`sent at ${sentAt}`);
    await after(30 * DAY);
    expect([await state(), (await signing())?.waitsFor, sent()]).toEqual(['error', 'registry', 1]);
    scenario.parent.published = { sets: [await around.registry.dsRecords(NAME)], ttl: HOUR };
    await after(HOUR);

    expect(await state()).toBe('active');
    expect(shown()).toEqual(['publishing', 'waiting_for_ds', 'error', 'active']);
  });

  it('is an error that warns of other nameservers if the parent’s nameservers keep DS records that were removed, and is taken down when they follow', async () => {
    await activate();
    scenario.parent.published = { sets: [await around.registry.dsRecords(NAME)], ttl: HOUR };
    await change(false);
    await after(0);
    const sentAt = around.lifecycleClock.now().toISOString();

    await after(DAY);
    expect([await state(), await step()]).toEqual(['error', 'remove_ds']);
    expect((await signing())?.toState().problem).toMatchObject({
      reason: expect.stringMatching(new RegExp(`removal .* sent at ${sentAt}.* still have`)),
      remedy: expect.stringContaining('Do not change the nameservers'),
    });
    scenario.parent.published = { sets: [[]], ttl: undefined };
    await after(HOUR);
    await after(HOUR);

    expect(await state()).toBe('off');
  });

  it('is built after the operation that set the DS records was removed because of its age', async () => {
    scenario.parent.published = { sets: [[]], ttl: undefined };
    await activate();
    setStatus(around, 'redemption');
    await after(40 * DAY);
    around.storage.tables.operations.clear();
    setStatus(around, 'active');
    scenario.parent.published = undefined;
    await after(HOUR);

    expect([await state(), sent()]).toEqual(['active', 2]);
  });

  it('is taken down after the TTL that the parent’s nameservers gave the DS records, from when they removed them', async () => {
    await activate();
    const dsRecords = await around.registry.dsRecords(NAME);
    scenario.parent.published = { sets: [dsRecords], ttl: 2 * HOUR };

    await change(false);
    await after(0);
    expect([await step(), await present()]).toEqual(['remove_ds', []]);
    scenario.parent.published = { sets: [[]], ttl: undefined };
    await after(MINUTE);
    expect(await step()).toBe('wait_without_ds');
    await after(2 * HOUR - 1);
    expect(await step()).toBe('wait_without_ds');
    await after(1);

    expect(await state()).toBe('off');
  });

  it.each([2 * HOUR, 2 * DAY])(
    'keeps signatures after the removal of DS records with a TTL of %d s at least as long as without a resolver, if a nameserver of the parent does not answer',
    async (ttl) => {
      await activate();
      const dsRecords = await around.registry.dsRecords(NAME);
      scenario.parent.published = { sets: [dsRecords], ttl };
      scenario.parent.isComplete = false;
      await change(false);
      await after(0);

      scenario.parent.published = { sets: [[]], ttl: undefined };
      await after(MINUTE);

      expect(await step()).toBe('wait_without_ds');
      expect((await signing())?.toState().until).toEqual(later(Math.max(ttl, DAY)));
    },
  );

  it('keeps signatures for the former TTL also if no nameserver of the parent answers any longer', async () => {
    await activate();
    scenario.parent.published = { sets: [await around.registry.dsRecords(NAME)], ttl: 2 * DAY };
    await change(false);
    await after(0);

    scenario.parent.published = undefined;
    await after(MINUTE);

    expect(await step()).toBe('wait_without_ds');
    expect((await signing())?.toState().until).toEqual(later(2 * DAY));
  });

  it('comes back without new signatures if it is switched on again in time', async () => {
    await activate();
    await change(false);
    await after(0);

    await change(true);
    await after(0);

    expect(await state()).toBe('active');
    expect(await present()).toHaveLength(1);
    expect(scenario.signer.calls).toEqual(['start nsec', 'setCds first', 'setCds delete', 'setCds first']);
  });

  it('survives a key rollover: both DS records, the new one, and the old key goes last', async () => {
    await activate();
    const [old] = await present();

    await roll();
    await after(0);
    expect(await present()).toEqual([old]);
    expect(await announced()).toEqual([old]);
    await after(HOUR);
    const [young] = await present();
    expect(await announced()).toEqual([young]);
    expect(young).not.toBe(old);
    expect(await step()).toBe('wait_for_new_ds');
    expect(sent()).toBe(3);
    await after(DAY);

    expect(await step()).toBe('check');
    expect(await present()).toEqual([young]);
    expect(waits().slice(2)).toEqual(['secondaries', 'caches', 'registry', 'ds_caches', 'service', 'key_lifetime']);
    expect(scenario.signer.calls.slice(2)).toEqual([
      'addKey key_2',
      'setCds keys',
      'retireKey key_1',
      'setCds first',
      'removeKey key_1',
    ]);
  });

  it('survives a key rollover at a registry that takes one DS record: the new one replaces the old one', async () => {
    await activate();
    const [old] = await present();
    const set = around.registry.setDsRecords.bind(around.registry);
    jest.spyOn(around.registry, 'setDsRecords').mockImplementation(async (name, dsRecords, id) => {
      if (dsRecords.length > 1) throw new RegistryRejected('policy', 'This registry takes at most 1 DS records');
      return set(name, dsRecords, id);
    });

    await roll();
    await after(0);
    await after(HOUR - MINUTE);
    expect([await step(), await present()]).toEqual(['wait_for_key', [old]]);
    await after(MINUTE);
    expect([await state(), await step()]).toEqual(['active', 'wait_for_new_ds']);
    const [young] = await present();
    await after(DAY - MINUTE);
    expect(scenario.signer.calls).not.toContain('removeKey key_1');
    await after(MINUTE);

    expect(await step()).toBe('check');
    expect(await present()).toEqual([young]);
    expect(young).not.toBe(old);
    expect(shown()).toEqual(['publishing', 'waiting_for_ds', 'active']);
  });

  it('finishes a key rollover during which DNSSEC was switched off and on again', async () => {
    await activate();
    const [old] = await present();
    await roll();
    await after(0);
    await change(false);
    await after(0);

    await change(true);
    await after(0);
    expect(await present()).toEqual([old]);
    expect(await step()).toBe('wait_for_key');
    await after(7 * DAY);
    await after(DAY);

    expect(await step()).toBe('check');
    expect((await scenario.signer.find('dom_1'))?.keys.map(({ id }) => id)).toEqual(['key_2']);
    expect(await present()).toHaveLength(1);
    expect(await present()).not.toEqual([old]);
  });

  it('comes back with the new key alone after a rollover has retired the former one', async () => {
    await activate();
    await roll();
    await after(0);
    await after(HOUR);
    const young = await present();
    await change(false);
    await after(0);

    await change(true);
    await after(0);
    expect(await present()).toEqual(young);
    await after(7 * DAY);
    await after(DAY);

    expect(await present()).toEqual(young);
    expect((await scenario.signer.find('dom_1'))?.keys.map(({ id }) => id)).toEqual(['key_2']);
  });

  it('refuses a second rollover, and one of a zone that is not active', async () => {
    await expect(roll()).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    await activate();
    await roll();

    await expect(roll()).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
  });

  it('rolls over automatically when the lifetime of the key ends', async () => {
    await closeScenarios(around, scenario);
    stopTime();
    scenario = new RegistrationScenario(around, {}, { keyLifetimeDays: 30, dsTtlSeconds: DAY });
    scenario.runner.start();
    scenario.signing.start();
    await activate();
    const [old] = await present();

    for (let day = 0; day < 32; day += 1) await after(DAY);

    expect(await step()).toBe('check');
    expect(await present()).not.toEqual([old]);
  });

  it.each(['transferred_out', 'gone'] as const)('is dropped with its keys when the domain is %s', async (status) => {
    await activate();
    setStatus(around, status);

    await after(DAY);

    expect(await signing()).toBeUndefined();
    expect(await scenario.signer.find('dom_1')).toBeUndefined();
  });

  it('stays as it is while the domain is in redemption, and continues when it is restored', async () => {
    await change(true);
    await after(0);
    setStatus(around, 'redemption');
    await after(DAY);
    expect([await state(), sent()]).toEqual(['publishing', 0]);
    setStatus(around, 'active');
    await after(HOUR);

    expect(await state()).toBe('active');
  });

  it('needs a secondary: without one, nothing is sent to the registry and the state says why', async () => {
    around.publisher.removeSecondaries();

    await change(true);
    await after(0);

    expect((await signing())?.toState().problem?.reason).toContain('no secondary');
    expect(sent()).toBe(0);
    around.publisher.answersFrom('ns1', { kind: 'serves', serial: 1_000, since: new Date(0) });
    await change(true);
    await after(HOUR);
    expect(await state()).not.toBe('error');
  });
});
