import type { Clock } from '../../../application/ports/system';
import { EffectNotShown, RegistryNotContacted } from '../../../application/ports/registry/registry-errors';
import type { DomainName } from '../../../domain/shared/domain-name';
import { sameDay } from '../../../domain/shared/time/calendar';
import { readLagMsOf } from '../../../domain/registration/names/tld-policy';
import { isSame, type Money } from '../../../domain/shared/money';
import type { StoredValues } from '../registry-adapter';
import { orderMark, PurchaseAttempts, type PurchaseAttempt } from './purchase-attempts';

/** An order, registration, renewal or transfer in the vendor's books. */
export interface VendorOrder {
  readonly id: string;
  /** `open` until the vendor has decided. */
  readonly status: 'open' | 'completed' | 'failed';
}

/** A command that the vendor charges, and would charge again if it were repeated. */
export interface Purchase<T> {
  readonly name: DomainName;
  readonly kind: 'registration' | 'renewal' | 'transfer' | 'restore';
  /**
   * Reads the name at the vendor and rejects a command that must not be sent: it is held already, its expiry differs, its
   * transfer is pending. Returns the expiry, undefined for a name that we do not hold.
   * @param isRetry whether an earlier attempt has no known outcome
   */
  readonly check: (isRetry: boolean) => Promise<Date | undefined>;
  /** The vendor's orders of this kind for this name, if it lists them. */
  readonly orders?: () => Promise<readonly VendorOrder[]>;
  /** Our balance, for vendors that list no orders. */
  readonly balance?: () => Promise<Money>;
  readonly send: () => Promise<T>;
  /** Whether the vendor's reads show the effect after `send`; true if absent. Otherwise the attempt is remembered. */
  readonly isShown?: (result: T) => boolean;
}

type PurchaseSubject = Pick<Purchase<unknown>, 'name' | 'kind'>;

export interface PurchaseContext {
  readonly clock: Clock;
  /** `RegistryContext.stored`. Without it, attempts are forgotten when the process ends. */
  readonly stored: StoredValues | undefined;
  /** That of the policies. */
  readonly readLagSeconds?: number | undefined;
}

/** Vendors show a purchase within this time, even if they list no orders. */
const SETTLED_MS = 10 * 60_000;
const RETRY_SECONDS = 30;

/**
 * Sends purchases to a vendor that has no idempotency keys. Before a command is sent it looks for an earlier attempt with
 * an unknown outcome: in the name's state, in the vendor's orders since then, and in the balance. Nothing is sent while the
 * vendor's reads may lag behind that attempt. One purchase for each name is in flight.
 * The service reads `info` before it repeats a command; this finds what `info` does not show yet, after a restart, too.
 */
export class Purchases {
  private readonly inFlight = new Set<string>();
  private readonly attempts: PurchaseAttempts;

  constructor(
    private readonly vendor: string,
    private readonly context: PurchaseContext,
  ) {
    this.attempts = new PurchaseAttempts(context.clock, context.stored);
  }

  /**
   * @throws what `check` and `send` throw; EffectNotShown while an earlier attempt may still take effect;
   *   RegistryNotContacted while another purchase for the name is in flight, or if the attempt cannot be stored
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
    const earlier = await this.attempts.find(key);
    const expiry = await purchase.check(earlier !== undefined);
    const orders = (await purchase.orders?.()) ?? [];
    if (orders.some(({ status }) => status === 'open')) throw this.undecided(purchase, 'has an open order');
    const balance = await purchase.balance?.();
    const attempt = { at: this.context.clock.now(), expiry, orders: orders.map(({ id }) => orderMark(id)), balance };
    if (earlier && sameExpiry(earlier.expiry, expiry)) this.assertWithoutEffect(purchase, earlier, orders, balance);
    await this.attempts.remember(key, attempt);
    try {
      const result = await purchase.send();
      if (purchase.isShown?.(result) ?? true) await this.attempts.forget(key);
      return result;
    } catch (error) {
      if (isWithoutEffect(error)) await this.undo(key, earlier);
      throw error;
    }
  }

  /** After an attempt without effect. An earlier one may still take effect, so that it is the one to look for. */
  private async undo(key: string, earlier: PurchaseAttempt | undefined): Promise<void> {
    // If the earlier one cannot be stored, this attempt stays, which only delays the next.
    if (earlier) await this.attempts.remember(key, earlier).catch(() => undefined);
    else await this.attempts.forget(key);
  }

  /** The name does not show the earlier attempt. Its order may, and so may a lower balance. */
  private assertWithoutEffect(
    purchase: PurchaseSubject,
    earlier: PurchaseAttempt,
    orders: readonly VendorOrder[],
    balance: Money | undefined,
  ): void {
    if (orders.some(({ id, status }) => status === 'completed' && !earlier.orders.includes(orderMark(id))))
      throw this.undecided(purchase, 'completed an order whose effect it does not show');
    const ageMs = this.context.clock.now().getTime() - earlier.at.getTime();
    if (ageMs < readLagMsOf(this.context)) throw this.undecided(purchase, 'may not show the last attempt yet');
    const mayBeCharged = balance !== undefined && earlier.balance !== undefined && !isSame(balance, earlier.balance);
    if (mayBeCharged && ageMs < SETTLED_MS)
      throw this.undecided(purchase, 'changed our balance since the last attempt');
  }

  private undecided({ name, kind }: PurchaseSubject, what: string): EffectNotShown {
    return new EffectNotShown(`${this.vendor} ${what}: ${kind} of ${name.value}`, RETRY_SECONDS);
  }
}

/** By the day, as the service compares expiries: some vendors show another time of it with each response. */
function sameExpiry(left: Date | undefined, right: Date | undefined): boolean {
  return left && right ? sameDay(left, right) : left === right;
}

/** A rejection, or a command that was not sent. */
function isWithoutEffect(error: unknown): boolean {
  return (
    error instanceof RegistryNotContacted ||
    (error instanceof Error && 'code' in error && error.code === 'REGISTRY_REJECTED')
  );
}
