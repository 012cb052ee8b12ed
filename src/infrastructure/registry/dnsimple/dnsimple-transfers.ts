import {
  instantOf,
  RegistryRejected,
  type Clock,
  type DomainName,
  type Money,
  type Purchases,
  type RegistryTransfer,
  type TransferRequest,
} from '../../../adapter';
import { DnsimpleError, type DnsimpleClient } from './dnsimple-client';
import type { DnsimplePrices } from './dnsimple-responses';
import { afterwards, rejecting, type DnsimpleDomains } from './dnsimple-domains';
import { premiumPrice, stateOf, toRejection, toTransfer, toTransferPrice } from './dnsimple-mapping';
import { assertPrice, DnsimpleOrders } from './dnsimple-orders';

/** DNSimple ends a transfer after seven days at the latest. */
const MAX_TRANSFER_MS = 8 * 24 * 3_600_000;

/** Transfers to DNSimple, which add a year. */
export class DnsimpleTransfers {
  private readonly orders: DnsimpleOrders;

  constructor(
    private readonly client: DnsimpleClient,
    private readonly domains: DnsimpleDomains,
    private readonly purchases: Purchases,
    clock: Clock,
  ) {
    this.orders = new DnsimpleOrders(client, clock, (name, id) => client.transferStatus(name, id));
  }

  /** The latest transfer that this process has requested or found. */
  async known(name: DomainName): Promise<RegistryTransfer | undefined> {
    const order = await this.orders.known(name);
    return order && toTransfer(name, order);
  }

  async price(name: DomainName): Promise<Money> {
    this.domains.policyFor(name, 'policy');
    return toTransferPrice(await this.domains.prices(name));
  }

  async request({ name, term, registrant, authCode, price }: TransferRequest): Promise<RegistryTransfer> {
    this.domains.policyFor(name, 'policy');
    if (term.years !== 1) throw new RegistryRejected('policy', 'A transfer to DNSimple adds one year');
    let prices: DnsimplePrices;
    return this.purchases.send({
      name,
      kind: 'transfer',
      check: async () => {
        const pending = await this.orders.find(name);
        if (pending && stateOf(pending) === 'open') throw new RegistryRejected('status', 'A transfer is pending');
        const domain = await rejecting(() => this.client.findDomain(name.value));
        if (domain && domain.state !== 'hosted') throw new RegistryRejected('policy', `${name.value} is already ours`);
        prices = await this.domains.prices(name);
        assertPrice(toTransferPrice(prices), price);
        return undefined;
      },
      send: async () => {
        const requested = this.domains.withContact(registrant, (contactId) =>
          this.client.transfer(name.value, {
            registrant_id: contactId,
            auth_code: authCode,
            auto_renew: false,
            ...premiumPrice(prices, price),
          }),
        );
        const order = await requested.catch(async (error: unknown) => {
          throw await this.toTransferError(error, name);
        });
        this.orders.add(name, order);
        return toTransfer(name, order);
      },
    });
  }

  /** Without its id, a transfer is pending while DNSimple has the name for some days and has not registered it. */
  async status(name: DomainName): Promise<RegistryTransfer | undefined> {
    const order = await this.orders.find(name);
    if (order) return toTransfer(name, order);
    const domain = await rejecting(() => this.client.findDomain(name.value));
    if (domain?.state !== 'hosted' || !this.domains.isYoung(domain, MAX_TRANSFER_MS)) return undefined;
    return { name, direction: 'in', status: 'pending', requestedAt: instantOf(domain.created_at) };
  }

  async cancel(name: DomainName): Promise<RegistryTransfer> {
    const order = await this.orders.find(name);
    if (!order)
      throw new RegistryRejected(
        'status',
        `DNSimple shows no invoice for a transfer of ${name.value}: cancel it at DNSimple`,
      );
    if (stateOf(order) !== 'open') throw new RegistryRejected('status', 'The transfer has ended');
    await rejecting(() => this.client.cancelTransfer(name.value, order.id), 'status');
    return toTransfer(name, await afterwards(() => this.client.transferStatus(name.value, order.id)));
  }

  /** DNSimple gives no reason that a program can read, except for the auth code's field. */
  private async toTransferError(error: unknown, name: DomainName): Promise<unknown> {
    if (!(error instanceof DnsimpleError) || error.status !== 400) return toRejection(error);
    if (error.fields.includes('auth_code')) return toRejection(error, 'auth_code');
    return toRejection(error, (await this.domains.isKnownAvailable(name)) ? 'not_held' : 'status');
  }
}
