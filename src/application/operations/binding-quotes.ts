import { createHash } from 'node:crypto';
import {
  priceRise,
  quotedPrice,
  type BindingQuote,
  type OrderKind,
  type PricedOrder,
} from '../../domain/registration/binding-quote';
import type { Money } from '../../domain/shared/money';
import { ValidationError } from '../../domain/shared/validation-error';
import { inject, injectable } from '../ports/inject';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { Stores } from '../ports/storage/unit-of-work';
import { Clock, SealBroken, SecretBox } from '../ports/system';

/** What the user agreed to pay at most, for the whole term. Absent members limit nothing. */
export interface PriceLimit {
  readonly maxPrice?: Money | undefined;
  readonly quoteId?: string | undefined;
}

/** A quote that an order uses up. */
export interface QuoteInUse {
  readonly digest: string;
  readonly expiresAt: Date;
}

interface SealedQuote extends Omit<BindingQuote, 'expiresAt'> {
  readonly until: number;
}

const LIFETIME_MS = 15 * 60_000;
const PREFIX = 'quote_';
/** Of a name of 253 characters with four prices, sealed. */
const MAX_LENGTH = 1_000;

/**
 * Quotes are not stored before they are used, so that readers cannot fill the database: a quote's id is the quote itself,
 * sealed for its account. So it holds after a restart and at other replicas.
 */
@injectable()
export class BindingQuotes {
  constructor(
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  issue(accountId: string, quote: Omit<BindingQuote, 'expiresAt'>): { readonly id: string; readonly expiresAt: Date } {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    const sealed: SealedQuote = { ...quote, until };
    return { id: PREFIX + this.box.seal(JSON.stringify(sealed), purposeOf(accountId)), expiresAt: new Date(until) };
  }

  /** The term that the quote has for an order that names none. @throws ValidationError about `quote_id` */
  termOf(accountId: string, kind: OrderKind, { quoteId }: PriceLimit): number | undefined {
    return quoteId === undefined ? undefined : this.open(accountId, quoteId).prices[kind]?.years;
  }

  /** Until when the quote holds. @throws ValidationError about `quote_id` */
  endOf(accountId: string, { quoteId }: PriceLimit): Date | undefined {
    return quoteId === undefined ? undefined : this.open(accountId, quoteId).expiresAt;
  }

  /**
   * Returns the quote for `useQuote`. Less than the agreed price is charged as less.
   * @throws ValidationError about `quote_id`; RegistryRejected if the order costs more than the user agreed to
   */
  accept(
    accountId: string,
    { maxPrice, quoteId }: PriceLimit,
    { price, ...order }: PricedOrder,
  ): QuoteInUse | undefined {
    const quote = quoteId === undefined ? undefined : this.open(accountId, quoteId);
    const quoted = quote && quotedPrice(quote, order, this.clock.now());
    for (const agreed of [quoted, maxPrice]) {
      const rise = agreed && priceRise(agreed, price);
      if (rise !== undefined) throw new RegistryRejected('price_changed', rise);
    }
    if (!quote || quoteId === undefined) return undefined;
    return { digest: createHash('sha256').update(quoteId).digest('hex'), expiresAt: quote.expiresAt };
  }

  private open(accountId: string, quoteId: string): BindingQuote {
    try {
      if (!quoteId.startsWith(PREFIX) || quoteId.length > MAX_LENGTH) throw new SealBroken('It is no quote');
      const opened = this.box.open(quoteId.slice(PREFIX.length), purposeOf(accountId));
      const { until, ...quote } = JSON.parse(opened) as SealedQuote;
      return { ...quote, expiresAt: new Date(until) };
    } catch (error) {
      if (error instanceof SealBroken) throw ValidationError.of('quote_id', 'is no quote of this account');
      throw error;
    }
  }
}

/** Within the unit of work that stores the order. A second order with the quote waits for the first. @throws ValidationError */
export async function useQuote(
  { usedTokens }: Pick<Stores, 'usedTokens'>,
  quote: QuoteInUse | undefined,
): Promise<void> {
  if (quote && !(await usedTokens.use(quote.digest, quote.expiresAt)))
    throw ValidationError.of('quote_id', 'was used by another order. Ask for a new quote');
}

function purposeOf(accountId: string): string {
  return `quote: ${accountId}`;
}
