import {
  instantOf,
  majorUnits,
  RegistryInconclusive,
  RegistryRejected,
  type Clock,
  type DomainName,
  type Money,
  type Purchases,
  type RegistrationTerm,
  type RegistryTransfer,
  type TransferRequest,
} from '../../../adapter';
import { isRejected, throwAsUnknown, type NamecomAccount } from './namecom-account';
import { READ, VENDOR } from './namecom-client';
import { toMoney, toVendorOrders, transferStatusOf } from './namecom-mapping';
import type { NamecomOffers } from './namecom-offers';

/** Transfers to the account. A transfer adds the shortest term that the TLD sells, `years`. */
export class NamecomTransfers {
  constructor(
    private readonly account: NamecomAccount,
    private readonly offers: NamecomOffers,
    private readonly purchases: Purchases,
    private readonly clock: Clock,
  ) {}

  async price(name: DomainName, years: number, term?: RegistrationTerm): Promise<Money> {
    assertTerm(term, years);
    const price = toMoney((await this.offers.pricing(name, years)).transferPrice);
    if (!price) throw new RegistryRejected('policy', `${VENDOR} does not transfer ${name.value}`);
    return price;
  }

  async request({ name, term, authCode, price }: TransferRequest, years: number): Promise<RegistryTransfer> {
    assertTerm(term, years);
    const pricing = await this.offers.pricing(name, years);
    this.offers.assertPrice(pricing.transferPrice, price, 'policy');
    const body = {
      domainName: name.value,
      authCode,
      ...(pricing.premium && { purchasePrice: majorUnits(price) }),
    };
    await this.purchases.send({
      name,
      kind: 'transfer',
      check: () => this.assertTransferable(name),
      // A pending transfer has an open order, and `check` rejects it.
      orders: async () =>
        toVendorOrders(name, await this.account.orders(name, 'transfer')).filter(({ status }) => status !== 'open'),
      send: () => this.submit(name, body),
    });
    return this.shown(name);
  }

  /** name.com tells when a transfer was requested by its order only. */
  async status(name: DomainName): Promise<RegistryTransfer | undefined> {
    const transfer = await this.account.find(READ.transfer, { method: 'GET', path: `/transfers/${name.value}` });
    if (!transfer) return undefined;
    const [order] = await this.account.orders(name, 'transfer');
    const charged = toMoney(order?.orderItems?.find(({ type }) => type === 'transfer')?.price);
    return {
      name,
      direction: 'in',
      status: transferStatusOf(transfer.status),
      requestedAt: order?.createDate === undefined ? this.clock.now() : instantOf(order.createDate),
      ...(charged && { charged }),
    };
  }

  async cancel(name: DomainName): Promise<RegistryTransfer> {
    const meanings = { 400: 'status', 404: 'status' } as const;
    await this.account.post(READ.transfer, `/transfers/${name.value}:cancel`, {}, meanings);
    return this.shown(name);
  }

  async isPending(name: DomainName): Promise<boolean> {
    const transfer = await this.account.find(READ.transfer, { method: 'GET', path: `/transfers/${name.value}` });
    return transfer !== undefined && transferStatusOf(transfer.status) === 'pending';
  }

  /** After a command. */
  private async shown(name: DomainName): Promise<RegistryTransfer> {
    const transfer = await this.status(name).catch(throwAsUnknown);
    if (!transfer) throw new RegistryInconclusive(`${VENDOR} does not show the transfer of ${name.value}`);
    return transfer;
  }

  private async assertTransferable(name: DomainName): Promise<undefined> {
    if (await this.account.findDomain(name))
      throw new RegistryRejected('policy', `${name.value} is in this account already`);
    if (await this.isPending(name)) throw new RegistryRejected('status', `a transfer of ${name.value} is pending`);
    return undefined;
  }

  /** Price and name are valid at this point, so that a 400 is about the auth code. */
  private async submit(name: DomainName, body: object) {
    const meanings = { 400: 'auth_code', 404: 'not_held', 422: 'policy' } as const;
    try {
      return await this.account.post(READ.transferRequested, '/transfers', body, meanings);
    } catch (error) {
      if (!isRejected(error, 'auth_code', 'status', 'policy')) throw error;
      if (!(await this.offers.isFree(name).catch(() => false))) throw error;
      throw new RegistryRejected('not_held', `${name.value} is not registered`, { cause: error });
    }
  }
}

function assertTerm(term: RegistrationTerm | undefined, years: number): void {
  if (term && term.years !== years)
    throw new RegistryRejected('policy', `a transfer to ${VENDOR} adds ${years} ${years === 1 ? 'year' : 'years'}`);
}
