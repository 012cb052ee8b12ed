import type { PriceLimit } from '../../../../src/application/operations/binding-quotes';
import type { QuoteRequest } from '../../../../src/application/registration/quote-domains';
import { DomainStatusConflict } from '../../../../src/domain/shared/domain-errors';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import { openScenario, settled, type RegistrationScenario } from '../../../support/use-cases/registration-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const usd = (minor: number) => ({ minor, currency: 'USD' });
const CODE = 'auth-code-1';

describe('a quote that binds', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  const quoteId = async (request: QuoteRequest) => {
    const [quote] = (await scenario.quoteDomains.execute(OURS, [request])).quotes;
    return quote?.binding?.id ?? '';
  };
  const register = (limit: PriceLimit, order: { name?: string; years?: number } = {}, requester = OURS) =>
    scenario.registerDomain.execute({ ...requester, name: 'example.com', registrant: A_REGISTRANT, ...order, limit });
  const names = () => [...around.storage.tables.domains.values()].map(({ name }) => name);
  const ordered = () => [...around.storage.tables.operations.values()].map(({ request }) => request);

  beforeEach(() => {
    ({ around, scenario } = openScenario());
    around.registry.setPrice('example.com', { registration: usd(10_00) });
  });

  it('registers the name for the term and the price of the quote', async () => {
    await register({ quoteId: await quoteId({ name: 'example.com', years: 3 }) });

    expect(ordered()).toMatchObject([{ kind: 'register', years: 3, price: usd(30_00) }]);
  });

  it('orders nothing if the registry asks more, and says both prices', async () => {
    const quote = await quoteId({ name: 'example.com' });
    around.registry.setPrice('example.com', { registration: usd(10_01) });

    await expect(register({ quoteId: quote })).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      details: 'The price has changed: it is 10.01 USD now, and at most 10.00 USD was agreed to',
    });
    expect([names(), ordered()]).toEqual([[], []]);
  });

  it('is charged as less if the registry asks less', async () => {
    const quote = await quoteId({ name: 'example.com' });
    around.registry.setPrice('example.com', { registration: usd(8_00) });

    await register({ quoteId: quote });

    expect(ordered()).toMatchObject([{ price: usd(8_00) }]);
  });

  it('is used by one of several orders at once', async () => {
    const quote = await quoteId({ name: 'example.com' });

    const outcomes = await Promise.allSettled([register({ quoteId: quote }), register({ quoteId: quote })]);

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(ordered()).toHaveLength(1);
  });

  it('is not used up by an order that is refused', async () => {
    const quote = await quoteId({ name: 'example.com' });
    await expect(register({ quoteId: quote }, { years: 2 })).rejects.toThrow('validation failed');

    await register({ quoteId: quote });

    expect(names()).toEqual(['example.com']);
  });

  it.each<[string, string, { name?: string; years?: number }, typeof OURS]>([
    ['of another name', 'is for example.com, not for example.net', { name: 'example.net' }, OURS],
    ['of another term', 'is for a term of 1 year, not of 2', { years: 2 }, OURS],
    ['of another account', 'is no quote of this account', {}, STRANGER],
  ])('orders nothing if it is one %s', async (_which, message, order, requester) => {
    const quote = await quoteId({ name: 'example.com' });

    await expect(register({ quoteId: quote }, order, requester)).rejects.toMatchObject({
      issues: [{ path: 'quote_id', message }],
    });
    expect(names()).toEqual([]);
  });

  it('ends after 15 minutes', async () => {
    const quote = await quoteId({ name: 'example.com' });
    around.clock.advance({ ms: 15 * 60_000 - 1 });
    await expect(register({ quoteId: quote, maxPrice: usd(1) })).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    around.clock.advance({ ms: 1 });

    await expect(register({ quoteId: quote })).rejects.toMatchObject({
      issues: [{ path: 'quote_id', message: expect.stringMatching(/^expired at .*Z\. Ask for a new quote$/) }],
    });
  });

  it.each(['quote_', 'quote_v1.AAAA', `quote_v1.${'A'.repeat(2_000)}`, 'v1.AAAA', ''])(
    'is refused if it was not made here: %.20s',
    async (forged) => {
      await expect(register({ quoteId: forged })).rejects.toMatchObject({
        issues: [{ path: 'quote_id', message: 'is no quote of this account' }],
      });
    },
  );

  it('is refused with each of its octets changed', async () => {
    const quote = await quoteId({ name: 'example.com' });

    for (let at = 'quote_v1.'.length; at < quote.length; at += 1) {
      const changed = `${quote.slice(0, at)}${quote[at] === 'A' ? 'Q' : 'A'}${quote.slice(at + 1)}`;
      await expect(register({ quoteId: changed })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect(names()).toEqual([]);
  });

  it('renews a domain of the account, and no other order', async () => {
    const { id } = await around.givenDomain({ name: 'example.com' });
    around.registry.hold('example.com', {});
    const quote = await quoteId({ name: 'example.com', years: 2, renewal: true });
    await expect(scenario.restoreDomain.execute({ ...OURS, domainId: id, limit: { quoteId: quote } })).rejects.toThrow(
      DomainStatusConflict,
    );

    await scenario.renewDomain.execute({ ...OURS, domainId: id, limit: { quoteId: quote } });

    expect(ordered()).toMatchObject([{ kind: 'renew', years: 2, price: usd(24_00) }]);
  });

  it('restores a domain of the account', async () => {
    const { id } = await around.givenDomain({ name: 'example.com', status: 'redemption' });
    around.registry.hold('example.com', { phase: 'redemption' });
    const quote = await quoteId({ name: 'example.com', restore: true });

    await scenario.restoreDomain.execute({ ...OURS, domainId: id, limit: { quoteId: quote } });

    expect(ordered()).toMatchObject([{ kind: 'restore' }]);
  });

  it('transfers a name from another registrar by the shortest term', async () => {
    around.registry.hold('example.com', { sponsoredByUs: false });
    const quote = await quoteId({ name: 'example.com', years: 3, transfer: true });

    const command = { ...OURS, name: 'example.com', authCode: CODE, registrant: A_REGISTRANT };
    const transfer = await scenario.requestTransfer.execute({ ...command, limit: { quoteId: quote } });

    expect(transfer.toState()).toMatchObject({ years: 1 });
  });

  it('has no price of a renewal for a name that the account has not', async () => {
    const { quotes } = await scenario.quoteDomains.execute(OURS, [
      { name: 'elsewhere.com', renewal: true, restore: true },
    ]);

    expect(quotes).toEqual([expect.not.objectContaining({ renewal: expect.anything() })]);
  });

  it('is not needed: an order also binds by the most that it may cost', async () => {
    await expect(register({ maxPrice: usd(9_99) })).rejects.toMatchObject({ reason: 'price_changed' });
    await expect(register({ maxPrice: { minor: 10_00, currency: 'EUR' } })).rejects.toMatchObject({
      reason: 'price_changed',
    });

    await register({ maxPrice: usd(10_00) });
    await settled();

    expect(names()).toEqual(['example.com']);
  });
});
