import type { StoredResponse } from '../../application/idempotency/idempotent-requests';
import type { ApiResponse } from './caller';
import { sendLongJson } from './send-json';

/** Answers a change. Where the answer is kept for an Idempotency-Key, that comes first, by what has `res.json` in hand. */
export async function sendAnswer(res: ApiResponse, { status, headers, body }: StoredResponse): Promise<void> {
  res.set(headers).status(status);
  if (res.locals.caller.settle) res.json(body);
  else await sendLongJson(res, body);
}
