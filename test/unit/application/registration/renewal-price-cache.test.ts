import { RenewalPriceCache } from '../../../../src/application/registration/renewal-price-cache';
import type { KnownPrice, RenewalPriceStore } from '../../../../src/application/ports/registration/domain-repository';
import type { DomainName } from '../../../../src/domain/shared/domain-name';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

class FakeStore implements RenewalPriceStore {
  readonly known = new Map<string, KnownPrice>();

  async find(ids: readonly string[]): Promise<readonly KnownPrice[]> {
    return ids.flatMap((id) => this.known.get(id) ?? []);
  }

  async save(_accountId: string, prices: readonly KnownPrice[]): Promise<void> {
    for (const price of prices) this.known.set(price.domainId, price);
  }
}

describe('renewal prices', () => {
  const DOMAIN = { id: 'dom_1', name: 'example.com', status: 'active' } as const;
  /** A registry for each TLD. */
  const DIRECTORY = { registryFor: ({ parent }: DomainName) => ({ registry: parent, concurrency: 1 }) };
  const PRICE = { minor: 1200, currency: 'USD' };
  let around: UseCaseContext;
  let store: FakeStore;
  let prices: RenewalPriceCache;
  let calls: number;

  beforeEach(() => {
    around = new UseCaseContext();
    store = new FakeStore();
    calls = 0;
    const registries = {
      forAccount: () => {
        calls += 1;
        return around.registry;
      },
    };
    prices = new RenewalPriceCache(store, registries, DIRECTORY, around.clock, around.log);
  });

  it('are asked once, stored, and asked again after a week in the background', async () => {
    expect(await prices.of(OURS.accountId, [DOMAIN])).toEqual(new Map([['dom_1', PRICE]]));
    await prices.of(OURS.accountId, [DOMAIN]);
    expect(calls).toBe(1);
    around.clock.advance({ days: 8 });

    expect(await prices.of(OURS.accountId, [DOMAIN])).toEqual(new Map([['dom_1', PRICE]]));

    expect(calls).toBe(2);
  });

  it('are unknown if the registry does not respond, and asked again after a minute', async () => {
    around.registry.next('price').isUnreachable();

    expect(await prices.of(OURS.accountId, [DOMAIN])).toEqual(new Map());
    expect(await prices.of(OURS.accountId, [DOMAIN])).toEqual(new Map());
    expect(calls).toBe(1);
    around.clock.advance({ ms: 60_000 });
    expect(await prices.of(OURS.accountId, [DOMAIN])).toEqual(new Map([['dom_1', PRICE]]));
  });

  it('are known for the names of a registry, while another one does not respond', async () => {
    around.registry.next('price').isUnreachable();

    const known = await prices.of(OURS.accountId, [DOMAIN, { ...DOMAIN, id: 'dom_2', name: 'example.net' }]);

    expect([...known.keys()]).toEqual(['dom_2']);
  });

  it('do not exist for a domain that the registry refuses to price, or that cannot be renewed', async () => {
    around.registry.next('price').isRefused('policy');

    expect(await prices.of(OURS.accountId, [DOMAIN])).toEqual(new Map());
    expect(await prices.of(OURS.accountId, [DOMAIN, { ...DOMAIN, id: 'dom_2', status: 'redemption' }])).toEqual(
      new Map(),
    );

    expect(calls).toBe(1);
  });
});
