import {
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
  EffectNotShown,
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
  auth_code: true,
  unsupported: true,
};

/** By class name: an adapter package may bring its own copy of the classes. */
const UNAVAILABLE: ReadonlyMap<unknown, typeof RegistryUnavailable> = new Map(
  [RegistryNotContacted, RegistryInconclusive, EffectNotShown].map((kind) => [kind.name, kind]),
);

/** Converts an adapter's error to the port's errors. Any error that the port does not define leaves the outcome unknown. */
export function toPortError(error: unknown): RegistryRejected | RegistryUnavailable {
  if (error instanceof RegistryRejected || error instanceof RegistryUnavailable) return error;
  if (isRejection(error)) return new RegistryRejected(error.reason, error.details, { cause: error });
  return toUnavailable(error);
}

function toUnavailable(error: unknown): RegistryUnavailable {
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

/** Whether the port defines the error. */
export function isPortError(error: unknown): boolean {
  return isRejection(error) || codeOf(error) === 'REGISTRY_UNAVAILABLE';
}

function isRejection(error: unknown): error is { readonly reason: RejectionReason; readonly details: string } {
  if (codeOf(error) !== 'REGISTRY_REJECTED') return false;
  const { reason, details } = error as { reason?: unknown; details?: unknown };
  return typeof reason === 'string' && Object.hasOwn(REASONS, reason) && typeof details === 'string';
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
