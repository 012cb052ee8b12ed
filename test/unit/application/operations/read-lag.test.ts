import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  pass,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

/** Under a TLD whose registry's reads lag by a minute. */
const NAME = 'example.org';
const COMMAND = { ...OURS, domainId: 'dom_1' };
const RENEWED = new Date('2028-01-01T00:00:00.000Z');
const unwatched = (work: Promise<unknown>) => void work.catch(() => undefined);

describe('a registry whose reads lag behind a command', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const domain = (name = NAME) => [...around.storage.tables.domains.values()].findLast((each) => each.name === name);
  const operation = () => [...around.storage.tables.operations.values()].at(-1);

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain({ id: 'dom_1', name: NAME });
  });
  afterEach(() => closeScenarios(around, scenario));

  describe('whose response was lost', () => {
    beforeEach(() => around.registry.next('renew').losesItsResponse());

    it('gets a renewal once, which stays uncertain until the expiry moves', async () => {
      around.registry.lagReads(NAME);
      unwatched(scenario.renewDomain.execute(COMMAND));

      await pass(around, 50_000);
      expect(operation()).toMatchObject({
        status: 'uncertain',
        error: { message: expect.stringContaining('not show') },
      });
      around.registry.catchUp(NAME);
      await pass(around, 60_000);

      expect(operation()).toMatchObject({ status: 'succeeded' });
      expect(around.registry.callsOf('renew')).toHaveLength(1);
      expect(domain()).toMatchObject({ expiresAt: RENEWED });
    });

    it('gets a renewal that did not arrive again, with the same idempotency key, once its reads have caught up', async () => {
      const expiresAt = domain()?.expiresAt ?? RENEWED;
      unwatched(scenario.renewDomain.execute(COMMAND));
      await pass(around, 100);
      around.registry.hold(NAME, { expiresAt });
      await pass(around, 50_000);
      expect(around.registry.callsOf('renew')).toHaveLength(1);

      await pass(around, 120_000);

      const calls = around.registry.callsOf('renew');
      expect(calls).toHaveLength(2);
      expect(new Set(calls.map(({ transactionId }) => transactionId)).size).toBe(2);
      expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey))).toEqual(new Set([expect.any(String)]));
      expect(operation()).toMatchObject({ status: 'succeeded' });
    });

    it('gets a renewal that did not arrive again as soon as its reads must have caught up', async () => {
      const expiresAt = domain()?.expiresAt ?? RENEWED;
      unwatched(scenario.renewDomain.execute(COMMAND));
      await pass(around, 100);
      around.registry.hold(NAME, { expiresAt });
      await pass(around, 59_000);
      expect(around.registry.callsOf('renew')).toHaveLength(1);

      await pass(around, 1_500);

      expect(around.registry.callsOf('renew')).toHaveLength(2);
      expect(operation()).toMatchObject({ status: 'succeeded' });
    });

    it('gets a renewal again as early although reads failed meanwhile: they sent nothing', async () => {
      const expiresAt = domain()?.expiresAt ?? RENEWED;
      unwatched(scenario.renewDomain.execute(COMMAND));
      await pass(around, 100);
      around.registry.hold(NAME, { expiresAt });
      around.registry.goDown();
      await pass(around, 59_000);
      around.registry.comeUp();

      await pass(around, 1_500);

      expect(around.registry.callsOf('renew')).toHaveLength(2);
      expect(operation()).toMatchObject({ status: 'succeeded' });
    });

    it('is not sent a renewal again by the process that takes over from a killed one', async () => {
      around.registry.lagReads(NAME);
      unwatched(scenario.renewDomain.execute(COMMAND));
      await pass(around, 100);
      const killed = operation();
      // As the killed process left it: running, with a lease that ended.
      await around.storage.run(async ({ operations }) => {
        const found = await operations.find(killed?.id ?? '');
        found?.begin('killed', around.clock.now(), around.clock.now());
        if (found) await operations.save(found);
      });

      await pass(around, 50_000);

      expect(around.registry.callsOf('renew')).toHaveLength(1);
    });
  });

  it('has accepted a renewal that it does not show: what it charged is kept, and it is never sent again', async () => {
    around.registry.lagReads(NAME);
    unwatched(scenario.renewDomain.execute(COMMAND));

    await pass(around, 3_600_000);
    expect(operation()).toMatchObject({ status: 'uncertain', charged: { minor: 12_00, currency: 'USD' } });
    around.registry.catchUp(NAME);
    await pass(around, 600_000);

    expect(operation()).toMatchObject({ status: 'succeeded', charged: { minor: 12_00, currency: 'USD' } });
    expect(around.registry.callsOf('renew')).toHaveLength(1);
    expect(domain()).toMatchObject({ expiresAt: RENEWED });
  });

  it('has accepted a restore that it does not show: what it charged is kept, and it is never sent again', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'deleted.org', status: 'redemption' });
    around.registry.hold('deleted.org', { phase: 'redemption', expiresAt: RENEWED });
    around.registry.lagReads('deleted.org');
    unwatched(scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_2' }));

    await pass(around, 3_600_000);
    expect(operation()).toMatchObject({ status: 'uncertain', charged: { minor: 80_00, currency: 'USD' } });
    around.registry.catchUp('deleted.org');
    await pass(around, 600_000);

    expect(operation()).toMatchObject({ status: 'succeeded', charged: { minor: 80_00, currency: 'USD' } });
    expect(around.registry.callsOf('restore')).toHaveLength(1);
    expect(domain('deleted.org')).toMatchObject({ status: 'active' });
  });

  it('gets one restore: another is refused while the first is not finished, as it would end without a charge', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'deleted.org', status: 'redemption' });
    around.registry.hold('deleted.org', { phase: 'redemption', expiresAt: RENEWED });
    const late = around.registry.next('restore').respondsLate();
    const first = scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_2' });
    unwatched(first);
    await pass(around, 100);

    const second = scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_2' });
    unwatched(second);
    await pass(around, 100);
    late.release();
    await pass(around, 2_000);

    await expect(second).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' });
    expect(await first).toMatchObject({ operation: expect.anything() });
    expect(around.storage.tables.operations.size).toBe(1);
  });

  it('gets a registration whose response was lost once, and the domain is not given up', async () => {
    around.registry.next('register').losesItsResponse();
    around.registry.lagReads('new.org');
    await scenario.registerDomain.execute({ ...OURS, name: 'new.org', registrant: A_REGISTRANT });

    await pass(around, 50_000);
    expect(domain('new.org')).toMatchObject({ status: 'pending' });
    around.registry.catchUp('new.org');
    await pass(around, 60_000);

    expect(around.registry.callsOf('register')).toHaveLength(1);
    expect(domain('new.org')).toMatchObject({ status: 'active', registrant: A_REGISTRANT });
  });

  it('gets a transfer request that did not arrive again as soon as its reads must have caught up', async () => {
    scenario.transfers.start();
    around.registry.holdElsewhere('theirs.org', 'auth-code');
    around.registry.next('requestTransfer').isUnreachable();
    const command = { ...OURS, name: 'theirs.org', authCode: 'auth-code', registrant: A_REGISTRANT };
    await scenario.requestTransfer.execute(command);
    await pass(around, 58_000);
    expect(around.registry.callsOf('requestTransfer')).toHaveLength(1);

    await pass(around, 5_000);

    expect(around.registry.callsOf('requestTransfer')).toHaveLength(2);
  });

  it('gets a transfer request whose response was lost once', async () => {
    scenario.transfers.start();
    around.registry.holdElsewhere('theirs.org', 'auth-code');
    around.registry.lagReads('theirs.org');
    around.registry.next('requestTransfer').losesItsResponse();
    const command = { ...OURS, name: 'theirs.org', authCode: 'auth-code', registrant: A_REGISTRANT };
    await scenario.requestTransfer.execute(command);
    const transfer = () => [...around.storage.tables.transfers.values()].at(-1);

    await pass(around, 50_000);
    expect(transfer()).toMatchObject({ status: 'queued', uncertainSince: expect.any(Date) });
    around.registry.catchUp('theirs.org');
    await pass(around, 60_000);

    expect(around.registry.callsOf('requestTransfer')).toHaveLength(1);
    expect(transfer()).toMatchObject({ status: 'pending', uncertainSince: null });
  });
});
