import type { QuoteRequest } from '../../../../src/application/registration/quote-domains';
import { RegistrationOrders } from '../../../../src/application/registration/registration-orders';
import { SearchDomains } from '../../../../src/application/registration/search-domains';
import { TldPolicies } from '../../../../src/domain/registration/names/tld-policy';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import { SOME_TLDS } from '../../../support/data/some-tlds';
import {
  closeScenarios,
  openScenario,
  pass,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { SETTINGS } from '../../../support/use-cases/registration-settings';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const usd = (minor: number) => ({ minor, currency: 'USD' });
const at = (day: string) => new Date(`${day}T00:00:00.000Z`);
/** 12 for two years and 5 for one: no multiple of one another. */
const UNEVEN = {
  registration: usd(5_00),
  renewal: usd(7_00),
  terms: { registration: { 2: usd(12_00) }, renewal: { 2: usd(13_00) } },
};

describe('the price of a term that is not a multiple of the price of a year', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const quote = async (...requests: readonly QuoteRequest[]) =>
    (await scenario.quoteDomains.execute(OURS, requests)).quotes;
  const operations = () => [...around.storage.tables.operations.values()];

  const renew = (years: number) => scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years });
  /** Expired, and renewed by the registry itself. */
  const givenExpired = async (name: string, addedYears: number) => {
    around.lifecycleClock.advance({ days: 310 });
    await around.givenDomain({ name, status: 'expired', expiresAt: at('2027-01-01') });
    around.registry.hold(name, { phase: 'auto_renew_grace', expiresAt: at(`${2027 + addedYears}-01-01`), addedYears });
  };

  beforeEach(() => {
    ({ around, scenario } = openScenario());
    around.registry.setPrice('example.com', UNEVEN);
  });
  afterEach(() => closeScenarios(around, scenario));

  it('is quoted as the registry’s fee of the term, together with the fee of one year', async () => {
    expect(await quote({ name: 'example.com', years: 2 }, { name: 'example.com' })).toMatchObject([
      { name: 'example.com', years: 2, price: { registration: usd(5_00), renewal: usd(7_00), total: usd(12_00) } },
      { name: 'example.com', years: 1, price: { registration: usd(5_00), renewal: usd(7_00), total: usd(5_00) } },
    ]);
  });

  it('is agreed to and charged in a registration', async () => {
    const { operation } = await scenario.registerDomain.execute({
      ...OURS,
      name: 'example.com',
      years: 2,
      registrant: A_REGISTRANT,
      limit: { maxPrice: usd(12_00) },
    });
    await settled();

    expect(operation.request).toMatchObject({ price: usd(12_00) });
    expect(around.registry.charges).toEqual([{ kind: 'register', name: 'example.com', amount: usd(12_00) }]);
    expect(operations()).toMatchObject([{ status: 'succeeded', charged: usd(12_00) }]);
  });

  it('is agreed to and charged in a renewal', async () => {
    await around.givenDomain();

    const { operation } = await scenario.renewDomain.execute({
      ...OURS,
      domainId: 'dom_1',
      years: 2,
      limit: { maxPrice: usd(13_00) },
      currentExpiry: at('2027-01-01'),
    });

    expect(operation.toState()).toMatchObject({ request: { price: usd(13_00) }, charged: usd(13_00) });
  });

  it('is quoted for the shortest term of a TLD that does not sell one year, with its price per year rounded to the cent', async () => {
    around.registry.setPrice('example.ai', {
      registration: usd(1),
      terms: { registration: { 2: usd(139_99), 3: usd(200_00) } },
    });

    expect(await quote({ name: 'example.ai' }, { name: 'example.ai', years: 3 })).toMatchObject([
      { name: 'example.ai', years: 2, price: { registration: usd(70_00), renewal: usd(12_00), total: usd(139_99) } },
      { name: 'example.ai', years: 3, price: { registration: usd(70_00), renewal: usd(12_00), total: usd(200_00) } },
    ]);
  });

  it('is shown beside an order with the price of the shortest renewal, which may be shorter than the shortest registration', async () => {
    const policies = new TldPolicies(SOME_TLDS.map((policy) => ({ ...policy, renewalYears: { min: 1, max: 5 } })));
    const orders = new RegistrationOrders(around.registry, policies, SETTINGS);

    const order = await orders.review(OURS, { name: 'example.ai', years: 2, registrant: A_REGISTRANT });

    expect([order.term.years, order.renewal.years]).toEqual([2, 1]);
  });

  it('is shown by a search as a year’s share of the shortest terms that are sold', async () => {
    around.registry.setPrice('example.ai', {
      terms: { registration: { 2: usd(139_99) }, renewal: { 2: usd(150_00) } },
    });

    const { results } = await new SearchDomains(around.registry, around.tlds, SETTINGS).execute({
      ...OURS,
      query: 'example',
      tlds: ['com', 'ai'],
    });

    expect(results).toMatchObject([
      { years: 1, price: { registration: usd(5_00), renewal: usd(7_00) } },
      { years: 2, price: { registration: usd(70_00), renewal: usd(75_00) } },
    ]);
  });

  it('keeps the default of one year for a registration and a renewal, and lists the sold terms if one year is not among them', async () => {
    await around.givenDomain({ id: 'dom_ai', name: 'held.ai' });

    const problems = { issues: [{ path: 'years', message: 'must be from 2 to 5 for .ai' }] };
    await expect(
      scenario.registerDomain.execute({ ...OURS, name: 'example.ai', registrant: A_REGISTRANT }),
    ).rejects.toMatchObject(problems);
    await expect(scenario.renewDomain.execute({ ...OURS, domainId: 'dom_ai' })).rejects.toMatchObject(problems);
  });

  it('names every term that is possible for a renewal, with its price and the new expiry', async () => {
    await around.givenDomain({ expiresAt: at('2033-06-01') });

    expect(await scenario.renewDomain.choices({ ...OURS, domainId: 'dom_1' })).toEqual([
      { years: 1, price: usd(7_00), expiresAt: at('2034-06-01') },
      { years: 2, price: usd(13_00), expiresAt: at('2035-06-01') },
    ]);
  });

  describe('in the auto-renew grace period', () => {
    it('is the fee of the added year and the fee of the years that are ordered in addition', async () => {
      await givenExpired('example.com', 1);

      const { domain, operation } = await renew(2);

      expect(operation.toState()).toMatchObject({ request: { price: usd(14_00) }, charged: usd(14_00) });
      expect(around.registry.charges).toEqual([{ kind: 'renew', name: 'example.com', amount: usd(7_00) }]);
      expect(domain.expiresAt).toEqual(at('2029-01-01'));
    });

    it('is not exceeded if the domain expires between the agreement and the renewal', async () => {
      await around.givenDomain();
      const late = around.registry.next('price').respondsLate();
      const renewing = renew(2);
      await settled();
      around.registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: at('2028-01-01') });
      late.release();

      await expect(renewing).rejects.toMatchObject({ details: 'The price has changed since it was shown' });

      expect(around.registry.charges).toEqual([]);
    });

    it('is of the shortest term that is sold, which the registry has added, and of no term that it does not sell on top', async () => {
      await givenExpired('held.ai', 2);
      around.registry.setPrice('held.ai', UNEVEN);

      await expect(renew(3)).rejects.toMatchObject({
        issues: [{ path: 'years', message: expect.stringContaining('must be 2, 4, 5 for .ai') }],
      });
      expect(
        (await scenario.renewDomain.choices({ ...OURS, domainId: 'dom_1' })).map(({ years, price }) => [
          years,
          price.minor,
        ]),
      ).toEqual([
        [2, 13_00],
        [4, 26_00],
        [5, 34_00],
      ]);
      const { domain } = await renew(2);

      expect(domain.toState()).toMatchObject({ status: 'active', expiresAt: at('2029-01-01') });
      expect(around.registry.callsOf('renew')).toHaveLength(1);
      expect(around.registry.charges).toEqual([]);
    });

    it('is renewed automatically for the shortest term if that is two years', async () => {
      await givenExpired('held.ai', 2);
      await around.storage.run(async ({ domains }) => {
        const domain = await domains.lockAny('dom_1');
        domain?.setAutoRenew(true, around.lifecycleClock.now());
        domain?.schedule(around.lifecycleClock.now());
        if (domain) await domains.save(domain);
      });

      await scenario.lifecycle.runDue();

      expect(operations()).toMatchObject([{ status: 'succeeded', request: { kind: 'renew', years: 2 } }]);
      expect(around.storage.tables.domains.get('dom_1')).toMatchObject({
        status: 'active',
        expiresAt: at('2029-01-01'),
      });
    });
  });

  it('includes, for a restore, the renewal for the shortest term if the term has ended', async () => {
    around.registry.setPrice('held.ai', { ...UNEVEN, restore: usd(80_00) });
    await around.givenDomain({ name: 'held.ai', status: 'redemption', expiresAt: at('2026-01-01') });
    around.registry.hold('held.ai', { phase: 'redemption', expiresAt: at('2026-01-01') });

    const { operation, domain } = await scenario.restoreDomain.execute({
      ...OURS,
      domainId: 'dom_1',
      limit: { maxPrice: usd(93_00) },
    });

    expect(operation.toState()).toMatchObject({ request: { price: usd(93_00) }, charged: usd(93_00) });
    expect(domain.expiresAt).toEqual(at('2028-01-01'));
  });

  it('is assumed to cost the agreed price if the response is lost', async () => {
    await around.givenDomain();
    around.registry.next('renew').losesItsResponse();

    const renewing = scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 2 });
    await pass(around, 2_000);

    expect((await renewing).operation.toState()).toMatchObject({
      status: 'succeeded',
      charged: null,
      request: { price: usd(13_00) },
    });
  });

  it('is logged as an ERROR if the registry charges more than agreed', async () => {
    await around.givenDomain();
    jest.spyOn(around.registry, 'renew').mockImplementation(async (name) => {
      around.registry.hold(name.value, { expiresAt: at('2028-01-01') });
      return {
        ...((await around.registry.info(name)) ?? (await Promise.reject(new TypeError('not held')))),
        charged: usd(99_00),
      };
    });

    const { operation } = await scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1' });

    expect(operation.toState()).toMatchObject({ charged: usd(99_00) });
    expect(around.log.entries).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'the registry charged more than the agreed price: claim the difference back',
      }),
    );
  });
});
