import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed, assertNameAllowed } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/shared/domain-name';
import { DomainUnavailable } from '../../domain/registration/registration-errors';
import { Nameservers } from '../../domain/registration/nameservers';
import { assertRegistrant, type Registrant } from '../../domain/registration/registrant';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { assertIdnLanguage, assertRegistrantFits, TldPolicies } from '../../domain/registration/names/tld-policy';
import type { Money } from '../../domain/shared/money';
import { validateAll } from '../../domain/shared/validation-error';
import { AccountRegistries } from '../ports/registry/registries';
import type { PriceQuote } from '../ports/registry/registry-port';
import { assertNewAutoRenewal } from '../operations/assert-supported';
import { RegistrationSettings } from './registration-settings';

/** What a person asks for. */
export interface RequestedRegistration {
  readonly name: string;
  readonly years?: number | undefined;
  readonly registrant: Registrant;
  readonly nameservers?: readonly string[] | undefined;
  readonly autoRenew?: boolean | undefined;
  /** The language or table of an internationalized name; the default of its script if absent. */
  readonly idnLanguage?: string | undefined;
}

/** A validated registration with its price. */
export interface RegistrationOrder {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly registrant: Registrant;
  readonly nameservers: Nameservers;
  readonly autoRenew: boolean;
  readonly idnLanguage?: string;
  /** For the whole term. */
  readonly price: Money;
  /** Of one renewal, for the shortest renewal term of the TLD. */
  readonly renewal: { readonly price: Money; readonly years: number };
}

/** Validates and prices registrations; stores nothing. */
@injectable()
export class RegistrationOrders {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /** @throws LimitedKey, ValidationError, InvalidNameservers, DomainUnavailable, RegistryRejected, RegistryUnavailable */
  async review({ accountId, actor }: Requester, request: RequestedRegistration): Promise<RegistrationOrder> {
    assertActionAllowed(actor, 'register');
    const { registrant, autoRenew = true, idnLanguage } = request;
    const [name, term] = validateAll(
      () => DomainName.parse(request.name),
      () => RegistrationTerm.ofYears(request.years ?? DEFAULT_YEARS),
      () => assertRegistrant(registrant, 'contacts.registrant'),
    );
    assertNameAllowed(actor, name.value);
    const policy = this.policies.forName(name);
    if (!policy) throw new DomainUnavailable();
    term.assertWithin(policy.years, policy.suffix);
    assertNewAutoRenewal(autoRenew, policy);
    assertRegistrantFits(registrant, policy, 'contacts.registrant');
    assertIdnLanguage(idnLanguage, name, policy);
    const nameservers = Nameservers.of(request.nameservers ?? this.settings.defaultNameservers, policy);
    const { registration: price, renewal } = await this.quotePrices(accountId, name, term);
    const order = {
      name,
      term,
      registrant,
      nameservers,
      autoRenew,
      price,
      ...(idnLanguage !== undefined && { idnLanguage }),
    };
    return { ...order, renewal: { price: renewal, years: policy.renewalYears.min } };
  }

  private async quotePrices(accountId: string, name: DomainName, term: RegistrationTerm): Promise<PriceQuote> {
    const [offer] = await this.registry.forAccount(accountId).check([name], term);
    if (!offer?.available || !offer.price) throw new DomainUnavailable();
    return offer.price;
  }
}
