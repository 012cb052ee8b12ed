import { domainToASCII } from 'node:url';
import {
  findPolicy,
  isWithin,
  RegistryRejected,
  type Availability,
  type DomainName,
  type Money,
  type PriceQuote,
  type RegistrationTerm,
  type RejectionReason,
  type TldPolicy,
} from '../../../adapter';
import type { NamecomAccount } from './namecom-account';
import { READ, VENDOR, type NamecomPricing, type NamecomSearchResult, type NamecomTldPrice } from './namecom-client';
import { toMoney } from './namecom-mapping';

const NAMES_PER_REQUEST = 50;
const TLDS_PER_REQUEST = 25;
/** Prices of TLDs change a few times a year. A purchase compares the price of the name itself. */
const PRICES_VALID_MS = 10 * 60_000;

interface CachedPrices {
  readonly until: number;
  readonly byTld: Promise<ReadonlyMap<string, NamecomTldPrice>>;
}

/** What name.com sells, and at which price. */
export class NamecomOffers {
  private readonly prices = new Map<number, CachedPrices>();

  constructor(
    private readonly account: NamecomAccount,
    private readonly tlds: readonly TldPolicy[],
  ) {}

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    const served = names.filter((name) => findPolicy(this.tlds, name) !== undefined).map(({ value }) => value);
    const found = new Map<string, NamecomSearchResult>();
    for (let at = 0; at < served.length; at += NAMES_PER_REQUEST)
      for (const result of await this.search(served.slice(at, at + NAMES_PER_REQUEST)))
        found.set(result.domainName.toLowerCase(), result);
    return Promise.all(
      names.map(async (name) => {
        const result = found.get(name.value);
        const price = result && isForSale(result) ? await this.quote(name, result, term) : undefined;
        return price ? { name, available: true, price } : { name, available: false };
      }),
    );
  }

  /** Whether anyone can register the name at its regular or premium price. */
  async isFree(name: DomainName): Promise<boolean> {
    const [result] = await this.search([name.value]);
    return result !== undefined && isForSale(result);
  }

  /** The prices of a name for a term. */
  pricing(name: DomainName, years: number): Promise<NamecomPricing> {
    const request = {
      method: 'GET',
      path: `/domains/${name.value}:getPricing`,
      query: { years },
      limit: 'search',
    } as const;
    return this.account.send(READ.pricing, request, { 404: 'policy' });
  }

  /** One restore under the name's suffix, if name.com lists it. */
  async restorePrice(name: DomainName): Promise<Money | undefined> {
    return toMoney((await this.tldPrice(name.parent, 1))?.domainRestorationPrice);
  }

  /** @throws RegistryRejected (`missing`: not for sale; `price_changed`: more than agreed) */
  assertPrice(actual: number | null, agreed: Money, missing: RejectionReason): void {
    const price = toMoney(actual);
    if (!price) throw new RegistryRejected(missing, `${VENDOR} does not sell this term`);
    if (isWithin(price, agreed)) return;
    this.prices.clear();
    throw new RegistryRejected('price_changed', `the price at ${VENDOR} is higher than the agreed one`);
  }

  private async quote(
    name: DomainName,
    { premium = false }: NamecomSearchResult,
    term?: RegistrationTerm,
  ): Promise<PriceQuote | undefined> {
    const policy = findPolicy(this.tlds, name);
    if (!policy) return undefined;
    const years = term?.years ?? policy.years.min;
    const renewalYears = policy.renewalYears.min;
    const [registration, renewal, restore] = await Promise.all([
      premium
        ? this.pricing(name, years).then(({ purchasePrice }) => purchasePrice)
        : this.tldPrice(name.parent, years).then((listed) => listed?.registrationPrice),
      premium
        ? this.pricing(name, renewalYears).then(({ renewalPrice }) => renewalPrice)
        : this.tldPrice(name.parent, renewalYears).then((listed) => listed?.renewalPrice),
      this.restorePrice(name),
    ]);
    const fees = { registration: toMoney(registration), renewal: toMoney(renewal) };
    if (!fees.registration || !fees.renewal) return undefined;
    return {
      registration: fees.registration,
      renewal: fees.renewal,
      ...(restore && { restore }),
    };
  }

  /** name.com rejects a request without any name that it could sell with a 422. */
  private async search(domainNames: readonly string[]): Promise<readonly NamecomSearchResult[]> {
    const body = { domainNames, purchaseType: 'registration' };
    const found = await this.account.find(
      READ.search,
      { method: 'POST', path: '/domains:checkAvailability', body, limit: 'search' },
      422,
    );
    return found?.results ?? [];
  }

  private async tldPrice(suffix: string, years: number): Promise<NamecomTldPrice | undefined> {
    const cached = this.prices.get(years);
    if (cached && cached.until > Date.now()) return (await cached.byTld).get(suffix);
    const byTld = this.readPrices(years);
    this.prices.set(years, { until: Date.now() + PRICES_VALID_MS, byTld });
    byTld.catch(() => this.prices.delete(years));
    return (await byTld).get(suffix);
  }

  private async readPrices(years: number): Promise<ReadonlyMap<string, NamecomTldPrice>> {
    const suffixes = this.tlds.map(({ suffix }) => suffix);
    const prices = new Map<string, NamecomTldPrice>();
    for (let at = 0; at < suffixes.length; at += TLDS_PER_REQUEST) {
      const tlds = suffixes.slice(at, at + TLDS_PER_REQUEST);
      const query = { duration: years, perPage: TLDS_PER_REQUEST, tlds };
      // A request without any TLD that name.com sells is rejected with a 400.
      const page = await this.account.find(READ.tldPrices, { method: 'GET', path: '/tldpricing', query }, 400);
      for (const price of page?.pricing ?? []) prices.set(domainToASCII(price.tld), price);
    }
    return prices;
  }
}

function isForSale({ purchasable, purchaseType = 'registration' }: NamecomSearchResult): boolean {
  return purchasable && purchaseType === 'registration';
}
