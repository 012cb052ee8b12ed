import { quantityText } from '../../../../domain/shared/text/quantity-text';
import {
  OtherCurrency,
  RegistryInconclusive,
  RegistryRejected,
} from '../../../../application/ports/registry/registry-errors';
import type { Log } from '../../../../application/ports/system';
import type { Availability, PriceQuote, RenewalPrices } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { TldPolicies, TldPolicy } from '../../../../domain/registration/names/tld-policy';
import type { Money } from '../../../../domain/shared/money';
import { listedFee, type PriceList } from '../../price-list';
import { NAMESPACES } from '../codec/namespaces';
import { childOf } from '../codec/xml-element';
import type { EppClient } from '../session/epp-client';
import { checkDomains } from '../mapping/commands/domain-commands';
import { availableNames } from '../mapping/domain-data';
import { feesOf, premiumNames, type FeeRequest, type Fees } from '../mapping/fee';
import { offersNamespace } from '../mapping/greeting';
import type { EppResponse } from '../mapping/response';
import { detailsOf, INVALID_NAME_CODES, isSuccess } from '../mapping/result-codes';

export interface EppTld extends TldPolicy {
  /** Configured prices, for a registry that does not report fees. */
  readonly price?: PriceList;
}

interface PricingSettings {
  /** The service's currency, ISO 4217. Names with a fee in another currency are not sold. */
  readonly currency: string;
  readonly namesPerCheck: number;
}

type PricedCommand = 'create' | 'renew' | 'restore' | 'transfer';

/** In years. */
interface RequestedTerms {
  readonly create: number;
  readonly renew: number;
}

/** The fees of one name as the registry reports them. */
interface ReportedFees extends Partial<Fees> {
  readonly premium: boolean;
}

/**
 * Availability and prices: from the fee extension (RFC 8748) if the registry offers it, otherwise from the configured list.
 * The list never prices a premium name.
 */
export class EppPricing {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly settings: PricingSettings,
    private readonly log: Log,
  ) {}

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    const served = names.filter((name) => this.tlds.forName(name));
    const batches = await Promise.all(this.batches(served).map((batch) => this.checkBatch(batch, term)));
    const results = new Map(batches.flat().map((result) => [result.name.value, result]));
    return names.map((name) => results.get(name.value) ?? { name, available: false });
  }

  /** Prices of a renewal and a restore. Does not request the create fee: some registries then report no fee of a registered name. */
  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    const tld = this.tlds.forName(name);
    if (!tld) throw new RegistryRejected('unavailable', `.${name.parent} is not a TLD of this registry`);
    const years = term?.years ?? tld.renewalYears.min;
    const fees = (await this.hasFeeExtension()) ? await this.fetchRenewalFees(name, years) : undefined;
    const prices = this.renewalPrices(name, years, fees);
    if (!prices)
      throw new RegistryInconclusive(`The registry has no price in ${this.settings.currency} for ${name.value}`);
    return prices;
  }

  /** The fee of a transfer to us, from the price list that of a renewal. @throws RegistryInconclusive without one */
  async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    const tld = this.tlds.forName(name);
    if (!tld) throw new RegistryRejected('unavailable', `.${name.parent} is not a TLD of this registry`);
    const years = term?.years ?? tld.renewalYears.min;
    const fees = (await this.hasFeeExtension()) ? await this.fetchFees(name, { transfer: years }) : undefined;
    const price = fees?.transfer ?? (tld.price && !fees?.premium ? listedFee(tld.price, 'renewal', years) : undefined);
    if (price?.currency === this.settings.currency) return price;
    throw new RegistryInconclusive(
      `The registry has no transfer price in ${this.settings.currency} for ${name.value} and ${quantityText(years, 'year')}`,
    );
  }

  /**
   * Returns the price to send with the command; undefined without the fee extension, after checking it against the list.
   * @throws RegistryRejected (`price_changed`)
   */
  async confirmPrice(
    name: DomainName,
    command: PricedCommand,
    years: number,
    price: Money,
  ): Promise<Money | undefined> {
    if (await this.hasFeeExtension()) return price;
    const { price: list, renewalYears } = this.tlds.forName(name) ?? {};
    const listed = list && {
      create: listedFee(list, 'registration', years),
      renew: listedFee(list, 'renewal', years),
      restore: list.restore,
      transfer: listedFee(list, 'renewal', years),
    };
    const renewal =
      command === 'restore' && list && renewalYears ? listedFee(list, 'renewal', renewalYears.min) : undefined;
    const fee = listed?.[command];
    if (!fee || !equalsFee(price, fee, renewal))
      throw new RegistryRejected('price_changed', `The price of ${name.value} has changed`);
    return undefined;
  }

  /** Sends a check to find out why a command was rejected: the name is taken, or its price has changed. */
  async diagnoseRejection(
    name: DomainName,
    command: PricedCommand,
    years: number,
    price: Money | undefined,
  ): Promise<RegistryRejected | undefined> {
    const withFees = price !== undefined && (await this.hasFeeExtension());
    const request: FeeRequest =
      command === 'restore'
        ? { restore: true, renew: this.tlds.forName(name)?.renewalYears.min ?? 1 }
        : { [command]: years };
    const response = await this.client.send(this.checkCommand([name], withFees ? request : undefined));
    if (!isSuccess(response)) return undefined;
    if (command === 'create' && !availableNames(response).has(name.value))
      return new RegistryRejected('unavailable', `${name.value} is not available`);
    const fees = feesIn(response, request).get(name.value);
    const fee = fees?.[command];
    if (!price || !fee || equalsFee(price, fee, command === 'restore' ? fees.renew : undefined)) return undefined;
    return new RegistryRejected('price_changed', `The price of ${name.value} has changed`);
  }

  private batches(names: readonly DomainName[]): readonly (readonly DomainName[])[] {
    const { namesPerCheck } = this.settings;
    const tlds = [...new Set(names.map(({ parent }) => parent))];
    return tlds.flatMap((tld) => {
      const group = names.filter(({ parent }) => parent === tld);
      return Array.from({ length: Math.ceil(group.length / namesPerCheck) }, (_, batch) =>
        group.slice(batch * namesPerCheck, (batch + 1) * namesPerCheck),
      );
    });
  }

  /** One invalid name can fail the whole command. Then each name is checked alone. */
  private async checkBatch(
    names: readonly DomainName[],
    term: RegistrationTerm | undefined,
  ): Promise<readonly Availability[]> {
    const [tld] = names.flatMap((name) => this.tlds.forName(name) ?? []);
    const terms = { create: term?.years ?? tld?.years.min ?? 1, renew: tld?.renewalYears.min ?? 1 };
    const withFees = await this.hasFeeExtension();
    const response = await this.client.send(
      this.checkCommand(names, withFees ? { ...terms, restore: true } : undefined),
    );
    if (isSuccess(response)) {
      this.assertCurrency(response, terms);
      return this.availabilityIn(response, names, terms, withFees);
    }
    if (names.length > 1) return (await Promise.all(names.map((name) => this.checkBatch([name], term)))).flat();
    if (!INVALID_NAME_CODES.has(response.code)) throw new RegistryInconclusive(detailsOf(response));
    if (withFees) await this.assertSoldCurrency(names, terms);
    return names.map((name) => ({ name, available: false }));
  }

  private availabilityIn(
    response: EppResponse,
    names: readonly DomainName[],
    terms: RequestedTerms,
    withFees: boolean,
  ): readonly Availability[] {
    const available = availableNames(response);
    const fees = feesIn(response, terms);
    const premium = premiumIn(response);
    return names.map((name): Availability => {
      const reported = { ...fees.get(name.value), premium: premium.has(name.value) };
      const price =
        available.has(name.value) && (!withFees || fees.has(name.value))
          ? this.quote(name, terms, reported)
          : undefined;
      return price ? { name, available: true, price } : { name, available: false };
    });
  }

  private checkCommand(names: readonly DomainName[], fees: FeeRequest | undefined) {
    return checkDomains(
      names.map(({ value }) => value),
      fees && { ...fees, currency: this.settings.currency },
    );
  }

  /** Registries refuse a check in a currency that they do not charge. Asked without one, they use their own. */
  private async assertSoldCurrency(names: readonly DomainName[], request: FeeRequest): Promise<void> {
    const withoutCurrency = checkDomains(
      names.map(({ value }) => value),
      request,
    );
    const response = await this.client.send(withoutCurrency);
    if (isSuccess(response)) this.assertCurrency(response, request);
  }

  /** @throws OtherCurrency if the registry charges in another one than ours */
  private assertCurrency(response: EppResponse, request: FeeRequest): void {
    const fees = [...feesIn(response, request).values()].flatMap((each) => [each.create, each.renew, each.transfer]);
    const others = fees.flatMap((fee) => (fee && fee.currency !== this.settings.currency ? fee.currency : []));
    if (others[0] !== undefined) throw new OtherCurrency(others[0], this.settings.currency);
  }

  /** Some registries report no fee of a registered name if one of the commands is impossible. Then each fee is requested alone. */
  private async fetchRenewalFees(name: DomainName, renew: number): Promise<ReportedFees> {
    const both = await this.fetchFees(name, { renew, restore: true });
    if (both.renew && both.restore) return both;
    const [renewal, restore] = await Promise.all([
      both.renew ? both : this.fetchFees(name, { renew }),
      both.restore ? both : this.fetchFees(name, { restore: true }),
    ]);
    return {
      renew: renewal.renew,
      restore: restore.restore,
      premium: both.premium || renewal.premium || restore.premium,
    };
  }

  private async fetchFees(name: DomainName, request: FeeRequest): Promise<ReportedFees> {
    const response = await this.client.send(this.checkCommand([name], request));
    if (!isSuccess(response)) {
      if (INVALID_NAME_CODES.has(response.code)) await this.assertSoldCurrency([name], request);
      throw new RegistryInconclusive(detailsOf(response));
    }
    this.assertCurrency(response, request);
    return { ...feesIn(response, request).get(name.value), premium: premiumIn(response).has(name.value) };
  }

  private quote(name: DomainName, { create, renew }: RequestedTerms, fees: ReportedFees): PriceQuote | undefined {
    const list = fees.premium ? undefined : this.tlds.forName(name)?.price;
    const registration = fees.create ?? (list && listedFee(list, 'registration', create));
    const prices = this.renewalPrices(name, renew, fees);
    return prices && registration?.currency === this.settings.currency ? { ...prices, registration } : undefined;
  }

  /** The reported fees, completed from the configured list. */
  private renewalPrices(name: DomainName, years: number, fees: ReportedFees | undefined): RenewalPrices | undefined {
    const list = this.tlds.forName(name)?.price;
    const renewal = fees?.renew ?? (list && !fees?.premium ? listedFee(list, 'renewal', years) : undefined);
    const restore = fees?.restore ?? list?.restore;
    const isKnown = (price: Money | undefined): price is Money => price?.currency === this.settings.currency;
    if (isKnown(renewal)) return { renewal, ...(isKnown(restore) && { restore }) };
    this.log.warn(
      { name: name.value, currency: this.settings.currency },
      'price incomplete: neither the registry nor the price list has it; add it to prices in the registries file',
    );
    return undefined;
  }

  private async hasFeeExtension(): Promise<boolean> {
    return offersNamespace(await this.client.services(), NAMESPACES.fee);
  }
}

function feesIn({ extension }: EppResponse, request: FeeRequest): ReadonlyMap<string, Fees> {
  return feesOf(childOf(extension, NAMESPACES.fee, 'chkData'), request);
}

function premiumIn({ extension }: EppResponse): ReadonlySet<string> {
  return premiumNames(childOf(extension, NAMESPACES.fee, 'chkData'));
}

/** Whether `price` is `fee`, or `fee` plus the renewal of a restore. */
function equalsFee(price: Money, fee: Money, renewal: Money | undefined): boolean {
  return (
    price.currency === fee.currency &&
    (price.minor === fee.minor || (renewal !== undefined && price.minor === fee.minor + renewal.minor))
  );
}
