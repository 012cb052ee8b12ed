import { RegistryNotContacted } from '../../../../src/application/ports/registry/registry-errors';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  pass,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const RETRY_AFTER_MS = 30_000;
const RETRIED = 1_250;
const [HOSTS, OTHER_HOSTS] = [
  ['ns1.new.net', 'ns2.new.net'],
  ['ns1.other.net', 'ns2.other.net'],
];

describe('operations at a registry that does not respond', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const delegate = (hosts: readonly string[], domainId = 'dom_1') =>
    void scenario.changeNameservers.execute({ ...OURS, domainId, hosts }).catch(() => undefined);
  const operations = () => [...around.storage.tables.operations.values()];
  const answersAgain = async () => {
    around.registry.comeUp();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + RETRY_AFTER_MS);
    await pass(around, RETRY_AFTER_MS + RETRIED);
  };

  /** One operation has found out, and is in doubt. */
  beforeEach(async () => {
    // The circuit breaker counts by it, and the operations by the clock of the scenario.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    ({ around, scenario } = openScenario({ failures: 1, retryAfterMs: RETRY_AFTER_MS }));
    await around.givenDomain();
    await around.givenDomain({ id: 'dom_2', name: 'second.com' });
    around.registry.goDown();
    delegate(HOSTS);
    await settled();
  });
  afterEach(async () => {
    await closeScenarios(around, scenario);
    jest.restoreAllMocks();
  });

  it('stay queued until it may be called again: an unsent command has no unknown outcome', async () => {
    const askedAt = around.clock.now().getTime();
    delegate(HOSTS, 'dom_2');
    delegate(OTHER_HOSTS, 'dom_2');
    await settled();
    const meanwhile = operations();

    await answersAgain();

    expect(meanwhile.map(({ status, uncertainSince }) => [status, uncertainSince !== null])).toEqual([
      ['uncertain', true],
      ['queued', false],
      ['queued', false],
    ]);
    expect(meanwhile[1]?.nextAttemptAt.getTime()).toBeGreaterThanOrEqual(askedAt + RETRY_AFTER_MS);
    expect(operations().map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(around.storage.tables.domains.get('dom_2')).toMatchObject({ nameservers: OTHER_HOSTS });
  });

  it('are not looked up before they are sent', async () => {
    around.registry.comeUp();
    await scenario.registerDomain.execute({ ...OURS, name: 'fresh.com', registrant: A_REGISTRANT });
    await settled();
    const meanwhile = operations().at(-1);

    await answersAgain();

    expect(meanwhile).toMatchObject({ status: 'queued', attempts: 1, error: { code: 'REGISTRY_UNAVAILABLE' } });
    expect(operations().at(-1)).toMatchObject({ status: 'succeeded', error: null });
    expect(around.registry.calls.filter(({ name }) => name === 'fresh.com').map(({ command }) => command)).toEqual([
      'register',
    ]);
  });

  it('keep an unknown outcome if an earlier attempt may have taken effect', async () => {
    await pass(around, RETRIED);
    const meanwhile = operations()[0];

    await answersAgain();

    expect(meanwhile).toMatchObject({ status: 'uncertain', attempts: 2 });
    expect(operations()[0]).toMatchObject({ status: 'succeeded', attempts: 3, uncertainSince: null });
  });

  it('have an unknown outcome if the registry cannot be asked what its rejection means', async () => {
    await answersAgain();
    around.registry.next('renew').isRefused('status');
    around.registry.next('info').failsWith(new RegistryNotContacted());
    const renewing = scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 1 }).catch(() => undefined);
    await settled();

    expect(operations().at(-1)).toMatchObject({ status: 'uncertain', attempts: 1 });

    await answersAgain();
    await renewing;
  });
});
