import { RegistryNotContacted } from '../../../../src/application/ports/registry/registry-errors';
import { ChangeAutoRenewal } from '../../../../src/application/registration/settings/change-auto-renewal';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  pass,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('a deletion that the account requested', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain({ id: 'dom_1', createdAt: new Date('2026-02-27T00:00:00.000Z') });
  });
  afterEach(() => closeScenarios(around, scenario));

  const remove = async () => scenario.deleteDomain.execute({ ...OURS, domainId: 'dom_1' });

  it('ends the life and frees the name within the add grace period', async () => {
    await remove();

    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'gone' });
    await around.givenDomain({ id: 'dom_2' });
  });

  it('is possible for the same time after the registry’s confirmation, however late that arrives', async () => {
    await scenario.runner.stop();
    around.lifecycleClock.advance({ days: 2 });
    const {
      domain: { id },
    } = await scenario.registerDomain.execute({ ...OURS, name: 'late.com', registrant: A_REGISTRANT });
    around.lifecycleClock.advance({ days: 4 });
    scenario.runner.start();
    await pass(around, 500);
    around.lifecycleClock.advance({ days: 4 });

    await scenario.deleteDomain.execute({ ...OURS, domainId: id });

    expect(around.storage.tables.domains.get(id)).toMatchObject({ status: 'gone' });
  });

  it('is rejected from the end of the period on, with advice', async () => {
    around.lifecycleClock.advance({ days: 3 });

    await expect(remove()).rejects.toMatchObject({
      code: 'DOMAIN_STATUS_CONFLICT',
      details: expect.stringContaining('auto-renewal'),
    });
  });

  it('is found if its response was lost', async () => {
    around.registry.next('delete').losesItsResponse();

    const removing = remove();
    await pass(around, 2_000);
    await removing;

    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'gone' });
  });

  it('has a known outcome if the check before it gets no response', async () => {
    around.registry.next('info').isUnreachable();
    const removing = remove().catch(() => undefined);
    await pass(around, 250);
    const meanwhile = [...around.storage.tables.operations.values()].map(({ status, uncertainSince }) => [
      status,
      uncertainSince,
    ]);

    await pass(around, 7_000);
    await removing;

    expect(meanwhile).toEqual([['queued', null]]);
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'gone' });
  });

  it('fails the operations behind it without calling the registry', async () => {
    const late = around.registry.next('delete').respondsLate();
    const both = Promise.allSettled([
      remove(),
      scenario.changeTransferLock.execute({ ...OURS, domainId: 'dom_1', locked: false }),
    ]);
    await settled();

    late.release();

    expect(await both).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'DOMAIN_NOT_FOUND' } },
    ]);
    expect(around.registry.callsOf('setTransferLock')).toEqual([]);
    expect([...around.storage.tables.operations.values()].map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  it('is no deletion if the name was transferred away before', async () => {
    around.registry.hold('example.com', { sponsoredByUs: false, createdAt: new Date('2026-02-27T00:00:00.000Z') });

    await expect(remove()).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });

    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'active' });
  });
});

describe('a restore', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain({ id: 'dom_1', status: 'redemption', expiresAt: new Date('2026-01-01T00:00:00.000Z') });
    around.registry.hold('example.com', { phase: 'redemption', expiresAt: new Date('2026-01-01T00:00:00.000Z') });
  });
  afterEach(() => closeScenarios(around, scenario));

  const restore = async () => scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_1' });

  it('restores the domain at the quoted price, with a year if its term has ended', async () => {
    const { price } = await scenario.restoreDomain.review({ ...OURS, domainId: 'dom_1' });

    await restore();

    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({
      status: 'active',
      expiresAt: new Date('2027-01-01T00:00:00.000Z'),
      phaseEndsAt: null,
    });
    expect(around.registry.charges).toMatchObject([{ kind: 'restore', amount: price }]);
  });

  it('is rejected without calling the registry if the price is not the agreed one', async () => {
    await expect(
      scenario.restoreDomain.execute({
        ...OURS,
        domainId: 'dom_1',
        limit: { maxPrice: { minor: 80_00, currency: 'USD' } },
      }),
    ).rejects.toMatchObject({ reason: 'price_changed' });

    expect(around.registry.callsOf('restore')).toEqual([]);
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'redemption' });
  });

  it('costs no renewal if the term has not ended at the registry, whatever this service has stored', async () => {
    around.registry.hold('example.com', { expiresAt: new Date('2027-01-01T00:00:00.000Z') });

    expect((await scenario.restoreDomain.review({ ...OURS, domainId: 'dom_1' })).price).toEqual({
      minor: 80_00,
      currency: 'USD',
    });
  });

  it('is found if its response was lost, and not paid for again', async () => {
    around.registry.next('restore').losesItsResponse();

    const restoring = restore();
    await pass(around, 2_000);
    await restoring;

    expect(around.registry.charges).toHaveLength(1);
  });

  it('has an unknown outcome if its lock cannot be sent to the registry, and is not sent again', async () => {
    around.registry.hold('example.com', { phase: 'redemption', transferLocked: false });
    around.registry.next('setTransferLock').failsWith(new RegistryNotContacted());

    const restoring = restore();
    await settled();
    const [meanwhile] = [...around.storage.tables.operations.values()];
    await pass(around, 2_000);
    await restoring;

    expect(meanwhile).toMatchObject({ status: 'uncertain' });
    expect(around.registry.callsOf('restore')).toHaveLength(1);
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'active', transferLocked: true });
  });

  it('is continued if it was requested and waits for more', async () => {
    around.registry.next('restore').losesItsResponse();
    const restoring = restore();
    await settled();
    around.registry.hold('example.com', { phase: 'pending_restore' });

    await pass(around, 2_000);
    await restoring.catch(() => undefined);

    expect(around.registry.callsOf('restore')).toHaveLength(2);
  });

  it('is not a failure while it is pending and waits for nothing', async () => {
    around.registry.next('restore').losesItsResponse();
    const restoring = restore();
    await settled();
    around.registry.hold('example.com', { phase: 'pending_restore' });
    around.registry.next('restore').isRefused('status');

    await pass(around, 2_000);
    await restoring;

    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'redemption' });
    expect([...around.storage.tables.operations.values()].map(({ status }) => status)).toEqual(['succeeded']);
  });

  it('is checked at once and then every hour if the registry decides later', async () => {
    around.registry.next('restore').losesItsResponse();
    const restoring = restore();
    await settled();
    around.registry.hold('example.com', {
      phase: 'pending_restore',
      phaseEndsAt: new Date('2026-04-01T00:00:00.000Z'),
    });
    around.registry.next('restore').isRefused('status');
    await pass(around, 2_000);
    await restoring;

    await scenario.lifecycle.runDue();
    const dueAt = around.storage.tables.domains.get('dom_1')?.dueAt;
    around.registry.hold('example.com', { phase: 'registered', expiresAt: new Date('2027-01-01T00:00:00.000Z') });
    around.lifecycleClock.advance({ ms: 3_600_000 });
    await scenario.lifecycle.runDue();

    expect(dueAt).toEqual(around.lifecycleClock.now());
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'active' });
  });

  it.each([
    ['no term', { expiresAt: new Date('2026-01-01T00:00:00.000Z') }],
    ['a year by itself', { phase: 'auto_renew_grace' as const, expiresAt: new Date('2027-01-01T00:00:00.000Z') }],
  ])(
    'is followed by a renewal after the end of the term, not by another deletion, if the registry adds %s',
    async (_what, facts) => {
      await around.givenDomain({
        id: 'dom_2',
        name: 'kept.com',
        status: 'redemption',
        autoRenew: false,
        renewalTriedAt: new Date('2025-12-20T00:00:00.000Z'),
        expiresAt: new Date('2026-01-01T00:00:00.000Z'),
      });
      around.registry.hold('kept.com', { phase: 'redemption', expiresAt: new Date('2026-01-01T00:00:00.000Z') });
      jest.spyOn(around.registry, 'restore').mockImplementation(async (name) => {
        around.registry.hold(name.value, { phase: 'registered', ...facts });
        return (await around.registry.info(name)) ?? Promise.reject(new TypeError('not held'));
      });

      await scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_2' });
      await scenario.lifecycle.runDue();

      expect(around.registry.callsOf('delete')).toEqual([]);
      expect(around.storage.tables.domains.get('dom_2')).toMatchObject({
        status: 'active',
        expiresAt: new Date('2027-01-01T00:00:00.000Z'),
      });
    },
  );
});

describe('the deletion of an expired domain after its renewal grace period', () => {
  const EXPIRY = new Date('2026-01-01T00:00:00.000Z');
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    const expired = { id: 'dom_1', status: 'expired', expiresAt: EXPIRY } as const;
    await around.givenDomain({ ...expired, autoRenew: false, dueAt: around.lifecycleClock.now() });
    around.registry.hold('example.com', { expiresAt: EXPIRY });
  });
  afterEach(() => closeScenarios(around, scenario));

  const operations = () =>
    [...around.storage.tables.operations.values()].map(({ request, status }) => [request.kind, status]);
  const domain = () => around.storage.tables.domains.get('dom_1');
  /** Stores the deletion while the registry cannot be reached. */
  const givenWaitingDeletion = async () => {
    await scenario.runner.stop();
    void scenario.lifecycle.runDue();
    await pass(around, 100);
    expect(operations()).toEqual([['delete', 'queued']]);
  };
  const renew = async () => scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1' }).catch(() => undefined);

  it('is sent if nothing has changed', async () => {
    await givenWaitingDeletion();
    scenario.runner.start();
    await pass(around, 2_000);

    expect(domain()).toMatchObject({ status: 'redemption' });
  });

  it('is not sent if the account has ordered a renewal since', async () => {
    await givenWaitingDeletion();
    const renewing = renew();
    scenario.runner.start();
    await pass(around, 2_000);
    await renewing;

    expect(around.registry.callsOf('delete')).toEqual([]);
    expect(operations()).toEqual([
      ['delete', 'failed'],
      ['renew', 'succeeded'],
    ]);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: new Date('2027-01-01T00:00:00.000Z') });
  });

  it('is not repeated if it did not arrive and the account has ordered a renewal since', async () => {
    around.registry.next('delete').isUnreachable();
    const running = scenario.lifecycle.runDue();
    await pass(around, 100);
    const renewing = renew();
    await pass(around, 5_000);
    await Promise.all([running, renewing]);

    expect(around.registry.callsOf('delete')).toHaveLength(1);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: new Date('2027-01-01T00:00:00.000Z') });
  });

  it('is not sent if auto-renewal has been switched on since', async () => {
    await givenWaitingDeletion();
    await new ChangeAutoRenewal(around.storage, around.plan, around.clock, around.lifecycleClock).execute({
      ...OURS,
      domainId: 'dom_1',
      autoRenew: true,
    });
    scenario.runner.start();
    await pass(around, 2_000);
    await scenario.lifecycle.runDue();
    await pass(around, 2_000);

    expect(around.registry.callsOf('delete')).toEqual([]);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: new Date('2027-01-01T00:00:00.000Z') });
  });
});
