import { RegistryRejected, RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../application/ports/registry/registry-port';

const REASONS: Readonly<Record<RejectionReason, true>> = { unavailable: true, price_changed: true, expiry_differs: true, not_held: true, status: true, policy: true, credit: true };

/**
 * An adapter's failure in our words, whichever copy of them it brought along: a refusal is told by its code and reason.
 * Whatever else it throws leaves the outcome unknown.
 */
export function registryError(error: unknown): RegistryRejected | RegistryUnavailable {
  if (error instanceof RegistryRejected || error instanceof RegistryUnavailable) return error;
  if (isRefusal(error)) return new RegistryRejected(error.reason, error.details, { cause: error });
  return new RegistryUnavailable(undefined, undefined, { cause: error });
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
