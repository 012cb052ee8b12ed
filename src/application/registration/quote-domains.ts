import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies, type TldPolicy } from '../../domain/registration/tld-policy';
import { perYear, sum, type Money } from '../../domain/shared/money';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';
import type { Availability, RegistryPort } from '../ports/registry/registry-port';
import { AccountRegistries } from '../ports/registry/account-registries';
import { RegistrationSettings } from './registration-settings';

export interface QuoteRequest {
  readonly name: string;
  /** The shortest term that the TLD sells where absent. */
  readonly years?: number | undefined;
}

export interface Quote {
  readonly name: string;
  readonly years: number;
  /** Present where the name is available: a year's share of the shortest term, and the registry's fee for the whole term. */
  readonly price?: { readonly registration: Money; readonly total: Money };
}

interface QuoteItem {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  /** The shortest that the TLD sells. */
  readonly shortest: RegistrationTerm;
}

/** Fees of registrations by their years and names; a name that is not available has none. */
type Fees = ReadonlyMap<number, ReadonlyMap<string, Money>>;

const MAX_ITEMS = 50;

/** What registrations would cost. Names that are not available count nothing. @throws ValidationError naming faulty items by index, RegistryUnavailable */
@injectable()
export class QuoteDomains {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  async execute(
    accountId: string,
    requests: readonly QuoteRequest[],
  ): Promise<{ quotes: readonly Quote[]; total: Money }> {
    const items = this.judge(requests);
    const fees = await this.feesOf(items, this.registry.forAccount(accountId));
    const quotes = items.map(({ name, term, shortest }): Quote => {
      const [total, least] = [term, shortest].map(({ years }) => fees.get(years)?.get(name.value));
      const quote = { name: name.value, years: term.years };
      return total && least ? { ...quote, price: { registration: perYear(least, shortest.years), total } } : quote;
    });
    return {
      quotes,
      total: sum(
        quotes.flatMap(({ price }) => price?.total ?? []),
        this.settings.currency,
      ),
    };
  }

  /** Asks once for each term, because fees of several years need not be multiples of the fee of one. */
  private async feesOf(items: readonly QuoteItem[], registry: Pick<RegistryPort, 'check'>): Promise<Fees> {
    const wanted = new Map<number, { readonly term: RegistrationTerm; readonly names: Map<string, DomainName> }>();
    for (const { name, term, shortest } of items) {
      for (const each of [term, shortest]) {
        const asked = wanted.get(each.years) ?? { term: each, names: new Map<string, DomainName>() };
        wanted.set(each.years, asked);
        asked.names.set(name.value, name);
      }
    }
    const answers = [...wanted.values()].map(
      async ({ term, names }) => [term.years, feesIn(await registry.check([...names.values()], term))] as const,
    );
    return new Map(await Promise.all(answers));
  }

  private judge(requests: readonly QuoteRequest[]): readonly QuoteItem[] {
    if (requests.length < 1 || requests.length > MAX_ITEMS)
      throw ValidationError.of('domains', `must have 1 to ${MAX_ITEMS} entries`);
    return validateAll<QuoteItem[]>(
      ...requests.map((request, index) => () => this.judgeItem(request, `domains[${index}]`)),
    );
  }

  private judgeItem({ name: text, years }: QuoteRequest, path: string): QuoteItem {
    const [name, term] = validateAll(
      () => DomainName.parse(text, `${path}.name`),
      () => (years === undefined ? undefined : RegistrationTerm.ofYears(years, `${path}.years`)),
    );
    const policy = this.policies.forName(name);
    const shortest = RegistrationTerm.shortest(policy?.years ?? UNKNOWN);
    if (!policy || !term) return { name, term: term ?? shortest, shortest };
    return { name, term: term.within(policy.years, policy.suffix, `${path}.years`), shortest };
  }
}

/** What stands for the terms of a TLD that is not served: nothing there is available. */
const UNKNOWN: TldPolicy['years'] = { min: 1, max: 10 };

function feesIn(offers: readonly Availability[]): ReadonlyMap<string, Money> {
  return new Map(
    offers.flatMap(({ name, available, price }) =>
      available && price ? [[name.value, price.registration] as const] : [],
    ),
  );
}
