import {
  addDays,
  assertRenewable,
  listNames,
  isWithin,
  LimitedRegistry,
  Purchases,
  RegistryInconclusive,
  RegistryRejected,
  sameDay,
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
  type VendorOrder,
} from '../../../adapter';
import { isMissing, RealtimeRegisterError, type RealtimeRegisterClient } from './realtimeregister-client';
import type { RtrAction } from './realtimeregister-responses';
import { RealtimeRegisterDelegation } from './realtimeregister-delegation';
import { afterwards, assertPrice, rejecting, type RealtimeRegisterDomains } from './realtimeregister-domains';
import { LOCK, months, newAuthCode, toMessage, toOrder, toRegistrant } from './realtimeregister-mapping';
import { RealtimeRegisterTransfers } from './realtimeregister-transfers';

const VENDOR = 'Realtime Register';
const RESTORE_REASON = 'Requested by the registrant';

/**
 * Realtime Register's API v2. Every charge is quoted first and agreed to in the command, so it rejects another one. It has
 * no idempotency keys, but lists its processes: an open one is never repeated.
 */
export class RealtimeRegisterRegistry extends LimitedRegistry implements RegistryAdapter {
  protected readonly vendor = VENDOR;
  private readonly purchases: Purchases;
  private readonly transfers: RealtimeRegisterTransfers;
  private readonly delegation: RealtimeRegisterDelegation;

  constructor(
    private readonly client: RealtimeRegisterClient,
    private readonly domains: RealtimeRegisterDomains,
    private readonly customer: string,
    private readonly clock: Clock,
    stored?: StoredValues,
  ) {
    super();
    this.purchases = new Purchases(VENDOR, { clock, stored, readLagSeconds: domains.policies[0]?.readLagSeconds });
    this.transfers = new RealtimeRegisterTransfers(client, domains, this.purchases, customer);
    this.delegation = new RealtimeRegisterDelegation(client, domains);
  }

  policies(): readonly TldPolicy[] {
    return this.domains.policies;
  }

  async check(names: readonly DomainName[], term?: RegistrationTerm): Promise<readonly Availability[]> {
    const results: Availability[] = [];
    for (const name of names) results.push(await this.domains.check(name, term?.years));
    return results;
  }

  async price(name: DomainName, term?: RegistrationTerm): Promise<RenewalPrices> {
    const { renewalYears, years } = this.domains.policyFor(name, 'policy');
    const renewal = await this.renewalPrice(name, term?.years ?? renewalYears.min);
    const restore = await this.domains.listed(name, 'RESTORE', years.min);
    return { renewal, ...(restore && { restore }) };
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    return this.domains.info(name);
  }

  async registrant(name: DomainName): Promise<Registrant | undefined> {
    const handle = (await rejecting(() => this.client.findDomain(name.value)))?.registrant;
    return handle ? toRegistrant(await rejecting(() => this.client.contact(handle))) : undefined;
  }

  async register({ name, term, registrant, nameservers, price }: RegistrationRequest): Promise<ChargedDomain> {
    this.domains.policyFor(name, 'unavailable');
    let agreed: RtrAction;
    return this.purchases.send<ChargedDomain>({
      name,
      kind: 'registration',
      check: async () => {
        const { available } = await rejecting(() => this.client.check(name.value));
        if (!available) throw new RegistryRejected('unavailable', `${name.value} is not available`);
        const handle = await this.domains.ensureContact(registrant);
        const quote = await this.domains.quote(name, '', {
          customer: this.customer,
          registrant: handle,
          period: months(term.years),
          autoRenew: false,
          ns: nameservers.hosts,
          contacts: ['ADMIN', 'TECH', 'BILLING'].map((role) => ({ role, handle })),
        });
        assertPrice(quote.total, price);
        agreed = quote.agreed;
        return undefined;
      },
      orders: () => this.orders(name, 'create'),
      send: async () => {
        await rejecting(() => this.client.act(name.value, '', agreed));
        const registered = await afterwards(() => this.domains.info(name));
        if (!registered?.sponsoredByUs) throw new RegistryInconclusive(`${VENDOR} does not show ${name.value} yet`);
        if (registered.phase === 'pending_create') return { ...registered, charged: price };
        return { ...(await afterwards(() => this.setTransferLock(name, true))), charged: price };
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
    let quote: { readonly total: Money; readonly agreed: RtrAction };
    return this.purchases.send<ChargedDomain>({
      name,
      kind: 'renewal',
      check: async () => {
        const domain = this.domains.toDomain(name, await this.domains.requireHeld(name));
        assertRenewable(domain, { currentExpiry, years, now: this.clock.now() });
        quote = await this.domains.quote(name, '/renew', { period: months(years) });
        if (price) assertPrice(quote.total, price);
        return domain.expiresAt;
      },
      orders: () => this.orders(name, 'renew'),
      isShown: ({ expiresAt }) => !sameDay(expiresAt, currentExpiry),
      send: async () => {
        await rejecting(() => this.client.act(name.value, '/renew', quote.agreed));
        const renewed = await this.domains.readBack(name);
        if (sameDay(renewed.expiresAt, currentExpiry) && (await afterwards(() => this.isOpen(name, 'renew'))))
          throw new RegistryInconclusive(`${VENDOR} has not completed the renewal of ${name.value}`);
        return { ...renewed, charged: quote.total };
      },
    });
  }

  async setNameservers(name: DomainName, { hosts }: Nameservers, glue: readonly GlueHost[]): Promise<RegistryDomain> {
    return this.delegation.setNameservers(name, hosts, glue);
  }

  async setGlue(name: DomainName, glue: readonly GlueHost[]): Promise<void> {
    return this.delegation.setGlue(name, glue);
  }

  async setRegistrant(name: DomainName, registrant: Registrant): Promise<void> {
    const present = await this.domains.requireHeld(name);
    const handle = await this.domains.ensureContact(registrant);
    if (present.registrant === handle) return;
    await rejecting(() => this.client.act(name.value, '/update', { registrant: handle }));
  }

  /** The list of statuses replaces the present one. */
  async setTransferLock(name: DomainName, locked: boolean): Promise<RegistryDomain> {
    const present = await this.domains.requireHeld(name);
    if (present.status.includes(LOCK) === locked) return this.domains.toDomain(name, present);
    const others = present.status.filter((status) => status !== LOCK && status !== 'OK');
    return this.domains.update(name, { status: locked ? [...others, LOCK] : others });
  }

  override async setRegistrarRenewal(name: DomainName, enabled: boolean): Promise<void> {
    await this.domains.requireHeld(name);
    await rejecting(() => this.client.act(name.value, '/update', { autoRenew: enabled }));
  }

  async issueAuthCode(name: DomainName): Promise<AuthCode> {
    const { periods } = this.domains.policyFor(name, 'not_held');
    const code = newAuthCode();
    await rejecting(() => this.client.act(name.value, '/update', { authcode: code }));
    return { code, expiresAt: addDays(this.clock.now(), periods.authCode) };
  }

  /** Replaces it with a code that is not shown to anyone. */
  async withdrawAuthCode(name: DomainName): Promise<void> {
    await this.issueAuthCode(name);
  }

  async restore(name: DomainName, price: Money): Promise<ChargedDomain> {
    const present = this.domains.toDomain(name, await this.domains.requireHeld(name));
    if (present.phase === 'pending_restore') return present;
    if (present.phase !== 'redemption') throw new RegistryRejected('status', `${name.value} is not in redemption`);
    return this.purchases.send<ChargedDomain>({
      name,
      kind: 'restore',
      check: async () => present.expiresAt,
      orders: () => this.orders(name, 'restore'),
      isShown: ({ phase }) => phase !== 'redemption',
      send: async () => {
        const { total, agreed } = await this.domains.quote(name, '/restore', { reason: RESTORE_REASON });
        if (!isWithin(total, price)) throw new RegistryRejected('price_changed', `A restore costs more at ${VENDOR}`);
        await rejecting(() => this.client.act(name.value, '/restore', agreed));
        return { ...(await this.domains.readBack(name)), charged: total };
      },
    });
  }

  async delete(name: DomainName): Promise<RegistryDomain | undefined> {
    this.domains.policyFor(name, 'not_held');
    await rejecting(() => this.client.deleteDomain(name.value));
    const left = await afterwards(() => this.client.findDomain(name.value));
    return left && this.domains.toDomain(name, left);
  }

  override async transferPrice(name: DomainName, term?: RegistrationTerm): Promise<Money> {
    return this.transfers.price(name, term);
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

  override async list(cursor = '0'): Promise<NamePage> {
    const offset = Number(cursor);
    const { entities, total } = await rejecting(() => this.client.names(offset));
    const next = offset + entities.length;
    return {
      ...listNames(entities.map(({ domainName: name, expiryDate: expiry }) => ({ name, expiry }))),
      ...(entities.length > 0 && next < total && { next: String(next) }),
    };
  }

  override async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return this.delegation.dsRecords(name);
  }

  override async setDsRecords(name: DomainName, dsRecords: readonly DsRecord[]): Promise<readonly DsRecord[]> {
    return this.delegation.setDsRecords(name, dsRecords);
  }

  async poll(): Promise<RegistryMessage | undefined> {
    const notification = await rejecting(() => this.client.poll());
    return notification ? toMessage(notification, this.clock.now()) : undefined;
  }

  async acknowledge(messageId: string): Promise<void> {
    try {
      await this.client.acknowledge(messageId);
    } catch (error) {
      if (error instanceof RealtimeRegisterError && isMissing(error)) return;
      await rejecting(() => Promise.reject(error as Error));
    }
  }

  /**
   * As it would be charged now. A name in redemption, or whose registration is still queued here, gets no quote: the price list
   * tells, but not of premium names.
   */
  private async renewalPrice(name: DomainName, years: number): Promise<Money> {
    try {
      return (await this.domains.quote(name, '/renew', { period: months(years) })).total;
    } catch (error) {
      const reason = error instanceof RegistryRejected ? error.reason : undefined;
      if (reason !== 'status' && reason !== 'not_held') throw error;
      const { premium } =
        reason === 'not_held'
          ? await rejecting(() => this.client.check(name.value))
          : await this.domains.requireHeld(name);
      const listed = premium ? undefined : await this.domains.listed(name, 'RENEW', years);
      if (!listed) throw error;
      return listed;
    }
  }

  private async isOpen(name: DomainName, action: string): Promise<boolean> {
    return (await this.orders(name, action)).some(({ status }) => status === 'open');
  }

  private async orders(name: DomainName, action: string): Promise<readonly VendorOrder[]> {
    return (await this.domains.processes(name)).filter((process) => process.action === action).map(toOrder);
  }
}
