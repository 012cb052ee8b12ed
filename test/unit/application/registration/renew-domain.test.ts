import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  pass,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

describe('renewing a domain', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const renew = (rest: Partial<{ accountId: string; domainId: string; years: number }> = {}) =>
    scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', ...rest });
  const expiry = (id = 'dom_1') => around.storage.tables.domains.get(id)?.expiresAt.toISOString().slice(0, 10);

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain();
  });

  afterEach(() => closeScenarios(around, scenario));

  it('extends it from its expiry, for a year by default', async () => {
    const { domain } = await renew();

    expect(domain.expiresAt).toEqual(new Date('2028-01-01T00:00:00.000Z'));
    expect(expiry()).toBe('2028-01-01');
  });

  it('costs the renewal price for every year, and names it', async () => {
    const { operation } = await renew({ years: 3 });

    expect(around.registry.charges).toEqual([
      { kind: 'renew', name: 'example.com', amount: { minor: 3600, currency: 'USD' } },
    ]);
    expect(operation.request).toMatchObject({ kind: 'renew', years: 3, price: { minor: 3600, currency: 'USD' } });
  });

  it('records who renewed it, and the expiry before and after', async () => {
    await renew();

    expect(around.auditEntries).toMatchObject([
      {
        ...OURS,
        action: 'domain.renewed',
        before: { expiresAt: '2027-01-01T00:00:00.000Z' },
        after: { expiresAt: '2028-01-01T00:00:00.000Z' },
      },
    ]);
  });

  it('turns the 29th of February into the 28th', async () => {
    await around.givenDomain({ id: 'dom_leap', name: 'leap.com', expiresAt: new Date('2028-02-29T12:00:00.000Z') });

    expect((await renew({ domainId: 'dom_leap' })).domain.expiresAt).toEqual(new Date('2029-02-28T12:00:00.000Z'));
  });

  it('reactivates an expired domain', async () => {
    await around.givenDomain({
      id: 'dom_late',
      name: 'late.com',
      status: 'expired',
      expiresAt: new Date('2026-02-20T00:00:00.000Z'),
    });

    const { domain } = await renew({ domainId: 'dom_late' });

    expect(domain.toState()).toMatchObject({ status: 'active', expiresAt: new Date('2027-02-20T00:00:00.000Z') });
  });

  it.each([
    ['price', { limit: { maxPrice: { minor: 11_00, currency: 'USD' } } }, 'price_changed'],
    ['expiry', { currentExpiry: new Date('2026-01-01T00:00:00.000Z') }, 'expiry_differs'],
  ])(
    'is refused, and asks the registry for nothing, where the %s is not the one that was agreed to',
    async (_what, agreed, reason) => {
      await expect(scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', ...agreed })).rejects.toMatchObject({
        reason,
      });

      expect(around.registry.callsOf('renew')).toEqual([]);
      expect(around.storage.tables.operations.size).toBe(0);
    },
  );

  it('is done at the price and from the expiry that were agreed to', async () => {
    await scenario.renewDomain.execute({
      ...OURS,
      domainId: 'dom_1',
      limit: { maxPrice: { minor: 12_00, currency: 'USD' } },
      currentExpiry: new Date('2027-01-01T23:59:59.000Z'),
    });

    expect(expiry()).toBe('2028-01-01');
  });

  it('is refused from an expiry while another renewal is not finished', async () => {
    const late = around.registry.next('renew').respondsLate();
    const first = renew();
    await settled();

    await expect(
      scenario.renewDomain.execute({
        ...OURS,
        domainId: 'dom_1',
        currentExpiry: new Date('2027-01-01T00:00:00.000Z'),
      }),
    ).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' });
    late.release();

    expect((await first).domain.expiresAt).toEqual(new Date('2028-01-01T00:00:00.000Z'));
  });

  it('is validated again with the expiry that another renewal has left meanwhile', async () => {
    const late = around.registry.next('price').respondsLate();
    const overtaken = Promise.allSettled([renew({ years: 5 })]);
    await settled();
    await renew({ years: 5 });

    late.release();

    expect(await overtaken).toMatchObject([{ status: 'rejected', reason: { code: 'VALIDATION_ERROR' } }]);
    expect(around.storage.tables.operations.size).toBe(1);
    expect(expiry()).toBe('2032-01-01');
  });

  it('carries out each of several renewals, from the expiry that the last one left', async () => {
    await Promise.all([renew(), renew({ years: 2 }), renew()]);

    expect(expiry()).toBe('2031-01-01');
    expect(around.registry.charges).toHaveLength(3);
  });

  it('is charged once if the database repeats every unit of work', async () => {
    around.storage.repeatEveryUnit();

    await renew();

    expect(around.registry.charges).toHaveLength(1);
    expect(expiry()).toBe('2028-01-01');
  });

  it('waits for a registration in progress', async () => {
    const registering = around.registry.next('register').respondsLate();
    const { domain } = await scenario.registerDomain.execute({ ...OURS, name: 'new.com', registrant: A_REGISTRANT });
    const renewing = renew({ domainId: domain.id });
    await settled();

    expect(around.registry.callsOf('renew')).toEqual([]);
    registering.release();

    expect((await renewing).domain.expiresAt).toEqual(new Date('2028-03-01T00:00:00.000Z'));
  });

  it.each<[string, string, Parameters<typeof renew>[0]]>([
    ['of a domain that is not there', 'DOMAIN_NOT_FOUND', { domainId: 'dom_unknown' }],
    ["of another account's domain", 'DOMAIN_NOT_FOUND', { accountId: STRANGER.accountId }],
    ['of a domain in redemption', 'DOMAIN_STATUS_CONFLICT', { domainId: 'dom_dying' }],
    ['for no years', 'VALIDATION_ERROR', { years: 0 }],
    ['for half a year', 'VALIDATION_ERROR', { years: 0.5 }],
    ['past ten years from now', 'VALIDATION_ERROR', { years: 10 }],
    ['for more years than the TLD sells', 'VALIDATION_ERROR', { domainId: 'dom_de', years: 2 }],
  ])('%s is refused, and the registry is not asked for it', async (_which, code, rest) => {
    await around.givenDomain({ id: 'dom_dying', name: 'dying.com', status: 'redemption' });
    await around.givenDomain({ id: 'dom_de', name: 'example.de' });
    const before = around.storage.tables;

    await expect(renew(rest)).rejects.toMatchObject({ code });

    expect(around.storage.tables).toEqual(before);
    expect(around.registry.callsOf('renew')).toEqual([]);
  });

  it('is limited to ten years, counting renewals that are not carried out yet', async () => {
    const outcomes = await Promise.allSettled([renew({ years: 5 }), renew({ years: 5 })]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(expiry()).toBe('2032-01-01');
  });

  it('changes nothing and costs nothing if the registry rejects it', async () => {
    around.registry.next('renew').isRefused('credit', 'no money left');

    await expect(renew()).rejects.toMatchObject({ code: 'REGISTRY_REJECTED', details: 'no money left' });

    expect(expiry()).toBe('2027-01-01');
    expect(around.registry.charges).toEqual([]);
    expect(around.auditEntries).toEqual([]);
  });

  it('pays no more than agreed: a price that rose in between is rejected', async () => {
    around.registry.next('renew').isUnreachable();
    const renewing = Promise.allSettled([renew()]);
    await settled();
    around.registry.setPrice('example.com', { renewal: { minor: 99_00, currency: 'USD' } });

    await pass(around, 1_250);

    expect(await renewing).toMatchObject([{ status: 'rejected', reason: { code: 'REGISTRY_REJECTED' } }]);
    expect(around.registry.charges).toEqual([]);
    expect(expiry()).toBe('2027-01-01');
  });

  it('is rejected if the registry has another expiry than the quoted one', async () => {
    around.registry.hold('example.com', { expiresAt: new Date('2027-06-01T00:00:00.000Z') });

    await expect(renew()).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });

    expect(expiry()).toBe('2027-01-01');
    expect(around.registry.charges).toEqual([]);
  });

  it('is not requested if its price is unknown', async () => {
    around.registry.next('price').isUnreachable();

    await expect(renew()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    expect(around.storage.tables.operations.size).toBe(0);
  });
});
