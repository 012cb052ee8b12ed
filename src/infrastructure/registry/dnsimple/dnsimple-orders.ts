import { isSame, RegistryRejected, type Clock, type DomainName, type Money, type VendorOrder } from '../../../adapter';
import { DnsimpleError, type DnsimpleClient } from './dnsimple-client';
import type { DnsimpleCharge, DnsimpleOrder, DnsimplePage } from './dnsimple-responses';
import { rejecting } from './dnsimple-domains';
import { stateOf } from './dnsimple-mapping';

const MAX_ORDERS = 10_000;
/** No order stays open for longer: a transfer ends after seven days. */
const OPEN_MS = 9 * 24 * 3_600_000;
const MAX_PAGES = 100;

/**
 * The newest renewals, restores or transfers by name. DNSimple lists none and returns the state of one by its id. Ids that this
 * process does not know, because of a restart or a lost response, are found in the invoices.
 */
export class DnsimpleOrders {
  private readonly ids = new Map<string, number>();

  constructor(
    private readonly client: Pick<DnsimpleClient, 'charges'>,
    private readonly clock: Clock,
    private readonly read: (name: string, id: number) => Promise<DnsimpleOrder>,
  ) {}

  /** Only what this process has ordered or found. */
  async known({ value }: DomainName): Promise<DnsimpleOrder | undefined> {
    const id = this.ids.get(value);
    return id === undefined ? undefined : rejecting(() => this.read(value, id));
  }

  /** Reads the invoices if this process knows no order. */
  async find(name: DomainName): Promise<DnsimpleOrder | undefined> {
    return (await this.known(name)) ?? (await rejecting(() => this.findCharged(name)));
  }

  /** As `Purchase` takes them. */
  async list(name: DomainName): Promise<readonly VendorOrder[]> {
    const order = await this.find(name);
    if (!order) return [];
    const state = stateOf(order);
    return [{ id: String(order.id), status: state === 'cancelled' ? 'failed' : state }];
  }

  /** Undefined if no invoice tells of one, or the token may not read invoices. */
  private async findCharged({ value }: DomainName): Promise<DnsimpleOrder | undefined> {
    const since = new Date(this.clock.now().getTime() - OPEN_MS);
    try {
      for (let page: number | undefined = 1; page !== undefined && page <= MAX_PAGES;) {
        const { data, next }: DnsimplePage<DnsimpleCharge> = await this.client.charges(since, page);
        for (const { product_id: id, product_reference: name } of data.flatMap(({ items }) => items)) {
          const order = id && name === value ? await this.readIfKind(value, id) : undefined;
          if (!order) continue;
          this.remember(value, order.id);
          return order;
        }
        page = next;
      }
    } catch (error) {
      if (!(error instanceof DnsimpleError && error.status === 403)) throw error;
    }
    return undefined;
  }

  /** Undefined if the id is that of another kind of order. */
  private async readIfKind(name: string, id: number): Promise<DnsimpleOrder | undefined> {
    try {
      return await this.read(name, id);
    } catch (error) {
      if (error instanceof DnsimpleError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** @throws RegistryRejected (`policy`) if DNSimple has ended the order without effect */
  add({ value }: DomainName, order: DnsimpleOrder): void {
    assertNotEnded(order);
    this.remember(value, order.id);
  }

  private remember(name: string, id: number): void {
    this.ids.delete(name);
    this.ids.set(name, id);
    const [oldest] = this.ids.keys();
    if (this.ids.size > MAX_ORDERS && oldest !== undefined) this.ids.delete(oldest);
  }
}

/** @throws RegistryRejected (`policy`) */
export function assertNotEnded(order: DnsimpleOrder): void {
  const state = stateOf(order);
  if (state === 'failed' || state === 'cancelled')
    throw new RegistryRejected('policy', `DNSimple ended the order as ${state}`);
}

/** @throws RegistryRejected (`price_changed`) */
export function assertPrice(actual: Money, agreed: Money): void {
  if (!isSame(actual, agreed)) throw new RegistryRejected('price_changed', 'The price at DNSimple has changed');
}
