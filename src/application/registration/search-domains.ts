import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { assertActionAllowed, assertNotForRecordsOnly } from '../../domain/access/key-permissions';
import { DomainName, parseLabel } from '../../domain/shared/domain-name';
import { parseSuffix } from '../../domain/registration/names/suffix';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { perYear, type Money } from '../../domain/shared/money';
import { ServiceError } from '../../domain/shared/service-error';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';
import { AccountRegistries } from '../ports/registry/registries';
import { withinMs } from '../shared/within-ms';
import { idnChoice } from './quote-domains';
import { RegistrationSettings } from './registration-settings';

interface SearchCommand extends Reader {
  readonly query: string;
  readonly tlds?: readonly string[] | undefined;
}

export interface SearchFailure {
  readonly name: string;
  readonly error: ServiceError;
}

export interface SearchResult {
  readonly name: DomainName;
  readonly available: boolean;
  /** Present if available: average fees per year of the TLD's shortest terms. */
  readonly price?: { readonly registration: Money; readonly renewal: Money };
  /** The shortest registration term. */
  readonly years?: number;
  /** The languages with which an internationalized name can be registered, its default first. Present if available. */
  readonly idnLanguages?: readonly string[];
}

export interface SearchOutcome {
  /** In the order of the requested TLDs. */
  readonly results: readonly SearchResult[];
  /** Names whose registry failed or timed out. */
  readonly failures: readonly SearchFailure[];
}

const MAX_TLDS = 50;

/** Searches a label across TLDs in parallel. A registry that fails or times out affects only its own results. @throws ValidationError */
@injectable()
export class SearchDomains {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  async execute({ accountId, actor, query, tlds }: SearchCommand): Promise<SearchOutcome> {
    assertActionAllowed(actor, 'read');
    assertNotForRecordsOnly(actor);
    const [label, suffixes] = validateAll(
      () => parseLabel(query, 'query'),
      () => distinctSuffixes(tlds ?? this.settings.defaultSearchTlds),
    );
    const names = suffixes.map((suffix) => DomainName.parse(`${label}.${suffix}`, 'query'));
    const outcomes = await Promise.all(names.map((name) => this.check(accountId, name)));
    return {
      results: outcomes.filter((outcome): outcome is SearchResult => !('error' in outcome)),
      failures: outcomes.filter((outcome): outcome is SearchFailure => 'error' in outcome),
    };
  }

  private async check(accountId: string, name: DomainName): Promise<SearchResult | SearchFailure> {
    const policy = this.policies.forName(name);
    if (!policy) return { name, available: false };
    try {
      const [availability] = await withinMs(
        this.settings.searchTimeoutMs,
        this.registry.forAccount(accountId).check([name]),
      );
      if (!availability?.available || !availability.price) return { name, available: false };
      const { registration, renewal } = availability.price;
      return {
        name,
        available: true,
        years: policy.years.min,
        ...idnChoice(name, this.policies),
        price: {
          registration: perYear(registration, policy.years.min),
          renewal: perYear(renewal, policy.renewalYears.min),
        },
      };
    } catch (error) {
      if (error instanceof ServiceError) return { name: name.value, error };
      throw error;
    }
  }
}

function distinctSuffixes(tlds: readonly string[]): string[] {
  if (tlds.length < 1 || tlds.length > MAX_TLDS) throw ValidationError.of('tlds', `must have 1 to ${MAX_TLDS} entries`);
  return [...new Set(validateAll<string[]>(...tlds.map((tld, index) => () => suffixOf(tld, index))))];
}

function suffixOf(text: string, index: number): string {
  const suffix = parseSuffix(text);
  if (suffix === undefined)
    throw ValidationError.of(`tlds[${index}]`, 'must be a TLD without a leading dot, such as com or co.uk');
  return suffix;
}
