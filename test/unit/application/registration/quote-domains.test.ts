import type { QuoteRequest } from '../../../../src/application/registration/quote-domains';
import { openScenario, type RegistrationScenario } from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const usd = (minor: number) => ({ minor, currency: 'USD' });

describe('a quote', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const quote = (...requests: readonly QuoteRequest[]) => scenario.quoteDomains.execute(OURS, requests);

  beforeEach(() => {
    ({ around, scenario } = openScenario());
    around.registry.setPrice('example.com', { registration: usd(1044) });
  });

  it('returns what each name costs for a year and for its term, and the total', async () => {
    const { quotes, total } = await quote({ name: 'example.com', years: 3 }, { name: 'example.net' });

    expect(quotes).toMatchObject([
      { name: 'example.com', years: 3, price: { registration: usd(1044), renewal: usd(1200), total: usd(3132) } },
      { name: 'example.net', years: 1, price: { registration: usd(1000), renewal: usd(1200), total: usd(1000) } },
    ]);
    expect(total).toEqual(usd(4132));
  });

  it('adds up exactly what decimals would not', async () => {
    for (const name of ['a.com', 'b.com', 'c.com']) around.registry.setPrice(name, { registration: usd(10) });

    const { total } = await quote({ name: 'a.com' }, { name: 'b.com' }, { name: 'c.com' });

    expect(total).toEqual(usd(30));
  });

  it.each([
    ['that is taken', 'taken.com'],
    ['under an unsupported TLD', 'example.zz'],
    ['that is no single label under its TLD', 'www.example.com'],
    ['that is a suffix itself', 'co.uk'],
  ])('has no price for a name %s, and the total leaves it out', async (_which, name) => {
    around.registry.hold('taken.com', { sponsoredByUs: false });

    const { quotes, total } = await quote({ name }, { name: 'example.com' });

    expect(quotes[0]).toEqual({ name, years: 1 });
    expect(total).toEqual(usd(1044));
  });

  it('is zero in the currency of the service if no name is available', async () => {
    around.registry.hold('taken.com', { sponsoredByUs: false });

    expect((await quote({ name: 'taken.com' })).total).toEqual(usd(0));
  });

  it('returns a result for each item in the requested order, also for a repeated name', async () => {
    const { quotes } = await quote({ name: 'B.com' }, { name: 'bücher.com' }, { name: 'b.COM', years: 2 });

    expect(quotes.map(({ name, years }) => [name, years])).toEqual([
      ['b.com', 1],
      ['xn--bcher-kva.com', 1],
      ['b.com', 2],
    ]);
  });

  it('names every faulty item by its index, and asks no registry', async () => {
    const faulty = quote(
      { name: 'example.com' },
      { name: 'no name' },
      { name: 'example.net', years: 11 },
      { name: 'example.ai', years: 1 },
      { name: 'example.de', years: 2 },
    );

    await expect(faulty).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [
        { path: 'domains[1].name' },
        { path: 'domains[2].years' },
        { path: 'domains[3].years', message: 'must be from 2 to 5 for .ai' },
        { path: 'domains[4].years', message: 'must be 1 for .de' },
      ],
    });
    expect(around.registry.calls).toEqual([]);
  });

  it('has transfer fees on request only, with one query per name', async () => {
    around.registry.hold('taken.com', { sponsoredByUs: false });
    const transferQueries = () => around.registry.calls.filter(({ command }) => command === 'transferPrice');

    await quote({ name: 'taken.com' }, { name: 'example.net' });
    expect(transferQueries()).toEqual([]);

    const items = [{ name: 'taken.com' }, { name: 'taken.com', years: 2 }, { name: 'example.net' }];
    const { quotes, total } = await quote(...items.map((item) => ({ ...item, transfer: true })));

    expect(quotes.map(({ transfer }) => transfer?.currency)).toEqual(['USD', 'USD', 'USD']);
    expect(transferQueries()).toHaveLength(2);
    expect(total).toEqual(quotes[2]?.price?.total);
  });

  it('has no transfer fee for a name whose transfer the registry refuses to price', async () => {
    around.registry.next('transferPrice').isRefused('policy');

    const { quotes } = await quote({ name: 'example.com', transfer: true });

    expect(quotes).toMatchObject([
      { name: 'example.com', years: 1, price: { registration: usd(1044), renewal: usd(1200), total: usd(1044) } },
    ]);
  });

  it.each([0, 51])('is refused for %d items', async (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ name: `name-${index}.com` }));

    await expect(quote(...items)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'domains' }] });
  });

  it('is answered for 50 items', async () => {
    const { quotes, total } = await quote(...Array.from({ length: 50 }, (_, index) => ({ name: `name-${index}.com` })));

    expect(quotes).toHaveLength(50);
    expect(total).toEqual(usd(50_000));
  });

  it('is not partial: without a response of the registry there is no quote', async () => {
    around.registry.goDown();

    await expect(quote({ name: 'example.com' })).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  });
});
