import {
  instantOf,
  LIMITED_FEATURES,
  LimitedRegistry,
  majorUnits,
  policyOf,
  SettingsRejected,
  type AuthCode,
  type Availability,
  type ChargedDomain,
  type DomainName,
  type GlueHost,
  type RenewalPrices,
  type Money,
  type Nameservers,
  type Registrant,
  type RegistrationRequest,
  type RegistrationTerm,
  type RegistryAdapter,
  type RegistryContext,
  type RegistryDomain,
  type RegistryMessage,
  type RunningRegistry,
  type Issue,
  type TldPolicy,
} from 'namewright-adapter';
import { AcmeClient, type AcmeCommandIds } from './acme-client';
import {
  toRegistryError,
  toAcmeHolder,
  toChargedDomain,
  toRenewalPrices,
  toPriceQuote,
  toRegistryDomain,
  type AcmeDomain,
  type AcmePrice,
} from './acme-mapping';

interface AcmeOffer {
  readonly name: string;
  readonly free: boolean;
  readonly price: AcmePrice;
}

/** Acme shows a change within a minute. */
const READ_LAG_SECONDS = 60;

/** The factory of `adapter: ./dist/src/acme-registry.js`. */
export default async function acme({ settings, tlds }: RegistryContext): Promise<RunningRegistry> {
  const { url, token } = settings;
  const issues: Issue[] = [];
  if (typeof url !== 'string' || !URL.canParse(url)) issues.push({ path: 'url', message: 'must be the URL of Acme' });
  if (typeof token !== 'string' || token === '') issues.push({ path: 'token', message: 'must be your token at Acme' });
  if (issues.length > 0) throw new SettingsRejected(issues);
  const client = new AcmeClient({ url: String(url), token: String(token), timeoutMs: 20_000 });
  return {
    port: new AcmeRegistry(
      client,
      tlds.map((rules) => ({
        ...policyOf(rules),
        unsupported: ['add_grace', ...LIMITED_FEATURES],
        readLagSeconds: rules.readLagSeconds ?? READ_LAG_SECONDS,
      })),
    ),
    close: async () => undefined,
  };
}

class AcmeRegistry extends LimitedRegistry implements RegistryAdapter {
  protected readonly vendor = 'Acme';

  constructor(
    private readonly client: AcmeClient,
    private readonly tlds: readonly TldPolicy[],
  ) {
    super();
  }

  policies(): readonly TldPolicy[] {
    return this.tlds;
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    const requested = names.flatMap((name) => {
      const policy = this.policyFor(name);
      return policy
        ? [{ name: name.value, registration: term?.years ?? policy.years.min, renewal: policy.renewalYears.min }]
        : [];
    });
    const offers = await this.send<AcmeOffer[]>('check', { names: requested });
    return names.map((name) => {
      const offer = offers.find((candidate) => candidate.name === name.value);
      return offer?.free ? { name, available: true, price: toPriceQuote(offer.price) } : { name, available: false };
    });
  }

  async price(name: DomainName, { years } = this.shortestRenewal(name)): Promise<RenewalPrices> {
    return toRenewalPrices(await this.send<AcmePrice>('price', { name: name.value, renewal: years }));
  }

  async register({
    name,
    term,
    registrant,
    nameservers,
    price,
    transactionId,
    idempotencyKey,
  }: RegistrationRequest): Promise<ChargedDomain> {
    const parameters = {
      name: name.value,
      years: term.years,
      holder: toAcmeHolder(registrant),
      hosts: nameservers.hosts,
      amount: majorUnits(price),
    };
    return this.change('register', parameters, { transactionId, idempotencyKey });
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    const domain = await this.send<AcmeDomain | null>('info', { name: name.value });
    return domain ? toRegistryDomain(domain) : undefined;
  }

  /** Acme does not show it. */
  async registrant(): Promise<Registrant | undefined> {
    return undefined;
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    transactionId: string,
    price?: Money,
    idempotencyKey?: string,
  ): Promise<ChargedDomain> {
    return this.change(
      'renew',
      {
        name: name.value,
        years,
        expires: currentExpiry.toISOString().slice(0, 10),
        amount: price && majorUnits(price),
      },
      { transactionId, idempotencyKey },
    );
  }

  async setNameservers(
    name: DomainName,
    { hosts }: Nameservers,
    glue: readonly GlueHost[],
    transactionId: string,
  ): Promise<RegistryDomain> {
    return this.change('delegate', { name: name.value, hosts, glue }, { transactionId });
  }

  async setRegistrant(name: DomainName, registrant: Registrant, transactionId: string): Promise<void> {
    await this.change('holder', { name: name.value, holder: toAcmeHolder(registrant) }, { transactionId });
  }

  async setTransferLock(name: DomainName, locked: boolean, transactionId: string): Promise<RegistryDomain> {
    return this.change('lock', { name: name.value, locked }, { transactionId });
  }

  async issueAuthCode(name: DomainName, transactionId: string): Promise<AuthCode> {
    const { code, until } = await this.send<{ code: string; until: string }>(
      'auth-code',
      { name: name.value },
      { transactionId },
    );
    return { code, expiresAt: instantOf(until) };
  }

  async withdrawAuthCode(name: DomainName, transactionId: string): Promise<void> {
    await this.send('void-auth-code', { name: name.value }, { transactionId });
  }

  async restore(
    name: DomainName,
    price: Money,
    transactionId: string,
    idempotencyKey?: string,
  ): Promise<ChargedDomain> {
    const parameters = { name: name.value, amount: majorUnits(price) };
    return this.change('restore', parameters, { transactionId, idempotencyKey });
  }

  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    return this.change('delete', { name: name.value }, { transactionId });
  }

  /** Acme has no message queue. */
  async poll(): Promise<RegistryMessage | undefined> {
    return undefined;
  }

  async acknowledge(): Promise<void> {}

  private policyFor({ parent }: DomainName): TldPolicy | undefined {
    return this.tlds.find(({ suffix }) => suffix === parent);
  }

  private shortestRenewal(name: DomainName): { readonly years: number } {
    return { years: this.policyFor(name)?.renewalYears.min ?? 1 };
  }

  private async change(command: string, parameters: object, ids: AcmeCommandIds): Promise<ChargedDomain> {
    return toChargedDomain(await this.send<AcmeDomain>(command, parameters, ids));
  }

  private async send<T>(command: string, parameters: object, ids?: AcmeCommandIds): Promise<T> {
    try {
      return await this.client.send<T>(command, parameters, ids);
    } catch (error) {
      throw toRegistryError(error);
    }
  }
}
