import { isSame, RegistryRejected, type DomainName, type Money, type VendorOrder } from '../../../adapter';
import type { DnsimpleOrder } from './dnsimple-client';
import { rejecting } from './dnsimple-domains';
import { stateOf } from './dnsimple-mapping';

const MAX_ORDERS = 10_000;

/**
 * The newest renewals, restores or transfers by name. DNSimple lists none and tells the state of one by its id, which is
 * known until the process ends.
 */
export class DnsimpleOrders {
  private readonly ids = new Map<string, number>();

  constructor(private readonly read: (name: string, id: number) => Promise<DnsimpleOrder>) {}

  async find(name: DomainName): Promise<DnsimpleOrder | undefined> {
    const id = this.ids.get(name.value);
    return id === undefined ? undefined : rejecting(() => this.read(name.value, id));
  }

  /** As `Purchase` takes them. */
  async list(name: DomainName): Promise<readonly VendorOrder[]> {
    const order = await this.find(name);
    if (!order) return [];
    const state = stateOf(order);
    return [{ id: String(order.id), status: state === 'cancelled' ? 'failed' : state }];
  }

  /** @throws RegistryRejected (`policy`) if DNSimple has ended the order without effect */
  add({ value }: DomainName, order: DnsimpleOrder): void {
    assertNotEnded(order);
    this.ids.delete(value);
    this.ids.set(value, order.id);
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
