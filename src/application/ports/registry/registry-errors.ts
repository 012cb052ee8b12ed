import { ServiceError } from '../../../domain/shared/service-error';
import type { RejectionReason } from './registry-port';

/** The registry said no: final, and nothing changed there. `details` give its reason in words that a caller may see. */
export class RegistryRejected extends ServiceError {
  readonly code = 'REGISTRY_REJECTED';

  constructor(
    readonly reason: RejectionReason,
    details: string,
    options?: ErrorOptions,
  ) {
    super('The registry rejected the operation', details, options);
  }
}

/** The registry could not be asked or its answer was lost: the outcome is unknown. */
export class RegistryUnavailable extends ServiceError {
  readonly code = 'REGISTRY_UNAVAILABLE';

  constructor(
    details?: string,
    override readonly retryAfterSeconds = 5,
    options?: ErrorOptions,
  ) {
    super('The registry is not available at the moment', details, options);
  }
}

/**
 * Nothing that changes anything was sent, nor will be: the outcome is known, and the same may be asked again without a look.
 * For whoever stands before an adapter to say, and for an adapter that is certain of it.
 */
export class RegistryNotContacted extends RegistryUnavailable {}

/** The outcome is unknown all the same, but the registry did answer: it is not silent, and others may go on asking it. */
export class RegistryInconclusive extends RegistryUnavailable {}
