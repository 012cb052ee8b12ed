import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { MAX_BULK_TRANSFERS } from '../../../domain/portfolio/bulk-job';
import { assertRegistrant, type Registrant } from '../../../domain/registration/registrant';
import { parseTransferLines } from '../../../domain/registration/transfers/transfer-lines';
import { knownTotal, type Money } from '../../../domain/shared/money';
import { ValidationError } from '../../../domain/shared/validation-error';
import { TransferOrders } from '../../transfers/transfer-orders';
import { reviewEach } from '../reviews/review-each';
import { ReviewedTransfers } from './reviewed-transfers';

/** Sealed, the text is in the page of the review. */
export const MAX_TRANSFER_TEXT = 32_768;

interface ReviewTransfersCommand extends Requester {
  /** Lines of `name,code`, or CSV. */
  readonly text: string;
  readonly registrant: Registrant;
  readonly autoRenew: boolean;
}

interface PricedTransfer {
  readonly line: number;
  readonly name: string;
  readonly years: number;
  readonly price: Money;
}

/** A line that cannot be ordered, and why; `name` is empty if the line has none. */
export interface RefusedLine {
  readonly line: number;
  readonly name: string;
  readonly reason: string;
}

export interface TransfersReview {
  readonly accepted: readonly PricedTransfer[];
  readonly refused: readonly RefusedLine[];
  /** Of the accepted ones; undefined without any. */
  readonly total: Money | undefined;
  /** The accepted ones with their auth codes, for `ReviewedTransfers.open`. */
  readonly sealed: string;
}

/** Validates and prices transfers of many names. Stores nothing. @throws ValidationError about `auth_codes` or the registrant; LimitedKey */
@injectable()
export class ReviewTransfers {
  constructor(
    @inject(TransferOrders) private readonly orders: TransferOrders,
    @inject(ReviewedTransfers) private readonly reviewed: ReviewedTransfers,
  ) {}

  async execute({ accountId, actor, text, registrant, autoRenew }: ReviewTransfersCommand): Promise<TransfersReview> {
    if (text.length > MAX_TRANSFER_TEXT)
      throw ValidationError.of('auth_codes', `must have at most ${MAX_TRANSFER_TEXT} characters. Paste fewer lines`);
    const { lines, issues } = parseTransferLines(text);
    if (lines.length + issues.length === 0 || lines.length > MAX_BULK_TRANSFERS)
      throw ValidationError.of('auth_codes', `must be 1 to ${MAX_BULK_TRANSFERS} lines of a name and its auth code`);
    assertRegistrant(registrant, 'registrant');
    const requester = { accountId, actor };
    const { accepted, refused } = await reviewEach(accountId, lines, async ({ line, name, authCode }) => {
      const order = await this.orders.review({ ...requester, name, authCode, registrant, autoRenew });
      return { line, name, authCode, years: order.term.years, price: order.price };
    });
    return {
      accepted: accepted.map(({ line, name, years, price }) => ({ line, name, years, price })),
      refused: [
        ...issues.map(({ line, message }) => ({ line, name: '', reason: message })),
        ...refused.map(({ line, name, reason }) => ({ line, name, reason })),
      ].toSorted((one, other) => one.line - other.line),
      total: knownTotal(accepted.map(({ price }) => price)),
      sealed: this.reviewed.seal(requester, {
        orders: accepted.map(({ line: _line, ...order }) => order),
        registrant,
        autoRenew,
      }),
    };
  }
}
