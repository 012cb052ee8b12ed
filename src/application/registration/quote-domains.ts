import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { asIfAccepted, assertActionAllowed, assertNotForRecordsOnly } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/shared/domain-name';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import {
  assertIdnLanguage,
  idnLanguagesOf,
  TldPolicies,
  type TldPolicy,
} from '../../domain/registration/names/tld-policy';
import { perYear, sum, type Money } from '../../domain/shared/money';
import { DomainNotFound, DomainStatusConflict } from '../../domain/shared/domain-errors';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';
import { AccountRegistries } from '../ports/registry/registries';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { Availability, PriceQuote, RegistryPort } from '../ports/registry/registry-port';
import { isSupported } from '../operations/assert-supported';
import { BindingQuotes } from '../operations/binding-quotes';
import { FindDomain } from './find-domain';
import { RegistrationSettings } from './registration-settings';
import { RenewDomain } from './renew-domain';
import { RestoreDomain } from './restore-domain';

export interface QuoteRequest {
  readonly name: string;
  /** Default: the shortest term of the TLD. */
  readonly years?: number | undefined;
  /** Whether to ask for the fee of a transfer as well, which takes a registry call per name. Default: no. */
  readonly transfer?: boolean | undefined;
  /** Whether to ask for the fee of a renewal of a domain of the account as well. Default: no. */
  readonly renewal?: boolean | undefined;
  /** The same for a restore. */
  readonly restore?: boolean | undefined;
  /** Validated only: no registry's fees depend on it. */
  readonly idnLanguage?: string | undefined;
}

export interface Quote {
  readonly name: string;
  readonly years: number;
  /**
   * Present if available. `registration` and `renewal`: averages per year of the shortest terms; `total`: fee of the whole term.
   */
  readonly price?: { readonly registration: Money; readonly renewal: Money; readonly total: Money };
  /** Fee of a transfer to us by the shortest term of the TLD. Present if requested and the registry has one for the name. */
  readonly transfer?: Money;
  /** Fee of a renewal by `years`. Present if requested and the account has a domain of the name that can be renewed now. */
  readonly renewal?: Money;
  /** Fee of a restore. Present if requested and the account has a domain of the name that can be restored now. */
  readonly restore?: Money;
  /** What orders bind with `quoteId` of a `PriceLimit`. Present if there is a price. */
  readonly binding?: { readonly id: string; readonly expiresAt: Date };
  /** The languages with which an internationalized name can be registered, its default first. */
  readonly idnLanguages?: readonly string[];
}

interface QuoteItem {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  /** The shortest term of the TLD. */
  readonly shortest: RegistrationTerm;
  /** Whether to ask for a transfer fee, and the registry has such fees. */
  readonly transfer: boolean;
  readonly renewal: boolean;
  readonly restore: boolean;
}

/** Fees by years of registration and name; only available names. */
type Fees = ReadonlyMap<number, ReadonlyMap<string, PriceQuote>>;

const MAX_ITEMS = 50;

/** Quotes registrations. Unavailable names have no price. @throws ValidationError with the index of invalid items, RegistryUnavailable */
@injectable()
export class QuoteDomains {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
    @inject(BindingQuotes) private readonly quotes: BindingQuotes,
    @inject(FindDomain) private readonly domains: FindDomain,
    @inject(RenewDomain) private readonly renewDomain: RenewDomain,
    @inject(RestoreDomain) private readonly restoreDomain: RestoreDomain,
  ) {}

  async execute(
    { accountId, actor }: Reader,
    requests: readonly QuoteRequest[],
  ): Promise<{ quotes: readonly Quote[]; total: Money }> {
    assertActionAllowed(actor, 'read');
    assertNotForRecordsOnly(actor);
    const items = this.validate(requests);
    const registry = this.registry.forAccount(accountId);
    const reader = { accountId, actor: asIfAccepted(actor) };
    const [fees, transferFees, ownFees] = await Promise.all([
      this.quoteFees(items, registry),
      quoteTransferFees(items, registry),
      Promise.all(items.map((item, index) => this.quoteOwn(reader, item, `domains[${index}].years`))),
    ]);
    const quotes = items.map((item, index): Quote => {
      const { name, term, transfer: isWanted } = item;
      const transfer = isWanted ? transferFees.get(name.value) : undefined;
      const price = this.registrationPrice(item, fees);
      const quote = {
        name: name.value,
        years: term.years,
        ...(price && { price }),
        ...(transfer && { transfer }),
        ...ownFees[index],
      };
      return { ...quote, ...this.binding(accountId, name, quote), ...idnChoice(name, this.policies) };
    });
    return {
      quotes,
      total: sum(
        quotes.flatMap(({ price }) => price?.total ?? []),
        this.settings.currency,
      ),
    };
  }

  /** Quotes of every term that can be registered, shortest first. @throws as `execute` */
  async everyTerm(requester: Reader, name: DomainName): Promise<readonly Quote[]> {
    const terms = this.policies.forName(name)?.years;
    const requests = terms ? RegistrationTerm.all(terms).map(({ years }) => ({ name: name.value, years })) : [];
    const { quotes } = await this.execute(requester, requests.length > 0 ? requests : [{ name: name.value }]);
    return quotes;
  }

  private registrationPrice({ name, term, shortest }: QuoteItem, fees: Fees): Quote['price'] {
    const [total, least] = [term, shortest].map(({ years }) => fees.get(years)?.get(name.value));
    if (!total || !least) return undefined;
    const renewalYears = this.policies.forName(name)?.renewalYears.min ?? 1;
    return {
      registration: perYear(least.registration, shortest.years),
      renewal: perYear(least.renewal, renewalYears),
      total: total.registration,
    };
  }

  private binding(accountId: string, name: DomainName, quote: Quote): Pick<Quote, 'binding'> {
    const { years, price, transfer, renewal, restore } = quote;
    const shortest = this.policies.forName(name)?.renewalYears.min ?? 1;
    const prices = {
      ...(price && { register: { price: price.total, years } }),
      ...(transfer && { transfer: { price: transfer, years: shortest } }),
      ...(renewal && { renew: { price: renewal, years } }),
      ...(restore && { restore: { price: restore } }),
    };
    if (Object.keys(prices).length === 0) return {};
    return { binding: this.quotes.issue(accountId, { name: name.value, prices }) };
  }

  /** What renewals and restores of a domain of the account cost. */
  private async quoteOwn(
    reader: Reader,
    { name, term, renewal, restore }: QuoteItem,
    path: string,
  ): Promise<Pick<Quote, 'renewal' | 'restore'>> {
    if (!renewal && !restore) return {};
    const domain = await unlessRefused(this.domains.byName({ ...reader, name: name.value }));
    if (!domain) return {};
    const query = { ...reader, domainId: domain.id };
    const renewed = renewal
      ? await unlessRefused(this.renewDomain.review({ ...query, years: term.years }), path)
      : undefined;
    const restored = restore ? await unlessRefused(this.restoreDomain.review(query)) : undefined;
    return { ...(renewed && { renewal: renewed.price }), ...(restored && { restore: restored.price }) };
  }

  /** One query per term, because fees of several years need not be multiples of one year's fee. */
  private async quoteFees(items: readonly QuoteItem[], registry: Pick<RegistryPort, 'check'>): Promise<Fees> {
    const wanted = new Map<number, { readonly term: RegistrationTerm; readonly names: Map<string, DomainName> }>();
    for (const { name, term, shortest } of items) {
      for (const each of [term, shortest]) {
        const group = wanted.get(each.years) ?? { term: each, names: new Map<string, DomainName>() };
        wanted.set(each.years, group);
        group.names.set(name.value, name);
      }
    }
    const results = [...wanted.values()].map(
      async ({ term, names }) => [term.years, feesIn(await registry.check([...names.values()], term))] as const,
    );
    return new Map(await Promise.all(results));
  }

  private validate(requests: readonly QuoteRequest[]): readonly QuoteItem[] {
    if (requests.length < 1 || requests.length > MAX_ITEMS)
      throw ValidationError.of('domains', `must have 1 to ${MAX_ITEMS} entries`);
    return validateAll<QuoteItem[]>(
      ...requests.map((request, index) => () => this.validateItem(request, `domains[${index}]`)),
    );
  }

  private validateItem(
    { name: text, years, transfer: wanted = false, renewal = false, restore = false, idnLanguage }: QuoteRequest,
    path: string,
  ): QuoteItem {
    const [name, term] = validateAll(
      () => DomainName.parse(text, `${path}.name`),
      () => (years === undefined ? undefined : RegistrationTerm.ofYears(years, `${path}.years`)),
    );
    const policy = this.policies.forName(name);
    if (policy) assertIdnLanguage(idnLanguage, name, policy, `${path}.idn_language`);
    const shortest = RegistrationTerm.shortest(policy?.years ?? ANY_TERM);
    const transfer = wanted && policy !== undefined && isSupported(this.policies, name, 'transfer_in');
    const sold = policy && term?.assertWithin(policy.years, policy.suffix, `${path}.years`);
    return { name, term: sold ?? term ?? shortest, shortest, transfer, renewal, restore };
  }
}

/** The languages of a name, if some are configured for its script. */
export function idnChoice(name: DomainName, policies: TldPolicies): { readonly idnLanguages?: readonly string[] } {
  const languages = idnLanguagesOf(name, policies.forName(name) ?? {}) ?? [];
  return languages.length > 0 ? { idnLanguages: languages } : {};
}

/** For unsupported TLDs, whose names are never available. */
const ANY_TERM: TldPolicy['years'] = { min: 1, max: 10 };

function feesIn(offers: readonly Availability[]): ReadonlyMap<string, PriceQuote> {
  return new Map(
    offers.flatMap(({ name, available, price }) => (available && price ? [[name.value, price] as const] : [])),
  );
}

/** Undefined where an order would be refused now. @throws ValidationError about `path` instead of the years of a single order */
async function unlessRefused<T>(review: Promise<T>, path?: string): Promise<T | undefined> {
  try {
    return await review;
  } catch (error) {
    if (error instanceof ValidationError && path !== undefined)
      throw new ValidationError(error.issues.map(({ message }) => ({ path, message })));
    const isRefused = [DomainNotFound, DomainStatusConflict, RegistryRejected].some((kind) => error instanceof kind);
    if (isRefused) return undefined;
    throw error;
  }
}

/** Transfer fees by name; a name whose transfer the registry refuses to price has none. */
async function quoteTransferFees(
  items: readonly QuoteItem[],
  registry: Pick<RegistryPort, 'transferPrice'>,
): Promise<ReadonlyMap<string, Money>> {
  const names = new Map(items.flatMap(({ name, transfer }) => (transfer ? [[name.value, name] as const] : [])));
  const fees = [...names.values()].map(async (name) => {
    try {
      return [[name.value, await registry.transferPrice(name)] as const];
    } catch (error) {
      if (error instanceof RegistryRejected) return [];
      throw error;
    }
  });
  return new Map((await Promise.all(fees)).flat());
}
