import {
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../application/ports/registry/registry-port';

const REASONS: Readonly<Record<RejectionReason, true>> = {
  unavailable: true,
  price_changed: true,
  expiry_differs: true,
  not_held: true,
  status: true,
  policy: true,
  credit: true,
};

/** By their names, which another copy of them has, too. */
const UNAVAILABLE: ReadonlyMap<unknown, typeof RegistryUnavailable> = new Map(
  [RegistryNotContacted, RegistryInconclusive].map((kind) => [kind.name, kind]),
);

/**
 * An adapter's failure in our words, whichever copy of them it brought along: a refusal is told by its code and reason,
 * and what leaves no doubt, or only one name in doubt, by its name. Whatever else it throws leaves the outcome unknown.
 */
export function registryError(error: unknown): RegistryRejected | RegistryUnavailable {
  if (error instanceof RegistryRejected || error instanceof RegistryUnavailable) return error;
  if (isRefusal(error)) return new RegistryRejected(error.reason, error.details, { cause: error });
  return unavailable(error);
}

function unavailable(error: unknown): RegistryUnavailable {
  if (codeOf(error) !== 'REGISTRY_UNAVAILABLE') return new RegistryUnavailable(undefined, undefined, { cause: error });
  const { name, details, retryAfterSeconds } = error as {
    name?: unknown;
    details?: unknown;
    retryAfterSeconds?: unknown;
  };
  const Kind = UNAVAILABLE.get(name) ?? RegistryUnavailable;
  const seconds = typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0 ? retryAfterSeconds : undefined;
  return new Kind(typeof details === 'string' ? details : undefined, seconds, { cause: error });
}

/** Whether an adapter failed as the port says that it may. */
export function isOfThePort(error: unknown): boolean {
  return isRefusal(error) || codeOf(error) === 'REGISTRY_UNAVAILABLE';
}

function isRefusal(error: unknown): error is { readonly reason: RejectionReason; readonly details: string } {
  if (codeOf(error) !== 'REGISTRY_REJECTED') return false;
  const { reason, details } = error as { reason?: unknown; details?: unknown };
  return typeof reason === 'string' && Object.hasOwn(REASONS, reason) && typeof details === 'string';
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
