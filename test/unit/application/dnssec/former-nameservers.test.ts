import type { DomainState } from '../../../../src/domain/registration/domain';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import {
  closeScenarios,
  openSigningScenario,
  settled,
  signAfter,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const NAME = 'example.com';
const PARKING = ['ns1.parking.net', 'ns2.parking.net'];
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

describe('a domain that had other nameservers', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openSigningScenario());
    await around.givenDomain({ id: 'dom_1', name: NAME, nameservers: SETTINGS.defaultNameservers });
    around.publisher.answersFrom('ns1', { kind: 'serves', serial: 1_000, since: new Date(0) });
    // What was known of its delegation before is in no cache.
    await after(2 * DAY);
  });

  afterEach(() => closeScenarios(around, scenario));

  const change = (enabled: boolean, domainId = 'dom_1') =>
    scenario.changeSigning.execute({ ...OURS, domainId, enabled });
  const signing = async (domainId = 'dom_1') => around.storage.zoneSignings.find(domainId);
  const state = async (domainId?: string) => (await signing(domainId))?.shownState ?? 'off';
  const sent = (command: string) => around.registry.calls.filter((call) => call.command === command).length;
  const nameservers = () => around.storage.tables.domains.get('dom_1')?.nameservers;
  const later = (seconds: number) => new Date(around.lifecycleClock.now().getTime() + seconds * 1_000);
  const after = (seconds: number) => signAfter(around, scenario, seconds);
  async function expectActiveAfter(seconds: number, domainId?: string): Promise<void> {
    await after(0);
    await after(seconds - MINUTE);
    expect(await state(domainId)).toBe('publishing');
    await after(MINUTE);
    expect(await state(domainId)).toBe('active');
  }
  function set(overrides: Partial<DomainState>): void {
    const held = around.storage.tables.domains.get('dom_1');
    if (held) around.storage.tables.domains.set('dom_1', { ...held, ...overrides });
  }
  /** The service reads these nameservers from the registry. */
  async function find(found: readonly string[], present: Partial<DomainState> = {}): Promise<void> {
    around.registry.hold(NAME, { nameservers: found });
    set({ dueAt: around.lifecycleClock.now(), ...present });
    await scenario.lifecycle.runDue();
  }
  async function moveAndReturn(): Promise<void> {
    for (const hosts of [PARKING, SETTINGS.defaultNameservers])
      await scenario.changeNameservers.execute({ ...OURS, domainId: 'dom_1', hosts });
  }

  it('gets its DS records when resolvers no longer have the former ones, which serve no signatures, in caches', async () => {
    await moveAndReturn();
    await after(HOUR);

    await change(true);

    await expectActiveAfter(2 * DAY - HOUR);
  });

  it('waits, too, if they were changed at the registry', async () => {
    await find(PARKING);
    await after(HOUR);
    await find(SETTINGS.defaultNameservers);

    await change(true);

    await expectActiveAfter(2 * DAY);
  });

  it('waits, too, if the registrar registered it later than it was ordered, and with others', async () => {
    await find(PARKING, { status: 'pending' });
    expect([nameservers(), sent('setNameservers')]).toEqual([SETTINGS.defaultNameservers, 1]);

    await change(true);

    await expectActiveAfter(2 * DAY);
  });

  it('waits, too, after a transfer or an import, before which it may have had others', async () => {
    const { id } = await around.givenDomain({
      id: 'dom_2',
      name: 'example.net',
      nameservers: SETTINGS.defaultNameservers,
    });
    await after(HOUR);

    await change(true, id);

    await expectActiveAfter(2 * DAY - HOUR, id);
  });

  it('does not wait after a registration', async () => {
    const { domain } = await scenario.registerDomain.execute({
      ...OURS,
      name: 'example.net',
      registrant: A_REGISTRANT,
      nameservers: SETTINGS.defaultNameservers,
    });
    await settled();

    await change(true, domain.id);

    await expectActiveAfter(HOUR, domain.id);
  });

  it('does not wait after changes that left the nameservers as they are, or in another order', async () => {
    await find(SETTINGS.defaultNameservers, { nameservers: SETTINGS.defaultNameservers.toReversed() });
    await find(SETTINGS.defaultNameservers, { status: 'redemption' });

    await change(true);

    await expectActiveAfter(HOUR);
  });

  it('waits, too, if they were used while DNSSEC was off for a while, and signatures were kept', async () => {
    await change(true);
    await expectActiveAfter(HOUR);
    await change(false);
    await after(0);
    await moveAndReturn();

    await change(true);
    await after(HOUR);
    expect([await state(), (await signing())?.waitsFor]).toEqual(['publishing', 'caches']);
    expect((await signing())?.toState().until).toEqual(later(2 * DAY - HOUR));
    await change(true);
    await after(2 * DAY - HOUR - MINUTE);
    expect([(await signing())?.step, sent('setDsRecords')]).toEqual(['wait_for_signed', 2]);
    await after(MINUTE);

    expect([await state(), sent('setDsRecords')]).toEqual(['active', 3]);
    expect(scenario.signer.calls).toEqual(['start nsec', 'setCds first', 'setCds delete', 'setCds first']);
  });

  it('waits, too, if they were used while the zone was published', async () => {
    await change(true);
    await after(0);
    await moveAndReturn();

    await after(2 * DAY - MINUTE);
    expect([await state(), (await signing())?.waitsFor, sent('setDsRecords')]).toEqual(['publishing', 'caches', 0]);
    await after(MINUTE);

    expect([await state(), sent('setDsRecords')]).toEqual(['active', 1]);
  });

  it('gets its DS records after an advance of a sandbox’s clock', async () => {
    await change(true);
    await after(0);
    await moveAndReturn();

    around.lifecycleClock.advance({ ms: 2 * DAY * 1_000 });
    await scenario.signing.runDue();

    expect(await state()).toBe('active');
  });
});
