import type { StoredResponse } from '../../application/idempotency/idempotent-requests';
import type { TransactionHook } from '../../application/ports/storage/unit-of-work';
import type { ApiResponse } from './caller';
import { sendAnswer } from './send-answer';

/** Changes what is ours alone and answers the result; to a request with an Idempotency-Key, the answer is committed with the change. */
export async function applyLocalChange<T>(
  res: ApiResponse,
  change: (alongside: TransactionHook<T> | undefined) => Promise<T>,
  answerTo: (result: T) => StoredResponse,
): Promise<void> {
  const { settle } = res.locals.caller;
  const result = await change(settle && ((stores, settled) => settle(stores, answerTo(settled))));
  await sendAnswer(res, answerTo(result));
}
