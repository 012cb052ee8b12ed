import { createHash } from 'node:crypto';
import { inject, injectable } from '../../ports/inject';
import { actorText, type Requester } from '../../../domain/access/actor';
import type { Registrant } from '../../../domain/registration/registrant';
import { knownTotal, type Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Clock, SealBroken, SecretBox } from '../../ports/system';

/** An order of a name that was reviewed, with the price that was shown. */
export interface ReviewedOrder {
  readonly name: string;
  /** Secret. */
  readonly authCode: string;
  readonly years: number;
  readonly price: Money;
}

export interface ReviewedBatch {
  readonly orders: readonly ReviewedOrder[];
  readonly registrant: Registrant;
  readonly autoRenew: boolean;
}

/** A batch that was reviewed, and what makes sure that it is ordered once. */
interface OpenedBatch extends ReviewedBatch {
  readonly total: Money;
  readonly digest: string;
  readonly expiresAt: Date;
}

/** As of a binding quote. */
const LIFETIME_MS = 15 * 60_000;

/**
 * Keeps what was reviewed, with the auth codes, sealed in the form that confirms it: the browser sends back what it cannot read, and
 * nothing is stored before the order.
 */
@injectable()
export class ReviewedTransfers {
  constructor(
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  seal(requester: Requester, batch: ReviewedBatch): string {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    return this.box.seal(JSON.stringify({ ...batch, until }), purposeOf(requester));
  }

  /** @throws ValidationError unless it was reviewed by the requester in the last fifteen minutes */
  open(requester: Requester, sealed: string): OpenedBatch {
    const { until, ...batch } = this.read(requester, sealed);
    const total = knownTotal(batch.orders.map(({ price }) => price));
    if (!total || until <= this.clock.now().getTime())
      throw ValidationError.of('', 'The review is too old. Paste the names and their auth codes again');
    const digest = createHash('sha256').update(sealed).digest('hex');
    return { ...batch, total, digest, expiresAt: new Date(until) };
  }

  private read(requester: Requester, sealed: string): ReviewedBatch & { readonly until: number } {
    try {
      return JSON.parse(this.box.open(sealed, purposeOf(requester))) as ReviewedBatch & { until: number };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw ValidationError.of('', 'The review cannot be read. Paste the names and their auth codes again');
    }
  }
}

function purposeOf({ accountId, actor }: Requester): string {
  return `reviewed transfers: ${accountId} ${actorText(actor)}`;
}
