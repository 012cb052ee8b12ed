import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { assertActionAllowed, assertNotForRecordsOnly } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/shared/domain-name';
import { TldPolicies, type TldPolicy } from '../../domain/registration/names/tld-policy';
import { ServiceError } from '../../domain/shared/service-error';
import { AccountRegistries } from '../ports/registry/registries';
import type { PriceQuote } from '../ports/registry/registry-port';
import { IdGenerator } from '../ports/system';
import { withinMs } from '../shared/within-ms';
import { RegistrationSettings } from './registration-settings';

export interface OfferedTld {
  readonly policy: TldPolicy;
  /** Of ordinary names, for the shortest registration and the shortest renewal; absent if the registry has no price. */
  readonly price?: PriceQuote | undefined;
  /** Why the registry did not respond. */
  readonly error?: ServiceError;
}

/** The TLDs in which names can be registered, in alphabetical order, with their terms and the prices of an ordinary name. */
@injectable()
export class ListTlds {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'searchTimeoutMs'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
  ) {}

  /** A registry that fails or times out affects only its own TLDs. @throws LimitedKey */
  async execute(
    { accountId, actor }: Reader,
    limit: number,
    after = '',
  ): Promise<{ readonly items: readonly OfferedTld[]; readonly last: string | undefined }> {
    assertActionAllowed(actor, 'read');
    assertNotForRecordsOnly(actor);
    const following = this.policies
      .all()
      .filter(({ suffix }) => suffix > after)
      .toSorted((one, other) => (one.suffix < other.suffix ? -1 : 1));
    const page = following.slice(0, limit);
    // No registry quotes a TLD, so an ordinary name is priced: one that is neither registered nor premium.
    const label = this.ids.next('op').replace('_', '-');
    return {
      items: await Promise.all(page.map((policy) => this.quoteOffer(accountId, policy, label))),
      last: following.length > limit ? page.at(-1)?.suffix : undefined,
    };
  }

  private async quoteOffer(accountId: string, policy: TldPolicy, label: string): Promise<OfferedTld> {
    const name = DomainName.fromState(`${label}.${policy.suffix}`);
    try {
      const registry = this.registry.forAccount(accountId);
      const [offer] = await withinMs(this.settings.searchTimeoutMs, registry.check([name]));
      return { policy, price: offer?.price };
    } catch (error) {
      if (error instanceof ServiceError) return { policy, error };
      throw error;
    }
  }
}
