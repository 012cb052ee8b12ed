import {
  assertRenewable,
  LimitedRegistry,
  Purchases,
  RegistryInconclusive,
  RegistryRejected,
  sameDay,
  unsupportedBy,
  type AuthCode,
  type Availability,
  type ChargedDomain,
  type Clock,
  type DsRecord,
  type DomainName,
  type GlueHost,
  type Money,
  type NamePage,
  type Nameservers,
  type Registrant,
  type RegistrationRequest,
  type RegistrationTerm,
  type RegistryAdapter,
  type RegistryDomain,
  type RegistryMessage,
  type RegistryTransfer,
  type RenewalPrices,
  type StoredValues,
  type TldPolicy,
  type TransferRequest,
} from '../../../adapter';
import { DnsimpleError, type DnsimpleClient } from './dnsimple-client';
import type { DnsimplePrices } from './dnsimple-responses';
import { DnsimpleDelegation } from './dnsimple-delegation';
import { afterwards, DnsimpleDomains, rejecting } from './dnsimple-domains';
import {
  isSameContact,
  premiumPrice,
  stateOf,
  toContact,
  toListedNames,
  toPendingDomain,
  toQuote,
  toRegistrant,
  toRegistryDomain,
  toRejection,
} from './dnsimple-mapping';
import { assertNotEnded, assertPrice, DnsimpleOrders } from './dnsimple-orders';
import { DnsimpleTransfers } from './dnsimple-transfers';

const VENDOR = 'DNSimple';

/** DNSimple's API v2. It has no idempotency keys and no order list, but invoices, and charges a name that it registers once. */
export class DnsimpleRegistry extends LimitedRegistry implements RegistryAdapter {
  protected readonly vendor = VENDOR;
  private readonly domains: DnsimpleDomains;
  private readonly purchases: Purchases;
  private readonly transfers: DnsimpleTransfers;
  private readonly delegation: DnsimpleDelegation;
  private readonly renewals: DnsimpleOrders;
  private readonly restores: DnsimpleOrders;

  constructor(
    private readonly client: DnsimpleClient,
    policies: readonly TldPolicy[],
    clock: Clock,
    stored?: StoredValues,
  ) {
    super();
    this.domains = new DnsimpleDomains(client, policies, clock);
    this.purchases = new Purchases(VENDOR, { clock, stored, readLagSeconds: policies[0]?.readLagSeconds });
    this.transfers = new DnsimpleTransfers(client, this.domains, this.purchases, clock);
    this.delegation = new DnsimpleDelegation(client, this.domains);
    this.renewals = new DnsimpleOrders(client, clock, (name, id) => client.renewal(name, id));
    this.restores = new DnsimpleOrders(client, clock, (name, id) => client.restoration(name, id));
  }

  policies(): readonly TldPolicy[] {
    return this.domains.policies;
  }

  /** One name after the other: DNSimple limits checks more than other requests. */
  async check(names: readonly DomainName[]): Promise<readonly Availability[]> {
    const results: Availability[] = [];
    for (const name of names) results.push(await this.domains.check(name));
    return results;
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    const { renewalYears } = this.domains.policyFor(name, 'policy');
    const { renewal, restore } = toQuote(await this.domains.prices(name), term?.years ?? renewalYears.min);
    return { renewal, restore };
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    const domain = await this.domains.info(name, await this.transfers.known(name));
    if (domain?.phase !== 'redemption') return domain;
    const order = await this.restores.find(name);
    return order && stateOf(order) === 'open' ? { ...domain, phase: 'pending_restore' } : domain;
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    const id = (await rejecting(() => this.client.findDomain(name.value)))?.registrant_id;
    return id ? toRegistrant(await rejecting(() => this.client.contact(id))) : undefined;
  }

  /** Five requests. DNSimple locks new names itself. */
  async register({ name, term, registrant, nameservers, price }: RegistrationRequest): Promise<ChargedDomain> {
    const { years } = this.domains.policyFor(name, 'unavailable');
    if (!term.isWithin(years)) throw new RegistryRejected('policy', `DNSimple does not sell a ${term.years}-year term`);
    let prices: DnsimplePrices;
    return this.purchases.send<ChargedDomain>({
      name,
      kind: 'registration',
      check: async (isRetry) => {
        if (isRetry && (await rejecting(() => this.client.findDomain(name.value))))
          throw new RegistryRejected('unavailable', `${name.value} is in this account already`);
        prices = await rejecting(() => this.client.prices(name.value), 'unavailable');
        assertPrice(toQuote(prices).registration, price);
        return undefined;
      },
      send: async () => {
        const registered = this.domains.withContact(registrant, (contactId) =>
          this.client.register(name.value, {
            registrant_id: contactId,
            auto_renew: false,
            ...premiumPrice(prices, price),
          }),
        );
        const order = await registered.catch(async (error: unknown) => {
          throw await this.toRegistrationError(error, name);
        });
        assertNotEnded(order);
        return afterwards(() => this.completeRegistration(name, nameservers.hosts));
      },
    });
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    _transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    let premium: { readonly premium_price?: string };
    return this.purchases.send<ChargedDomain>({
      name,
      kind: 'renewal',
      check: async () => {
        const domain = await this.domains.requireHeld(name);
        const time = this.domains.timeOf(name);
        const expiresAt = assertRenewable(toRegistryDomain(domain, [], false, time), { currentExpiry, years, ...time });
        const prices = await this.domains.prices(name);
        const { renewal } = toQuote(prices, years);
        if (price) assertPrice(renewal, price);
        premium = premiumPrice(prices, renewal);
        return expiresAt;
      },
      orders: () => this.renewals.list(name),
      isShown: ({ expiresAt }) => !sameDay(expiresAt, currentExpiry),
      send: async () => {
        const order = await rejecting(() => this.client.renew(name.value, { period: years, ...premium }));
        this.renewals.add(name, order);
        if (stateOf(order) === 'open')
          throw new RegistryInconclusive(`DNSimple has not completed the renewal of ${name.value}`);
        return afterwards(() => this.domains.readBack(name));
      },
    });
  }

  async setNameservers(name: DomainName, { hosts }: Nameservers, glue: readonly GlueHost[]): Promise<RegistryDomain> {
    return this.delegation.setNameservers(name, hosts, glue);
  }

  /** Takes effect at once, or when the registry or the registrant has confirmed it. */
  async setRegistrant(name: DomainName, registrant: Registrant): Promise<void> {
    const { registrant_id: id } = await this.domains.requireHeld(name);
    if (id && isSameContact(await rejecting(() => this.client.contact(id)), toContact(registrant))) return;
    await rejecting(() =>
      this.domains.withContact(registrant, (contactId) => this.client.changeRegistrant(name.value, contactId)),
    );
  }

  async setTransferLock(name: DomainName, locked: boolean): Promise<RegistryDomain> {
    const domain = await this.domains.requireHeld(name);
    const isLocked = await rejecting(() => this.client.setLock(name.value, locked));
    const hosts = await afterwards(() => this.client.nameservers(name.value));
    return toRegistryDomain(domain, hosts, isLocked, this.domains.timeOf(name));
  }

  override async setRegistrarRenewal(name: DomainName, enabled: boolean): Promise<void> {
    await this.domains.requireHeld(name);
    await rejecting(() => this.client.setAutoRenewal(name.value, enabled));
  }

  async issueAuthCode(): Promise<AuthCode> {
    throw unsupportedBy(VENDOR, 'returning an auth code: it sends the code to the registrant');
  }

  async withdrawAuthCode(): Promise<void> {
    throw unsupportedBy(VENDOR, 'withdrawing an auth code');
  }

  async restore(name: DomainName, price: Money): Promise<ChargedDomain> {
    const domain = await this.domains.requireHeld(name);
    const earlier = await this.restores.find(name);
    if (earlier && stateOf(earlier) === 'open')
      return { ...(await this.domains.complete(name, domain)), phase: 'pending_restore' };
    if (domain.state !== 'expired') throw new RegistryRejected('status', `${name.value} is not in redemption`);
    const prices = await this.domains.prices(name);
    const { restore, renewal } = toQuote(prices);
    assertPrice({ ...restore, minor: restore.minor + renewal.minor }, price);
    return this.purchases.send<ChargedDomain>({
      name,
      kind: 'restore',
      check: async () => undefined,
      orders: () => this.restores.list(name),
      isShown: ({ phase }) => phase !== 'redemption',
      send: async () => {
        const order = await rejecting(() => this.client.restore(name.value, premiumPrice(prices, restore)), 'status');
        this.restores.add(name, order);
        const restored = await afterwards(() => this.domains.readBack(name));
        return stateOf(order) === 'open' && restored.phase === 'redemption'
          ? { ...restored, phase: 'pending_restore' }
          : restored;
      },
    });
  }

  /** A name that is not renewed expires. */
  async delete(): Promise<RegistryDomain | undefined> {
    throw unsupportedBy(VENDOR, 'deleting a name');
  }

  override async transferPrice(name: DomainName): Promise<Money> {
    return this.transfers.price(name);
  }

  override async requestTransfer(request: TransferRequest): Promise<RegistryTransfer> {
    return this.transfers.request(request);
  }

  override async transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    return this.transfers.status(name);
  }

  override async cancelTransfer(name: DomainName): Promise<RegistryTransfer> {
    return this.transfers.cancel(name);
  }

  override async list(cursor = '1'): Promise<NamePage> {
    const { data, next } = await rejecting(() => this.client.domains(Number(cursor)));
    return { ...toListedNames(data), ...(next !== undefined && { next: String(next) }) };
  }

  override async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return this.delegation.dsRecords(name);
  }

  override async setDsRecords(name: DomainName, dsRecords: readonly DsRecord[]): Promise<readonly DsRecord[]> {
    return this.delegation.setDsRecords(name, dsRecords);
  }

  override async hostedZone(name: DomainName): Promise<string | undefined> {
    return rejecting(() => this.client.findZoneFile(name.value));
  }

  /** DNSimple has webhooks only. */
  async poll(): Promise<RegistryMessage | undefined> {
    return undefined;
  }

  async acknowledge(): Promise<void> {}

  /** The registration takes no nameservers, so they follow it. */
  private async completeRegistration(name: DomainName, hosts: readonly string[]): Promise<RegistryDomain> {
    const domain = await this.client.findDomain(name.value);
    if (!domain) throw new RegistryInconclusive(`DNSimple does not show ${name.value} yet`);
    if (domain.state === 'hosted') return toPendingDomain(domain);
    return toRegistryDomain(
      domain,
      await this.client.setNameservers(name.value, hosts),
      true,
      this.domains.timeOf(name),
    );
  }

  /** DNSimple gives no reason that a program can read, so the name's availability tells it. */
  private async toRegistrationError(error: unknown, name: DomainName): Promise<unknown> {
    if (!(error instanceof DnsimpleError) || error.status !== 400 || error.fields.length > 0) return toRejection(error);
    return toRejection(error, (await this.domains.isKnownAvailable(name)) === false ? 'unavailable' : 'policy');
  }
}
