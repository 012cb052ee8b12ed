import type { DomainState } from '../../../../src/domain/registration/domain';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import type { RegistryDomain } from '../../../../src/application/ports/registry/registry-port';
import {
  closeScenarios,
  openScenario,
  pass,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { LifecyclePlan } from '../../../../src/application/operations/lifecycle-plan';
import { VisibleDomains } from '../../../../src/application/registration/visible-domains';
import { TldPolicies } from '../../../../src/domain/registration/names/tld-policy';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { DomainAttention } from '../../../../src/http/dashboard/overview/attention-items';
import { ChangeAutoRenewal } from '../../../../src/application/registration/settings/change-auto-renewal';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const at = (day: string) => new Date(`${day}T00:00:00.000Z`);
/** The registry renews by itself, and the operator lets the service delete names five days before. */
const FACTS: Partial<RegistryDomain> = { registrarRenews: true, deletableBeforeRenewal: true };
const EXPIRY = at('2027-01-01');
const DEADLINE = at('2026-12-27');

describe('a domain with auto-renewal off at a registry that renews every domain', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const domain = () => around.storage.tables.domains.get('dom_1');
  const operations = () =>
    [...around.storage.tables.operations.values()].map(({ request, status }) => [request.kind, status]);
  const deletes = () => around.registry.callsOf('delete').length;
  const on = async (day: string) => {
    around.lifecycleClock.advance({ ms: at(day).getTime() - around.lifecycleClock.now().getTime() });
    await scenario.lifecycle.runDue();
  };
  const given = async (overrides: Partial<DomainState> = {}, facts: Partial<RegistryDomain> = {}) => {
    const off = { autoRenew: false, registrarRenews: true, expiresAt: EXPIRY, dueAt: DEADLINE };
    await around.givenDomain({ id: 'dom_1', ...off, ...overrides });
    around.registry.hold('example.com', { ...FACTS, expiresAt: EXPIRY, ...facts });
  };
  const offer = (deleteUnrenewedDays: number | undefined) => {
    const { deleteUnrenewedDays: _present, ...com } = around.tlds.forName(DomainName.parse('example.com')) ?? {};
    const policy = {
      ...com,
      unsupported: ['renewal', 'registrar_renewal'],
      ...(deleteUnrenewedDays && { deleteUnrenewedDays }),
    };
    jest.spyOn(around.tlds, 'forName').mockReturnValue(policy as never);
  };
  const switchTo = async (autoRenew: boolean) =>
    new ChangeAutoRenewal(around.storage, around.plan, around.clock, around.lifecycleClock).execute({
      ...OURS,
      domainId: 'dom_1',
      autoRenew,
    });
  /** Stores the deletion while the registry cannot be reached. */
  const givenWaitingDeletion = async () => {
    await given();
    await scenario.runner.stop();
    around.lifecycleClock.advance({ ms: DEADLINE.getTime() - around.lifecycleClock.now().getTime() });
    void scenario.lifecycle.runDue();
    await pass(around, 100);
    expect(operations()).toEqual([['delete', 'queued']]);
  };
  const resume = async () => {
    scenario.runner.start();
    await pass(around, 2_000);
  };

  beforeEach(() => {
    ({ around, scenario } = openScenario());
    offer(5);
  });
  afterEach(() => closeScenarios(around, scenario));

  it('is deleted at the configured time before its expiry, not earlier', async () => {
    await given();

    await on('2026-12-26');
    expect([deletes(), domain()]).toMatchObject([0, { status: 'active', autoRenew: false }]);
    expect(around.plan.dates(domain()!)).toMatchObject({ deletionDueAt: DEADLINE });
    await on('2026-12-27');

    expect(domain()).toMatchObject({ status: 'redemption' });
    expect(operations()).toEqual([['delete', 'succeeded']]);
    expect(around.auditEntries.map(({ action }) => action)).toContain('domain.deleted');
  });

  it('is deleted once if the response to the delete is lost', async () => {
    await given();
    around.registry.next('delete').losesItsResponse();

    const running = on('2026-12-27');
    await pass(around, 3_000);
    await running;

    expect([deletes(), domain()]).toMatchObject([1, { status: 'redemption' }]);
  });

  it.each<[string, Partial<DomainState>, Partial<RegistryDomain>]>([
    ['auto-renewal is on', { autoRenew: true }, {}],
    ['the registry has another expiry than we believed', {}, { expiresAt: at('2026-12-29') }],
    ['the registry has renewed it', {}, { expiresAt: at('2028-01-01') }],
    ['a transfer is pending', {}, { transferPending: true }],
    ['the registry does not renew it', {}, { registrarRenews: false }],
    ['another registrar holds it', {}, { sponsoredByUs: false }],
    ['it is in a grace period', {}, { phase: 'auto_renew_grace' }],
    ['the registry does not know it', {}, { name: DomainName.parse('other.com') }],
    ['it came to us after the time of deletion', { createdAt: at('2026-12-27') }, {}],
  ])('is not deleted if %s', async (_why, overrides, facts) => {
    await given(overrides, facts);
    if (facts.name) around.registry.letGo('example.com');

    await on('2026-12-27');

    expect([deletes(), operations()]).toEqual([0, []]);
  });

  it('is not deleted after its expiry, when the registry may have renewed it', async () => {
    await given();

    await on('2027-01-01');

    expect([deletes(), operations()]).toEqual([0, []]);
  });

  it('is not deleted, and auto-renewal is on, if the operator removes the setting', async () => {
    offer(undefined);
    await given({}, { deletableBeforeRenewal: false });

    await on('2026-12-27');

    expect([deletes(), domain()]).toMatchObject([0, { status: 'active', autoRenew: true }]);
  });

  it('is deleted a check later if the registry reports another expiry that stays', async () => {
    await given({}, { expiresAt: at('2026-12-29') });

    await on('2026-12-27');
    expect(deletes()).toBe(0);
    around.lifecycleClock.advance({ ms: 3_600_000 });
    await scenario.lifecycle.runDue();

    expect([deletes(), domain()]).toMatchObject([1, { status: 'redemption' }]);
  });

  it('is kept if auto-renewal is switched on before the deletion is sent', async () => {
    await givenWaitingDeletion();

    await switchTo(true);
    await resume();

    expect([deletes(), operations()]).toEqual([0, [['delete', 'failed']]]);
    expect(domain()).toMatchObject({ status: 'active', autoRenew: true });
  });

  it('is kept if the registry renews it before the deletion is sent', async () => {
    await givenWaitingDeletion();

    around.registry.hold('example.com', { expiresAt: at('2028-01-01') });
    await resume();

    expect([deletes(), operations()]).toEqual([0, [['delete', 'failed']]]);
  });

  it('cannot have auto-renewal on again while a deletion may have been sent', async () => {
    await given();
    around.registry.next('delete').losesItsResponse();
    const running = on('2026-12-27');
    await pass(around, 100);

    await expect(switchTo(true)).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    await pass(around, 3_000);
    await running;
  });

  it('is not deleted by switching auto-renewal off too late', async () => {
    await given({ autoRenew: true, dueAt: EXPIRY });
    await on('2026-12-28');

    await expect(switchTo(false)).rejects.toMatchObject({
      code: 'DOMAIN_STATUS_CONFLICT',
      details: expect.stringContaining('2026-12-27'),
    });
    expect(domain()).toMatchObject({ autoRenew: true });
  });

  it('has auto-renewal on after a restore', async () => {
    await given();
    await on('2026-12-27');
    around.registry.hold('example.com', { phase: 'registered', expiresAt: at('2028-01-01') });

    await on('2027-02-15');

    expect(domain()).toMatchObject({ status: 'active', autoRenew: true });
  });

  it('has auto-renewal as wanted, with the next check at the deletion', async () => {
    await given({ autoRenew: true, dueAt: EXPIRY });

    await switchTo(false);
    expect(domain()).toMatchObject({ autoRenew: false, dueAt: DEADLINE });
    await switchTo(true);

    expect(domain()).toMatchObject({ autoRenew: true, dueAt: EXPIRY });
    expect(scenario.takeOverRenewal.registrarRenewalFor(domain()!, { autoRenew: false })).toBeUndefined();
  });
});

describe('the overview of domains that end soon', () => {
  it('shows a deletion that is due soon, however many domains expire before it', async () => {
    const around = new UseCaseContext();
    const now = around.lifecycleClock.now();
    const off = { autoRenew: false, registrarRenews: true };
    for (let index = 0; index < 101; index += 1)
      await around.givenDomain({ ...off, id: `dom_${index}`, name: `n${index}.com`, expiresAt: addDays(now, 40) });
    await around.givenDomain({ ...off, id: 'dom_net', name: 'n.net', expiresAt: addDays(now, 80) });
    const policies = new TldPolicies(
      around.registry.policies().map((tld) => ({ ...tld, ...(tld.suffix === 'net' && { deleteUnrenewedDays: 60 }) })),
    );
    const attention = new DomainAttention(
      new VisibleDomains(around.storage.domainQueries),
      new LifecyclePlan(policies, { leadDays: 30, retryDays: 1 }),
      policies,
      around.lifecycleClock,
    );

    const { ending } = await attention.find(OURS);

    expect(ending.map(({ domain, deadline }) => [domain.name, deadline])).toEqual([['n.net', addDays(now, 20)]]);
  });
});
