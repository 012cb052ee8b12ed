import { ChangeAutoRenewal } from '../../../src/application/registration/settings/change-auto-renewal';
import { closeScenarios, openScenario, pass } from '../../support/use-cases/registration-scenario';
import { OURS, STRANGER, UseCaseContext } from '../../support/use-cases/use-case-context';

describe('a use case in isolation', () => {
  it('gets its ports from the context, and the test checks what it stored', async () => {
    const around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', autoRenew: true });
    const changeAutoRenewal = new ChangeAutoRenewal(around.storage, around.plan, around.clock, around.lifecycleClock);

    await changeAutoRenewal.execute({ ...OURS, domainId: 'dom_1', autoRenew: false });

    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ autoRenew: false });
    expect(around.registry.calls).toEqual([]);
  });

  it('stores nothing if it rejects the request', async () => {
    const around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1' });
    const before = around.storage.tables;
    const changeAutoRenewal = new ChangeAutoRenewal(around.storage, around.plan, around.clock, around.lifecycleClock);

    await expect(changeAutoRenewal.execute({ ...STRANGER, domainId: 'dom_1', autoRenew: false })).rejects.toMatchObject(
      { code: 'DOMAIN_NOT_FOUND' },
    );

    expect(around.storage.tables).toEqual(before);
  });

  it('runs against a registry that the test controls, without waiting', async () => {
    const { around, scenario } = openScenario();
    await around.givenDomain({ id: 'dom_1' });
    around.registry.next('renew').losesItsResponse();

    const renewing = scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 1 });
    await pass(around, 2_000);

    expect((await renewing).domain.toState()).toMatchObject({ expiresAt: new Date('2028-01-01T00:00:00.000Z') });
    expect(around.registry.charges).toHaveLength(1);
    await closeScenarios(around, scenario);
  });
});
