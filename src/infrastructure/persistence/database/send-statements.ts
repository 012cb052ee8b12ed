import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { settleAll } from '../../../application/settle-all';

/** Sending these takes a few milliseconds of the event loop if each has 500 rows. */
const SENT_AT_ONCE = 4;
/** Bounds the memory of what is sent and not yet executed. */
const UNANSWERED = 40;

/**
 * Sends the statements of a transaction in their order without waiting for each result: if its locks are held for a round trip per
 * statement, every other writer waits for whatever else the event loop does.
 */
export async function sendStatements(statements: Iterable<() => Promise<unknown>>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (const send of statements) {
    const result = send();
    // It is thrown at the end.
    result.catch(() => undefined);
    sent.push(result);
    if (sent.length % UNANSWERED === 0) await settleAll(sent);
    else if (sent.length % SENT_AT_ONCE === 0) await yieldToEventLoop();
  }
  await settleAll(sent);
}
