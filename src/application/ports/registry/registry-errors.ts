import { ServiceError } from '../../../domain/shared/service-error';
import type { Money } from '../../../domain/shared/money';
import type { RejectionReason } from './registry-port';

/** The registry refused. Final, and nothing changed there. `details` is the reason, fit for API callers. */
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

/** What a method rejects with if the vendor does not offer it. */
export function unsupportedBy(vendor: string, what: string): RegistryRejected {
  return new RegistryRejected('unsupported', `${vendor} does not support ${what}`);
}

/** The registry did not respond, or its response was lost: the outcome is unknown. */
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

/** No command was or will be sent: the operation stays queued and is sent later without reading `info` first. */
export class RegistryNotContacted extends RegistryUnavailable {}

/** The registry responded, but not with a decision. The outcome is unknown; the circuit breaker does not count it. */
export class RegistryInconclusive extends RegistryUnavailable {}

/** An earlier command may have taken effect, and the registry's reads do not show it yet. Nothing was sent. */
export class EffectNotShown extends RegistryInconclusive {
  constructor(
    details = 'The registry does not show yet whether the command took effect',
    retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    super(details, retryAfterSeconds, options);
  }
}

/** The registry has accepted the command, and its reads do not show the effect yet: it is not sent again. */
export class AcceptedNotShown extends RegistryInconclusive {
  /** @param charged what the response said */
  constructor(readonly charged?: Money) {
    super('The registry has accepted the command, but does not show its effect yet');
  }
}

/** The registry charges in another currency than this service: the operator has to change a setting. */
export class OtherCurrency extends RegistryInconclusive {
  constructor(
    readonly theirs: string,
    ours: string,
  ) {
    super(`The registry charges in ${theirs}, and CURRENCY is ${ours}`);
  }
}

/** The registry has accepted a renewal and decides on it later: it is not sent again. */
export class RenewalUndecided extends RegistryInconclusive {
  /** @param charged what the response said */
  constructor(readonly charged?: Money) {
    super('The registry has not decided on the renewal yet');
  }
}
