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

describe('a deletion that the account requested', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain({ id: 'dom_1', createdAt: new Date('2026-02-27T00:00:00.000Z') });
  });
  afterEach(() => closeScenarios(around, scenario));

  const remove = async () => scenario.deleteDomain.execute({ ...OURS, domainId: 'dom_1' });

  it('within the add grace period ends the life and frees the name', async () => {
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

  it('of a name that was transferred away before is not a deletion', async () => {
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
      scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_1', agreed: { minor: 80_00, currency: 'USD' } }),
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

  it('whose response was lost is found, and not paid for again', async () => {
    around.registry.next('restore').losesItsResponse();

    const restoring = restore();
    await pass(around, 2_000);
    await restoring;

    expect(around.registry.charges).toHaveLength(1);
  });

  it('whose lock cannot be sent to the registry has an unknown outcome, and is not sent again', async () => {
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

  it('that was requested and waits for more is continued', async () => {
    around.registry.next('restore').losesItsResponse();
    const restoring = restore();
    await settled();
    around.registry.hold('example.com', { phase: 'pending_restore' });

    await pass(around, 2_000);
    await restoring.catch(() => undefined);

    expect(around.registry.callsOf('restore')).toHaveLength(2);
  });

  it('that is pending and waits for nothing is not a failure', async () => {
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
});
