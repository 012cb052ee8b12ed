import { RegistryRejected, RegistryInconclusive } from '../../../../application/ports/registry/registry-errors';
import type { Log } from '../../../../application/ports/system/log';
import type { Availability, RenewalPrices, PriceQuote } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/registration/domain-name';
import type { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { TldPolicies } from '../../../../domain/registration/tld-policy';
import type { Money } from '../../../../domain/shared/money';
import { listedFee } from '../../price-list';
import { NAMESPACES } from '../codec/namespaces';
import { childOf } from '../codec/xml-element';
import type { EppClient } from '../session/epp-client';
import type { EppTld } from '../epp-tld';
import { checkDomains } from '../mapping/domain-commands';
import { availableNames } from '../mapping/domain-data';
import { feesOf, premiumNames, type FeeQuestion, type Fees } from '../mapping/fee';
import { speaksOf } from '../mapping/greeting';
import type { EppResponse } from '../mapping/response';
import { detailsOf, NAME_FAULTS, succeeded } from '../mapping/result-codes';

export interface OfferSettings {
  /** The service's, ISO 4217; a registry that counts in another sells nothing through us. */
  readonly currency: string;
  readonly namesPerCheck: number;
}

export type PricedCommand = 'create' | 'renew' | 'restore';

/** The terms whose fees are asked for, in years. */
interface AskedTerms {
  readonly create: number;
  readonly renew: number;
}

/** What the registry says that a name costs. */
interface Told extends Partial<Fees> {
  readonly premium: boolean;
}

/**
 * What a registry sells, and for how much: by RFC 8748 where it speaks of fees, by the operator's list where it does not. The
 * list has the prices of ordinary names: a premium name is registered and renewed at the price that the registry tells, or not at all.
 */
export class EppOffers {
  constructor(
    private readonly client: EppClient,
    private readonly tlds: TldPolicies<EppTld>,
    private readonly settings: OfferSettings,
    private readonly log: Log,
  ) {}

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    const served = names.filter((name) => this.tlds.forName(name));
    const answers = await Promise.all(this.batches(served).map((batch) => this.checkBatch(batch, term)));
    const offers = new Map(answers.flat().map((offer) => [offer.name.value, offer]));
    return names.map((name) => offers.get(name.value) ?? { name, available: false });
  }

  /** What it costs to renew for a term and to restore: asked without a registration, which makes a held name one without fees. */
  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    const tld = this.tlds.forName(name);
    if (!tld) throw new RegistryRejected('unavailable', `${name.value} is under no TLD of this registry`);
    const renew = term?.years ?? tld.renewalYears.min;
    const told = (await this.speaksOfFees()) ? await this.holdingFees(name, renew) : undefined;
    const price = this.renewalPrices(name, renew, told);
    if (!price)
      throw new RegistryInconclusive(`The registry has no price in ${this.settings.currency} for ${name.value}`);
    return price;
  }

  /**
   * The amount to agree to with a command: nothing where the registry does not speak of fees, and then the operator's
   * list must say the same.
   * @throws RegistryRejected (`price_changed`)
   */
  async agreed(name: DomainName, command: PricedCommand, years: number, price: Money): Promise<Money | undefined> {
    if (await this.speaksOfFees()) return price;
    const { price: list, renewalYears } = this.tlds.forName(name) ?? {};
    const listed = list && {
      create: listedFee(list, 'registration', years),
      renew: listedFee(list, 'renewal', years),
      restore: list.restore,
    };
    const onTop =
      command === 'restore' && list && renewalYears ? listedFee(list, 'renewal', renewalYears.min) : undefined;
    if (!listed || !isAmount(price, listed[command], onTop))
      throw new RegistryRejected('price_changed', `${name.value} costs another amount now`);
    return undefined;
  }

  /** What a look tells about a command that was refused: that the name to create is not free, or that another amount is asked. */
  async objection(
    name: DomainName,
    command: PricedCommand,
    years: number,
    price: Money | undefined,
  ): Promise<RegistryRejected | undefined> {
    const withFees = price !== undefined && (await this.speaksOfFees());
    const asked: FeeQuestion =
      command === 'restore'
        ? { restore: true, renew: this.tlds.forName(name)?.renewalYears.min ?? 1 }
        : { [command]: years };
    const response = await this.client.ask(this.question([name], withFees ? asked : undefined));
    if (!succeeded(response)) return undefined;
    if (command === 'create' && !availableNames(response).has(name.value))
      return new RegistryRejected('unavailable', `${name.value} is not available`);
    const fees = feesIn(response, asked).get(name.value);
    const wanted = fees?.[command];
    if (!price || !wanted || isAmount(price, wanted, command === 'restore' ? fees.renew : undefined)) return undefined;
    return new RegistryRejected('price_changed', `${name.value} costs another amount now`);
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

  /** One name that a registry dislikes can fail the whole question, and then each is asked for by itself. */
  private async checkBatch(
    names: readonly DomainName[],
    term: RegistrationTerm | undefined,
  ): Promise<readonly Availability[]> {
    const [tld] = names.flatMap((name) => this.tlds.forName(name) ?? []);
    const terms = { create: term?.years ?? tld?.years.min ?? 1, renew: tld?.renewalYears.min ?? 1 };
    const withFees = await this.speaksOfFees();
    const response = await this.client.ask(this.question(names, withFees ? { ...terms, restore: true } : undefined));
    if (succeeded(response)) return this.offersIn(response, names, terms, withFees);
    if (names.length > 1) return (await Promise.all(names.map((name) => this.checkBatch([name], term)))).flat();
    if (!NAME_FAULTS.has(response.code)) throw new RegistryInconclusive(detailsOf(response));
    return names.map((name) => ({ name, available: false }));
  }

  private offersIn(
    response: EppResponse,
    names: readonly DomainName[],
    terms: AskedTerms,
    withFees: boolean,
  ): readonly Availability[] {
    const free = availableNames(response);
    const fees = feesIn(response, terms);
    const premium = premiumIn(response);
    return names.map((name): Availability => {
      const told = { ...fees.get(name.value), premium: premium.has(name.value) };
      const price =
        free.has(name.value) && (!withFees || fees.has(name.value)) ? this.quote(name, terms, told) : undefined;
      return price ? { name, available: true, price } : { name, available: false };
    });
  }

  private question(names: readonly DomainName[], fees: FeeQuestion | undefined) {
    return checkDomains(
      names.map(({ value }) => value),
      fees && { ...fees, currency: this.settings.currency },
    );
  }

  /** A name that is held has no fees at all where one of the commands is not possible now: then each is asked for by itself. */
  private async holdingFees(name: DomainName, renew: number): Promise<Told> {
    const both = await this.feesFor(name, { renew, restore: true });
    if (both.renew && both.restore) return both;
    const [renewal, restore] = await Promise.all([
      both.renew ? both : this.feesFor(name, { renew }),
      both.restore ? both : this.feesFor(name, { restore: true }),
    ]);
    return {
      renew: renewal.renew,
      restore: restore.restore,
      premium: both.premium || renewal.premium || restore.premium,
    };
  }

  private async feesFor(name: DomainName, asked: FeeQuestion): Promise<Told> {
    const response = await this.client.ask(this.question([name], asked));
    if (!succeeded(response)) throw new RegistryInconclusive(detailsOf(response));
    return { ...feesIn(response, asked).get(name.value), premium: premiumIn(response).has(name.value) };
  }

  private quote(name: DomainName, { create, renew }: AskedTerms, told: Told): PriceQuote | undefined {
    const list = told.premium ? undefined : this.tlds.forName(name)?.price;
    const registration = told.create ?? (list && listedFee(list, 'registration', create));
    const holding = this.renewalPrices(name, renew, told);
    return holding && registration?.currency === this.settings.currency ? { ...holding, registration } : undefined;
  }

  /** The registry's fees, and the operator's list where there are none. */
  private renewalPrices(name: DomainName, years: number, told: Told | undefined): RenewalPrices | undefined {
    const list = this.tlds.forName(name)?.price;
    const renewal = told?.renew ?? (list && !told?.premium ? listedFee(list, 'renewal', years) : undefined);
    const restore = told?.restore ?? list?.restore;
    if (renewal && restore && [renewal, restore].every(({ currency }) => currency === this.settings.currency))
      return { renewal, restore };
    this.log.warn(
      { name: name.value, currency: this.settings.currency },
      'neither the registry nor its list has a whole price for a name: the operator can give one',
    );
    return undefined;
  }

  private async speaksOfFees(): Promise<boolean> {
    return speaksOf(await this.client.services(), NAMESPACES.fee);
  }
}

function feesIn({ extension }: EppResponse, asked: FeeQuestion): ReadonlyMap<string, Fees> {
  return feesOf(childOf(extension, NAMESPACES.fee, 'chkData'), asked);
}

function premiumIn({ extension }: EppResponse): ReadonlySet<string> {
  return premiumNames(childOf(extension, NAMESPACES.fee, 'chkData'));
}

/** Whether `price` is the amount, by itself or with what may come on top of it. */
function isAmount(price: Money, amount: Money, onTop: Money | undefined): boolean {
  return (
    price.currency === amount.currency &&
    (price.minor === amount.minor || (onTop !== undefined && price.minor === amount.minor + onTop.minor))
  );
}
