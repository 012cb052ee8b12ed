import { ServiceError } from '../shared/service-error';

/** Values of `error` for the service provider: RFC 6749, section 4.1.2.1. */
export type ConnectError = 'invalid_request' | 'unauthorized_client' | 'access_denied' | 'temporarily_unavailable';

export class ConnectedServiceNotFound extends ServiceError {
  readonly code = 'CONNECTED_SERVICE_NOT_FOUND';

  constructor() {
    super('Specified connected service not found');
  }
}

/** The zone, the template or another service has changed since a person saw the plan. */
export class ConnectPlanOutdated extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('What would be changed is no longer what you saw', 'Nothing was changed. Look at the plan again');
  }
}

/** A request to connect a domain that is refused, with the reason for people. Nothing is changed. */
export class ConnectRefused extends ServiceError {
  readonly code = 'VALIDATION_ERROR';

  constructor(
    details: string,
    readonly error: ConnectError = 'invalid_request',
  ) {
    super('The service cannot be connected', details);
  }
}
