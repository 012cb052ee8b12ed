import { createHash } from 'node:crypto';
import { RegistryNotContacted } from '../../../application/ports/registry/registry-errors';
import type { Clock } from '../../../application/ports/system';
import type { Money } from '../../../domain/shared/money';
import type { StoredValues } from '../registry-adapter';

/** An attempt to buy without a known outcome. */
export interface PurchaseAttempt {
  readonly at: Date;
  readonly expiry: Date | undefined;
  /** Marks of the vendor's orders before it. */
  readonly orders: readonly string[];
  readonly balance: Money | undefined;
}

const MAX_ATTEMPTS = 10_000;
/** Within a day every vendor shows what it sold. An older attempt would stop a new purchase of a deleted name. */
const FORGOTTEN_MS = 24 * 3_600_000;
/** A stored value has at most 500 characters. */
const MAX_ORDERS = 40;

/** Attempts by kind and name, in memory and where the service stores what must survive a restart. */
export class PurchaseAttempts {
  private readonly known = new Map<string, PurchaseAttempt>();

  constructor(
    private readonly clock: Clock,
    private readonly stored: StoredValues | undefined,
  ) {}

  /** @throws RegistryNotContacted if the stored attempts cannot be read */
  async find(key: string): Promise<PurchaseAttempt | undefined> {
    const attempt = await this.read(key);
    const isOld = attempt && this.clock.now().getTime() - attempt.at.getTime() >= FORGOTTEN_MS;
    return isOld ? undefined : attempt;
  }

  /** Before the command is sent. @throws RegistryNotContacted if the attempt cannot be stored */
  async remember(key: string, attempt: PurchaseAttempt): Promise<void> {
    const { at, expiry, orders, balance } = attempt;
    const text = JSON.stringify([at, expiry ?? null, orders.slice(-MAX_ORDERS).join(' '), balance ?? null]);
    await this.stored?.put(storedKey(key), text).catch(rethrowAsNotSent);
    this.known.delete(key);
    this.known.set(key, attempt);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_ATTEMPTS && oldest !== undefined) this.known.delete(oldest);
  }

  /** A value that cannot be removed only delays the next purchase of this kind for the name. */
  async forget(key: string): Promise<void> {
    this.known.delete(key);
    await this.stored?.remove(storedKey(key)).catch(() => undefined);
  }

  /** The stored one counts, because another process of the service may have made it. */
  private async read(key: string): Promise<PurchaseAttempt | undefined> {
    const text = await this.stored?.get(storedKey(key)).catch(rethrowAsNotSent);
    if (text === undefined) return this.stored ? undefined : this.known.get(key);
    const [at, expiry, orders, balance] = JSON.parse(text) as [string, string | null, string, Money | null];
    return {
      at: new Date(at),
      expiry: expiry === null ? undefined : new Date(expiry),
      orders: orders.split(' '),
      balance: balance ?? undefined,
    };
  }
}

/** A short form of the vendor's id of an order. */
export function orderMark(id: string): string {
  return digestOf(id).slice(0, 8);
}

function storedKey(key: string): string {
  return `purchase:${digestOf(key)}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function rethrowAsNotSent(error: unknown): never {
  throw new RegistryNotContacted('The attempt could not be stored', undefined, { cause: error });
}
