import type { Log } from '../../../../src/application/ports/system';
import { failingWork } from '../../../../src/application/shared/outage';
import {
  closeScenarios,
  openScenario,
  pass,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const COMMAND = { ...OURS, domainId: 'dom_1' };
const HOSTS = ['ns1.new.net', 'ns2.new.net'];
const WAIT_MS = 5_000;
const failingPolls = (log: Log) => failingWork(log).get('polling operations of other processes');

/** How a request ended: the error that it failed with, or undefined. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a request for an operation', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const delegate = (by = scenario) => by.changeNameservers.execute({ ...COMMAND, hosts: HOSTS });
  const operations = () => [...around.storage.tables.operations.values()];

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain();
  });

  afterEach(() => closeScenarios(around, scenario));

  it('stores the operation and its requester before it calls the registry', async () => {
    const late = around.registry.next('setNameservers').respondsLate();
    const delegating = delegate();
    await settled();

    expect(operations()).toMatchObject([
      {
        ...OURS,
        domainId: 'dom_1',
        request: { kind: 'set_nameservers', hosts: HOSTS },
        status: 'running',
        attempts: 1,
      },
    ]);

    late.release();
    await delegating;
  });

  it('is logged at its begin and its end if it waits during a database outage, not at every poll', async () => {
    const late = around.registry.next('setNameservers').respondsLate();
    const delegating = delegate();
    await settled();

    around.storage.goDown();
    await pass(around, 2_000);
    around.storage.comeUp();
    await pass(around, 500);
    late.release();
    await delegating;

    const told = around.log.entries.filter(({ message }) =>
      message.startsWith('polling operations of other processes'),
    );
    expect(told.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('leaves no failing work behind if it ends during a database outage', async () => {
    const late = around.registry.next('setNameservers').respondsLate();
    const delegating = failureOf(delegate());
    await settled();

    around.storage.goDown();
    await pass(around, 2_000);
    const before = failingPolls(around.log);
    await pass(around, WAIT_MS);
    await delegating;
    await pass(around, 2_000);

    expect([before, failingPolls(around.log)]).toEqual([1, 0]);
    around.storage.comeUp();
    late.release();
  });

  it('is answered with the operation that it began, as it ended', async () => {
    const { operation } = await delegate();

    expect(operation.toState()).toEqual(operations()[0]);
    expect(operation.toState()).toMatchObject({ status: 'succeeded', finishedAt: around.clock.now() });
  });

  it('waits for a limited time; the operation, which the response names, continues', async () => {
    const late = around.registry.next('setNameservers').respondsLate();
    const failing = failureOf(delegate());
    await pass(around, WAIT_MS);
    const failure = await failing;
    const [operation] = operations();

    late.release();
    await settled();

    expect(failure).toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
      operationId: operation?.id,
      details: expect.stringContaining(operation?.id ?? '?') as string,
    });
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ nameservers: HOSTS });
    expect(operations()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('returns the operation even if the registry rejects it', async () => {
    around.registry.next('setNameservers').isRefused('policy', 'not today');

    expect(await failureOf(delegate())).toMatchObject({
      code: 'REGISTRY_REJECTED',
      details: 'not today',
      operationId: operations()[0]?.id,
    });
  });

  it('is not delayed by a process that ends', async () => {
    around.registry.next('setNameservers').respondsLate();
    const failing = failureOf(delegate());
    await settled();

    scenario.waits.release();

    expect(await failing).toMatchObject({ code: 'REGISTRY_UNAVAILABLE', operationId: operations()[0]?.id });
  });

  it('gets an error if its operation cannot be stored, and nothing is started', async () => {
    around.storage.goDown();

    expect(await failureOf(delegate())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    around.storage.comeUp();
    await pass(around, 1_000);
    expect(operations()).toEqual([]);
    expect(around.registry.calls).toEqual([]);
  });

  describe('while the outcome of another of its kind is unknown', () => {
    beforeEach(async () => {
      around.registry.goDown();
      void failureOf(delegate());
      await settled();
    });

    it('is rejected with the conflicting record in the response', async () => {
      expect(await failureOf(delegate())).toMatchObject({
        code: 'OPERATION_IN_PROGRESS',
        details: expect.stringContaining(operations()[0]?.id ?? '?') as string,
      });
      expect(operations()).toHaveLength(1);
    });

    it('is accepted if it is of another kind, and waits for its turn', async () => {
      const unlocking = scenario.changeTransferLock.execute({ ...COMMAND, locked: false });
      await settled();
      around.registry.comeUp();

      await pass(around, 2_000);

      expect((await unlocking).domain.toState()).toMatchObject({ transferLocked: false, nameservers: HOSTS });
    });

    it('is accepted for another domain', async () => {
      await around.givenDomain({ id: 'dom_2', name: 'second.com' });
      around.registry.comeUp();

      await scenario.changeNameservers.execute({ ...COMMAND, domainId: 'dom_2', hosts: HOSTS });

      expect(around.storage.tables.domains.get('dom_2')).toMatchObject({ nameservers: HOSTS });
    });

    it('is accepted again once the outcome is known', async () => {
      around.registry.comeUp();
      await pass(around, 2_000);

      await delegate();

      expect(operations()).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
    });
  });

  it('seals an auth code that no request has fetched', async () => {
    const late = around.registry.next('issueAuthCode').respondsLate();
    void failureOf(scenario.issueAuthCode.execute(COMMAND));
    await pass(around, WAIT_MS);
    late.release();
    await settled();

    const [operation] = operations();

    expect(operation).toMatchObject({
      status: 'succeeded',
      handover: { until: new Date(around.clock.now().getTime() + 60 * 60_000) },
    });
    expect(operation?.handover?.sealed).not.toContain('auth-code');
  });
});
