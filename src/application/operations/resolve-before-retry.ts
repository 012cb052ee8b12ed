import type { Operation } from '../../domain/registration/operations/operation';
import {
  EffectNotShown,
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
  RenewalUndecided,
} from '../ports/registry/registry-errors';

interface Command<T> {
  /** Reads the registry's data. Returns undefined if no attempt took effect. Called before a repetition and after a rejection. */
  readonly check: (when: 'before' | 'rejected') => Promise<T | undefined>;
  readonly send: () => Promise<T>;
}

/**
 * Sends a command that must not take effect twice. Checks the registry before a repetition, and after a rejection, because
 * an earlier attempt that timed out may have arrived in the meantime.
 * @throws EffectNotShown if an earlier attempt may have taken effect that the registry's reads do not show yet
 */
export async function resolveBeforeRetry<T>(
  { mayHaveTakenEffect, mayOnlyRead }: Pick<Operation, 'mayHaveTakenEffect' | 'mayOnlyRead'>,
  { check, send }: Command<T>,
): Promise<T> {
  const earlier = mayHaveTakenEffect ? await check('before').catch(rethrowAsUnsent) : undefined;
  if (earlier) return earlier;
  if (mayOnlyRead) throw new EffectNotShown();
  try {
    return await send();
  } catch (error) {
    const takenEffect = error instanceof RegistryRejected ? await check('rejected').catch(rethrowAsUnknown) : undefined;
    if (!takenEffect) throw error;
    return takenEffect;
  }
}

/** For a check that failed before the command was sent: the read lag of the earlier attempt does not begin again. */
function rethrowAsUnsent(error: unknown): never {
  const isUnread =
    error instanceof RegistryUnavailable &&
    !(error instanceof RegistryNotContacted || error instanceof RenewalUndecided);
  throw isUnread ? new EffectNotShown(undefined, error.retryAfterSeconds, { cause: error }) : error;
}

/** For a check that failed after the command was sent: the outcome is unknown even if the check itself was not sent. */
export function rethrowAsUnknown(error: unknown): never {
  throw error instanceof RegistryNotContacted
    ? new RegistryUnavailable(error.details, error.retryAfterSeconds, { cause: error })
    : error;
}
