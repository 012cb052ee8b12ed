import { SETTINGS } from '../../../support/use-cases/registration-settings';
import {
  closeScenarios,
  openSigningScenario,
  signAfter,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const HOUR = 3_600;
const DAY = 86_400;

describe('a signed domain', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  const change = (enabled: boolean) => scenario.changeSigning.execute({ ...OURS, domainId: 'dom_1', enabled });
  const signing = async () => around.storage.zoneSignings.find('dom_1');
  const status = () => around.storage.tables.domains.get('dom_1')?.status;
  const asked = () => around.registry.callsOf('dsRecords').length;
  const errors = () => around.log.entries.filter(({ level }) => level === 'error');
  const after = (seconds: number) => signAfter(around, scenario, seconds);

  beforeEach(async () => {
    ({ around, scenario } = openSigningScenario());
    await around.givenDomain({ id: 'dom_1', nameservers: SETTINGS.defaultNameservers });
    // Its former nameservers are in no cache.
    await after(2 * DAY);
    around.publisher.answersFrom('ns1', { kind: 'serves', serial: 1_000, since: new Date(0) });
    await change(true);
    await after(0);
    await after(HOUR);
  });

  afterEach(() => closeScenarios(around, scenario));

  it('is transferred_out and unsigned after the daily check if another registrar holds it, and the registry is asked once', async () => {
    around.registry.hold('example.com', { sponsoredByUs: false });
    const before = asked();

    await after(DAY);
    await after(HOUR / 2);
    const calls = asked() - before;
    await scenario.lifecycle.runDue();
    await after(HOUR);

    expect([calls, status(), await signing()]).toEqual([1, 'transferred_out', undefined]);
    expect(errors()).toEqual([]);
  });

  it('is transferred_out and unsigned if another registrar holds it when its DS records are read back', async () => {
    around.registry.next('dsRecords').isRefused('not_held');

    await change(false);
    await after(0);
    around.registry.hold('example.com', { sponsoredByUs: false });
    await scenario.lifecycle.runDue();
    await after(HOUR);

    expect([status(), await signing()]).toEqual(['transferred_out', undefined]);
  });

  it('is asked for every hour, and shows why, while the registry does not return its DS records but has it as ours', async () => {
    for (let time = 0; time < 2; time += 1) around.registry.next('dsRecords').isRefused('not_held', 'held by X');
    const before = asked();

    await after(DAY);
    await scenario.lifecycle.runDue();
    await after(HOUR);
    const failed = await signing();
    await scenario.lifecycle.runDue();
    await after(HOUR);

    expect(failed?.toState().problem?.reason).toContain('held by X');
    expect([asked() - before, around.registry.callsOf('info').length]).toEqual([3, 1]);
    expect((await signing())?.shownState).toBe('active');
  });
});
