import { RegistryRejected, RegistryUndecided } from '../../../application/ports/registry/registry-errors';
import type { Log } from '../../../application/ports/system/log';
import type { Availability, PriceQuote } from '../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { TldPolicies } from '../../../domain/registration/tld-policy';
import { times, type Money } from '../../../domain/shared/money';
import { NAMESPACES } from './codec/namespaces';
import { childOf } from './codec/xml-element';
import type { EppClient } from './epp-client';
import type { EppTld } from './epp-tld';
import { checkDomains } from './mapping/domain-commands';
import { availableNames } from './mapping/domain-data';
import { feesOf, type Fees } from './mapping/fee';
import { speaksOf } from './mapping/greeting';
import type { EppResponse } from './mapping/response';
import { detailsOf, NAME_FAULTS, succeeded } from './mapping/result-codes';

export interface OfferSettings {
  /** The service's, ISO 4217; a registry that counts in another sells nothing through us. */
  readonly currency: string;
  readonly namesPerCheck: number;
}

export type PricedCommand = 'create' | 'renew' | 'restore';

/** What a registry sells, and for how much: by RFC 8748 where it speaks of fees, by the operator's list where it does not. */
export class EppOffers {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly settings: OfferSettings,
    private readonly log: Log,
  ) {}

  async check(names: readonly DomainName[]): Promise<readonly Availability[]> {
    const served = names.filter((name) => this.tlds.forName(name));
    const answers = await Promise.all(this.batches(served).map((batch) => this.checkBatch(batch)));
    const offers = new Map(answers.flat().map((offer) => [offer.name.value, offer]));
    return names.map((name) => offers.get(name.value) ?? { name, available: false });
  }

  /** What one year costs, whether or not the name is free. */
  async price(name: DomainName): Promise<PriceQuote> {
    if (!this.tlds.forName(name)) throw new RegistryRejected('unavailable', `${name.value} is under no TLD of this registry`);
    const fees = (await this.speaksOfFees()) ? await this.feesFor(name) : undefined;
    const quote = this.quote(name, fees);
    if (!quote) throw new RegistryUndecided(`The registry has no price in ${this.settings.currency} for ${name.value}`);
    return quote;
  }

  /**
   * The amount to agree to with a command: nothing where the registry does not speak of fees, and then the operator's
   * list must say the same.
   * @throws RegistryRejected (`price_changed`)
   */
  async agreed(name: DomainName, command: PricedCommand, years: number, price: Money): Promise<Money | undefined> {
    if (await this.speaksOfFees()) return price;
    const list = this.tlds.forName(name)?.price;
    const listed = list && { create: times(list.registration, years), renew: times(list.renewal, years), restore: list.restore };
    if (!listed || !isAmount(price, listed[command], command === 'restore' ? list.renewal : undefined)) throw new RegistryRejected('price_changed', `${name.value} costs another amount now`);
    return undefined;
  }

  /** What a look tells about a command that was refused: that the name to create is not free, or that another amount is asked. */
  async objection(name: DomainName, command: PricedCommand, years: number, price: Money | undefined): Promise<RegistryRejected | undefined> {
    const withFees = price !== undefined && (await this.speaksOfFees());
    const response = await this.client.ask(this.question([name], withFees, years));
    if (!succeeded(response)) return undefined;
    if (command === 'create' && !availableNames(response).has(name.value)) return new RegistryRejected('unavailable', `${name.value} is not available`);
    const fees = feesIn(response).get(name.value);
    const asked = fees?.[command];
    if (!price || !asked || isAmount(price, asked, command === 'restore' ? fees.renew : undefined)) return undefined;
    return new RegistryRejected('price_changed', `${name.value} costs another amount now`);
  }

  private batches(names: readonly DomainName[]): readonly (readonly DomainName[])[] {
    const { namesPerCheck } = this.settings;
    const tlds = [...new Set(names.map(({ parent }) => parent))];
    return tlds.flatMap((tld) => {
      const group = names.filter(({ parent }) => parent === tld);
      return Array.from({ length: Math.ceil(group.length / namesPerCheck) }, (_, batch) => group.slice(batch * namesPerCheck, (batch + 1) * namesPerCheck));
    });
  }

  /** One name that a registry dislikes can fail the whole question, and then each is asked for by itself. */
  private async checkBatch(names: readonly DomainName[]): Promise<readonly Availability[]> {
    const withFees = await this.speaksOfFees();
    const response = await this.client.ask(this.question(names, withFees, 1));
    if (succeeded(response)) return this.offersIn(response, names, withFees);
    if (names.length > 1) return (await Promise.all(names.map((name) => this.checkBatch([name])))).flat();
    if (!NAME_FAULTS.has(response.code)) throw new RegistryUndecided(detailsOf(response));
    return names.map((name) => ({ name, available: false }));
  }

  private offersIn(response: EppResponse, names: readonly DomainName[], withFees: boolean): readonly Availability[] {
    const free = availableNames(response);
    const fees = feesIn(response);
    return names.map((name): Availability => {
      const price = free.has(name.value) && (!withFees || fees.has(name.value)) ? this.quote(name, fees.get(name.value)) : undefined;
      return price ? { name, available: true, price } : { name, available: false };
    });
  }

  private question(names: readonly DomainName[], withFees: boolean, years: number) {
    return checkDomains(
      names.map(({ value }) => value),
      withFees ? this.settings.currency : undefined,
      years,
    );
  }

  private async feesFor(name: DomainName): Promise<Fees | undefined> {
    const response = await this.client.ask(this.question([name], true, 1));
    if (!succeeded(response)) throw new RegistryUndecided(detailsOf(response));
    return feesIn(response).get(name.value);
  }

  /** The registry's fees, and the operator's list where there are none. */
  private quote(name: DomainName, fees: Fees | undefined): PriceQuote | undefined {
    const list = this.tlds.forName(name)?.price;
    const renewal = fees?.renew ?? list?.renewal;
    const registration = fees?.create ?? list?.registration ?? renewal;
    const restore = fees?.restore ?? list?.restore;
    if (registration && renewal && restore && [registration, renewal, restore].every(({ currency }) => currency === this.settings.currency)) return { registration, renewal, restore };
    this.log.warn({ name: name.value, currency: this.settings.currency }, 'neither the registry nor its list has a whole price for a name: the operator can give one');
    return undefined;
  }

  private async speaksOfFees(): Promise<boolean> {
    return speaksOf(await this.client.services(), NAMESPACES.fee);
  }
}

function feesIn({ extension }: EppResponse): ReadonlyMap<string, Fees> {
  return feesOf(childOf(extension, NAMESPACES.fee, 'chkData'));
}

/** Whether `price` is the amount, by itself or with what may come on top of it. */
function isAmount(price: Money, amount: Money, onTop: Money | undefined): boolean {
  return price.currency === amount.currency && (price.minor === amount.minor || (onTop !== undefined && price.minor === amount.minor + onTop.minor));
}
