import type { Operation } from '../../domain/registration/operation';
import { RegistryRejected, RegistryNotContacted, RegistryUnavailable } from '../ports/registry/registry-errors';

interface Step<T> {
  /** What the registry shows where an attempt has taken effect; asked before a call is repeated, or after one was rejected. */
  readonly look: (when: 'before' | 'rejected') => Promise<T | undefined>;
  readonly call: () => Promise<T>;
}

/**
 * For what must not happen twice: looks before a call is repeated, and after one that was rejected, because the
 * rejection may be of a repetition that overtook us: an attempt that was given up on and still arrived.
 */
export async function resolveBeforeRetry<T>({ mayHaveTakenEffect }: Operation, { look, call }: Step<T>): Promise<T> {
  const done = mayHaveTakenEffect ? await look('before') : undefined;
  if (done) return done;
  try {
    return await call();
  } catch (error) {
    const doneAfterAll = error instanceof RegistryRejected ? await look('rejected').catch(inDoubt) : undefined;
    if (!doneAfterAll) throw error;
    return doneAfterAll;
  }
}

/** What was not asked is what the rejection means; the call itself was sent. */
export function inDoubt(error: unknown): never {
  throw error instanceof RegistryNotContacted
    ? new RegistryUnavailable(error.details, error.retryAfterSeconds, { cause: error })
    : error;
}
