import { ChangeAutoRenewal } from '../../../../src/application/registration/settings/change-auto-renewal';
import type { DomainStatus } from '../../../../src/domain/registration/domain-status';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('changing auto-renewal', () => {
  let around: UseCaseContext;
  const change = (autoRenew: boolean, rest: object = {}) =>
    new ChangeAutoRenewal(around.storage, around.plan, around.clock, around.lifecycleClock).execute({
      ...OURS,
      domainId: 'dom_1',
      autoRenew,
      ...rest,
    });
  const stored = (id = 'dom_1') => around.storage.tables.domains.get(id);

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
  });

  it('changes the setting and the time of the change, and nothing else', async () => {
    const before = stored();

    const domain = await change(false);

    expect(stored()).toEqual({
      ...before,
      autoRenew: false,
      dueAt: before?.expiresAt,
      updatedAt: around.lifecycleClock.now(),
    });
    expect(domain.toState()).toEqual(stored());
  });

  it('sends nothing to the registry and publishes no zone', async () => {
    await change(false);

    expect(around.registry.calls).toEqual([]);
    expect(around.storage.tables.zones.get('dom_1')?.version).toBe(1);
  });

  it('records the change and the actor, in real time', async () => {
    await change(false);

    expect(around.auditEntries).toMatchObject([
      {
        ...OURS,
        at: around.clock.now(),
        action: 'domain.auto_renewal_changed',
        domain: { id: 'dom_1' },
        before: { autoRenew: true },
        after: { autoRenew: false },
      },
    ]);
  });

  it('is not recorded if it is as asked already', async () => {
    await change(true);

    expect(around.auditEntries).toEqual([]);
  });

  it.each<DomainStatus>(['pending', 'expired'])('is possible while the domain is %s', async (status) => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com', status });

    await change(false, { domainId: 'dom_2' });

    expect(stored('dom_2')?.autoRenew).toBe(false);
  });

  it.each<[string, string, object]>([
    ['a domain that is not there', 'DOMAIN_NOT_FOUND', { domainId: 'dom_unknown' }],
    ["another account's domain", 'DOMAIN_NOT_FOUND', STRANGER],
    ['a domain in redemption', 'DOMAIN_STATUS_CONFLICT', { domainId: 'dom_dying' }],
  ])('is refused for %s, and changes nothing', async (_which, code, rest) => {
    await around.givenDomain({ id: 'dom_dying', name: 'dying.com', status: 'redemption' });
    const before = around.storage.tables;

    await expect(change(false, rest)).rejects.toMatchObject({ code });

    expect(around.storage.tables).toEqual(before);
  });
});
