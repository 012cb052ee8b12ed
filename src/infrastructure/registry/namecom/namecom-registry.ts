import {
  addDays,
  assertRenewable,
  type DomainName,
  foreignDomain,
  listNames,
  nameOf,
  LimitedRegistry,
  Purchases,
  RegistryInconclusive,
  RegistryRejected,
  requirePolicy,
  sameDay,
  unsupportedBy,
  type AuthCode,
  type Availability,
  type ChargedDomain,
  type Clock,
  type DsRecord,
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
  type VendorOrder,
} from '../../../adapter';
import { isRejected, NamecomAccount, throwAsUnknown } from './namecom-account';
import { READ, VENDOR, type NamecomClient, type NamecomDomain } from './namecom-client';
import { NamecomDelegation } from './namecom-delegation';
import {
  contactsWith,
  toChargedDomain,
  toContact,
  toMoney,
  toRegistrant,
  toRegistryDomain,
  toVendorOrders,
} from './namecom-mapping';
import { NamecomOffers } from './namecom-offers';
import { NamecomTransfers } from './namecom-transfers';

const NAMES_PER_PAGE = 1_000;

/** A name.com account behind the port. */
export class NamecomRegistry extends LimitedRegistry implements RegistryAdapter {
  protected readonly vendor = VENDOR;
  private readonly account: NamecomAccount;
  private readonly offers: NamecomOffers;
  private readonly purchases: Purchases;
  private readonly transfers: NamecomTransfers;
  private readonly delegation: NamecomDelegation;

  constructor(
    client: NamecomClient,
    private readonly tlds: readonly TldPolicy[],
    private readonly clock: Clock,
    stored?: StoredValues,
  ) {
    super();
    this.account = new NamecomAccount(client);
    this.offers = new NamecomOffers(this.account, tlds);
    this.purchases = new Purchases(VENDOR, { clock, stored, readLagSeconds: tlds[0]?.readLagSeconds });
    this.transfers = new NamecomTransfers(this.account, this.offers, this.purchases, clock);
    this.delegation = new NamecomDelegation(this.account);
  }

  policies(): readonly TldPolicy[] {
    return this.tlds;
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    return this.offers.check(names, term);
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    const years = term?.years ?? this.policyFor(name).renewalYears.min;
    const [pricing, restore] = await Promise.all([this.offers.pricing(name, years), this.offers.restorePrice(name)]);
    const renewal = toMoney(pricing.renewalPrice);
    if (!renewal)
      throw new RegistryRejected('policy', `${VENDOR} does not renew ${name.value} for a ${years}-year term`);
    return { renewal, ...(restore && { restore }) };
  }

  async register(request: RegistrationRequest): Promise<ChargedDomain> {
    const { name, term, registrant, nameservers, price, transactionId, idempotencyKey = transactionId } = request;
    const pricing = await this.offers.pricing(name, term.years);
    this.offers.assertPrice(pricing.purchasePrice, price, 'unavailable');
    const contact = toContact(registrant);
    const order = {
      domain: {
        domainName: name.value,
        nameservers: nameservers.hosts,
        contacts: { registrant: contact, admin: contact, tech: contact, billing: contact },
        locked: true,
        autorenewEnabled: false,
      },
      purchaseType: 'registration',
      years: term.years,
      ...(pricing.premium && { purchasePrice: pricing.purchasePrice }),
    };
    const created = await this.purchases.send({
      name,
      kind: 'registration',
      check: (isRetry) => this.assertNotHeld(name, isRetry),
      orders: () => this.ordersOf(name, 'registration'),
      send: () => this.order(name, order, idempotencyKey),
    });
    const domain = await this.ensureDefaults(created.domain);
    return toChargedDomain(this.toFacts(domain), created.totalPaid, price);
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    const domain = await this.account.findDomain(name);
    if (domain) return this.toFacts(domain);
    if (await this.offers.isFree(name)) return undefined;
    return foreignDomain(name, await this.transfers.isPending(name));
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    return toRegistrant((await this.account.domain(name)).contacts?.registrant);
  }

  async renew(
    name: DomainName,
    currentExpiry: Date,
    { years }: RegistrationTerm,
    _transactionId: string,
    price?: Money,
  ): Promise<ChargedDomain> {
    return this.purchases.send<ChargedDomain>({
      name,
      kind: 'renewal',
      check: async () =>
        assertRenewable(this.toFacts(await this.account.domain(name)), { currentExpiry, years, now: this.clock.now() }),
      orders: () => this.ordersOf(name, 'renewal'),
      isShown: ({ expiresAt }) => !sameDay(expiresAt, currentExpiry),
      send: async () => {
        const { premium, renewalPrice } = await this.offers.pricing(name, years);
        if (price) this.offers.assertPrice(renewalPrice, price, 'policy');
        const body = { years, ...(premium && { purchasePrice: renewalPrice }) };
        const { totalPaid } = await this.account.post(READ.renewed, `/domains/${name.value}:renew`, body);
        const renewed = this.toFacts(await this.account.domain(name).catch(throwAsUnknown));
        return toChargedDomain(renewed, totalPaid, price);
      },
    });
  }

  async setNameservers(
    name: DomainName,
    { hosts }: Nameservers,
    glue: readonly GlueHost[],
    _transactionId: string,
  ): Promise<RegistryDomain> {
    return this.toFacts(await this.delegation.setNameservers(name, hosts, glue));
  }

  async setGlue(name: DomainName, glue: readonly GlueHost[], _transactionId: string): Promise<void> {
    await this.delegation.setGlue(name, glue);
  }

  async setRegistrant(name: DomainName, registrant: Registrant, _transactionId: string): Promise<void> {
    const { contacts } = await this.account.domain(name);
    const body = { contacts: contactsWith(toContact(registrant), contacts) };
    await this.account.post(READ.nothing, `/domains/${name.value}:setContacts`, body);
  }

  async setTransferLock(name: DomainName, locked: boolean, _transactionId: string): Promise<RegistryDomain> {
    return this.toFacts(await this.account.update(name, { locked }));
  }

  override async setRegistrarRenewal(name: DomainName, enabled: boolean, _transactionId: string): Promise<void> {
    await this.account.update(name, { autorenewEnabled: enabled });
  }

  /** name.com's current code: it is for name.com to decide when it changes. */
  async issueAuthCode(name: DomainName, _transactionId: string): Promise<AuthCode> {
    const path = `/domains/${name.value}:getAuthCode`;
    const { authCode } = await this.account.get(READ.authCode, path, {}, { 406: 'policy' });
    return { code: authCode, expiresAt: addDays(this.clock.now(), this.policyFor(name).periods.authCode) };
  }

  async withdrawAuthCode(): Promise<void> {
    throw unsupportedBy(VENDOR, 'withdrawing an auth code');
  }

  async restore(): Promise<ChargedDomain> {
    throw unsupportedBy(VENDOR, 'restoring a name');
  }

  /** In the add grace period, by a refund of the registration's order. */
  async delete(name: DomainName, transactionId: string): Promise<RegistryDomain | undefined> {
    await this.account.domain(name);
    const refundable = (await this.account.orders(name, 'registration')).flatMap(({ id, orderItems = [] }) =>
      orderItems
        .filter((item) => item.name?.toLowerCase() === name.value && item.isRefundable === true)
        .map((item) => ({ orderId: id, orderItemIds: [item.id] })),
    );
    const [order] = refundable;
    if (!order) throw unsupportedBy(VENDOR, 'deleting a name after its add grace period');
    const { results } = await this.account.postOnce(READ.refund, '/refund', order, transactionId);
    const status = results[0]?.orderItemStatus;
    if (status === 'refunded') return undefined;
    if (status === 'initialized') throw new RegistryInconclusive(`${VENDOR} has not deleted ${name.value} yet`);
    throw new RegistryRejected('status', `${VENDOR} did not delete ${name.value}`);
  }

  override async list(cursor = '1'): Promise<NamePage> {
    const query = { page: cursor, perPage: NAMES_PER_PAGE, sort: 'domainName', includeRenewalPrice: false };
    const { domains, nextPage } = await this.account.get(READ.domains, '/domains', query);
    return {
      ...listNames(domains.map(({ domainName: name, expireDate: expiry }) => ({ name, expiry }))),
      ...(nextPage && { next: String(nextPage) }),
    };
  }

  override async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    return this.transfers.price(name, this.policyFor(name).renewalYears.min, term);
  }

  /** The name keeps its contacts: name.com takes none with a transfer. */
  override async requestTransfer(request: TransferRequest): Promise<RegistryTransfer> {
    return this.transfers.request(request, this.policyFor(request.name).renewalYears.min);
  }

  override async transferStatus(name: DomainName): Promise<RegistryTransfer | undefined> {
    return this.transfers.status(name);
  }

  override async cancelTransfer(name: DomainName, _transactionId: string): Promise<RegistryTransfer> {
    return this.transfers.cancel(name);
  }

  override async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return this.delegation.dsRecords(name);
  }

  override async setDsRecords(
    name: DomainName,
    dsRecords: readonly DsRecord[],
    _transactionId: string,
  ): Promise<readonly DsRecord[]> {
    return this.delegation.setDsRecords(name, dsRecords);
  }

  override async hostedZone(name: DomainName): Promise<string | undefined> {
    return this.delegation.zone(name);
  }

  /** name.com sends webhooks only. */
  async poll(): Promise<RegistryMessage | undefined> {
    return undefined;
  }

  async acknowledge(): Promise<void> {}

  private policyFor(name: DomainName): TldPolicy {
    return requirePolicy(this.tlds, name, 'policy');
  }

  private toFacts(domain: NamecomDomain): RegistryDomain {
    return toRegistryDomain(domain, this.clock.now());
  }

  /** The account's defaults may differ from what was ordered. */
  private async ensureDefaults(domain: NamecomDomain): Promise<NamecomDomain> {
    if (domain.locked && !domain.autorenewEnabled) return domain;
    const name = nameOf(domain.domainName);
    return this.account.update(name, { locked: true, autorenewEnabled: false }).catch(throwAsUnknown);
  }

  /** The status is the same for a taken name and an invalid request; the availability differs. */
  private async order(name: DomainName, order: object, key: string) {
    try {
      return await this.account.postOnce(READ.created, '/domains', order, key, { 404: 'policy', 409: 'policy' });
    } catch (error) {
      if (!isRejected(error, 'policy') || (await this.offers.isFree(name).catch(() => true))) throw error;
      throw new RegistryRejected('unavailable', `${name.value} is not available`, { cause: error });
    }
  }

  private async ordersOf(name: DomainName, type: string): Promise<readonly VendorOrder[]> {
    return toVendorOrders(name, await this.account.orders(name, type));
  }

  /** A first attempt needs no request: name.com rejects a taken name. */
  private async assertNotHeld(name: DomainName, isRetry: boolean): Promise<undefined> {
    if (isRetry && (await this.account.findDomain(name)))
      throw new RegistryRejected('unavailable', `${name.value} is in this account already`);
    return undefined;
  }
}
