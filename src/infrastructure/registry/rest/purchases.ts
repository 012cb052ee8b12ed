import type { Clock } from '../../../application/ports/system/clock';
import { RegistryInconclusive, RegistryNotContacted } from '../../../application/ports/registry/registry-errors';
import type { DomainName } from '../../../domain/registration/domain-name';
import { isSame, type Money } from '../../../domain/shared/money';

/** An order, registration, renewal or transfer in the vendor's books. */
export interface VendorOrder {
  readonly id: string;
  /** `open` until the vendor has decided. */
  readonly status: 'open' | 'completed' | 'failed';
}

/** A command that the vendor charges, and would charge again if it were repeated. */
export interface Purchase<T> {
  readonly name: DomainName;
  readonly kind: 'registration' | 'renewal' | 'transfer';
  /**
   * Reads the name at the vendor and rejects a command that must not be sent: it is held already, its expiry differs, its
   * transfer is pending. Returns the expiry, undefined for a name that we do not hold.
   * @param isRetry whether an earlier attempt of this process has no known outcome
   */
  readonly check: (isRetry: boolean) => Promise<Date | undefined>;
  /** The vendor's orders of this kind for this name, if it lists them. */
  readonly orders?: () => Promise<readonly VendorOrder[]>;
  /** Our balance, for vendors that list no orders. */
  readonly balance?: () => Promise<Money>;
  readonly send: () => Promise<T>;
}

/** An attempt without a known outcome. */
interface Attempt {
  readonly at: Date;
  readonly expiry: Date | undefined;
  readonly orderIds: ReadonlySet<string>;
  readonly balance: Money | undefined;
}

/** Vendors show a purchase within this time, even if they list no orders. */
const SETTLED_MS = 10 * 60_000;
const RETRY_SECONDS = 30;
const MAX_ATTEMPTS = 10_000;

/**
 * Sends purchases to a vendor that has no idempotency keys. Before a command is sent it looks for an earlier attempt with
 * an unknown outcome: in the name's state, in the vendor's orders since then, and in the balance. One purchase for each name is in flight.
 * The service reads `info` before it repeats a command; this finds what `info` does not show yet. After a restart only open
 * orders tell of earlier attempts.
 */
export class Purchases {
  private readonly inFlight = new Set<string>();
  private readonly attempts = new Map<string, Attempt>();

  constructor(
    private readonly vendor: string,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws what `check` and `send` throw; RegistryInconclusive while an earlier attempt may still take effect;
   *   RegistryNotContacted while another purchase for the name is in flight
   */
  async send<T>(purchase: Purchase<T>): Promise<T> {
    const { name, kind } = purchase;
    if (this.inFlight.has(name.value))
      throw new RegistryNotContacted(`another purchase of ${name.value} is being sent to ${this.vendor}`);
    this.inFlight.add(name.value);
    try {
      return await this.sendOnce(`${kind} ${name.value}`, purchase);
    } finally {
      this.inFlight.delete(name.value);
    }
  }

  private async sendOnce<T>(key: string, purchase: Purchase<T>): Promise<T> {
    const earlier = this.attempts.get(key);
    const expiry = await purchase.check(earlier !== undefined);
    const orders = (await purchase.orders?.()) ?? [];
    if (orders.some(({ status }) => status === 'open')) throw this.undecided(purchase, 'has an open order');
    const balance = await purchase.balance?.();
    if (earlier && sameExpiry(earlier.expiry, expiry)) this.assertWithoutEffect(purchase, earlier, orders, balance);
    this.remember(key, { at: this.clock.now(), expiry, orderIds: new Set(orders.map(({ id }) => id)), balance });
    try {
      const result = await purchase.send();
      this.attempts.delete(key);
      return result;
    } catch (error) {
      if (isWithoutEffect(error)) this.attempts.delete(key);
      throw error;
    }
  }

  /** The name does not show the earlier attempt. Its order may, and so may a lower balance. */
  private assertWithoutEffect(
    purchase: Purchase<unknown>,
    earlier: Attempt,
    orders: readonly VendorOrder[],
    balance: Money | undefined,
  ): void {
    if (orders.some(({ id, status }) => status === 'completed' && !earlier.orderIds.has(id)))
      throw this.undecided(purchase, 'completed an order whose effect it does not show');
    const isRecent = this.clock.now().getTime() - earlier.at.getTime() < SETTLED_MS;
    const mayBeCharged = balance !== undefined && earlier.balance !== undefined && !isSame(balance, earlier.balance);
    if (mayBeCharged && isRecent) throw this.undecided(purchase, 'changed our balance since the last attempt');
  }

  private undecided({ name, kind }: Purchase<unknown>, what: string): RegistryInconclusive {
    return new RegistryInconclusive(`${this.vendor} ${what}: ${kind} of ${name.value}`, RETRY_SECONDS);
  }

  private remember(key: string, attempt: Attempt): void {
    this.attempts.delete(key);
    this.attempts.set(key, attempt);
    const [oldest] = this.attempts.keys();
    if (this.attempts.size > MAX_ATTEMPTS && oldest !== undefined) this.attempts.delete(oldest);
  }
}

function sameExpiry(left: Date | undefined, right: Date | undefined): boolean {
  return left?.getTime() === right?.getTime();
}

/** A rejection, or a command that was not sent. */
function isWithoutEffect(error: unknown): boolean {
  return (
    error instanceof RegistryNotContacted ||
    (error instanceof Error && 'code' in error && error.code === 'REGISTRY_REJECTED')
  );
}
