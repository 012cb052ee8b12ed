import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { sum, times, type Money } from '../../domain/shared/money';
import { judgeAll, ValidationError } from '../../domain/shared/validation-error';
import { RegistryShares } from '../ports/registry/registry-shares';
import { RegistrationSettings } from './registration-settings';

export interface QuoteRequest {
  readonly name: string;
  readonly years?: number | undefined;
}

export interface Quote {
  readonly name: string;
  readonly years: number;
  /** Present where the name is available: for one year, and for the term. */
  readonly price?: { readonly registration: Money; readonly total: Money };
}

interface QuoteItem {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
}

const MAX_ITEMS = 50;

/** What registrations would cost. Names that are not available count nothing. @throws ValidationError naming faulty items by index, RegistryUnavailable */
@injectable()
export class QuoteDomains {
  constructor(
    @inject(RegistryShares) private readonly registry: RegistryShares,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  async execute(accountId: string, requests: readonly QuoteRequest[]): Promise<{ quotes: readonly Quote[]; total: Money }> {
    const items = this.judge(requests);
    const offers = await this.registry.forAccount(accountId).check(items.map(({ name }) => name));
    const quotes = items.map(({ name, term }, index): Quote => {
      const registration = offers[index]?.available ? offers[index].price?.registration : undefined;
      const quote = { name: name.value, years: term.years };
      return registration ? { ...quote, price: { registration, total: times(registration, term.years) } } : quote;
    });
    return { quotes, total: sum(quotes.flatMap(({ price }) => price?.total ?? []), this.settings.currency) };
  }

  private judge(requests: readonly QuoteRequest[]): readonly QuoteItem[] {
    if (requests.length < 1 || requests.length > MAX_ITEMS) throw ValidationError.of('domains', `must have 1 to ${MAX_ITEMS} entries`);
    return judgeAll<QuoteItem[]>(...requests.map((request, index) => () => this.judgeItem(request, `domains[${index}]`)));
  }

  private judgeItem({ name: text, years = DEFAULT_YEARS }: QuoteRequest, path: string): QuoteItem {
    const [name, term] = judgeAll(
      () => DomainName.parse(text, `${path}.name`),
      () => RegistrationTerm.ofYears(years, `${path}.years`),
    );
    const policy = this.policies.forName(name);
    return { name, term: policy ? term.within(policy, `${path}.years`) : term };
  }
}
