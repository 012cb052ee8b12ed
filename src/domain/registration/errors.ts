import { ServiceError } from '../shared/service-error';

export class DomainNotFound extends ServiceError {
  readonly code = 'DOMAIN_NOT_FOUND';

  constructor() {
    super('Specified domain not found');
  }
}

export class DomainUnavailable extends ServiceError {
  readonly code = 'DOMAIN_UNAVAILABLE';

  constructor(details?: string, options?: ErrorOptions) {
    super('Domain not available for registration', details, options);
  }
}

export class InvalidNameservers extends ServiceError {
  readonly code = 'INVALID_NAMESERVERS';

  constructor(details: string) {
    super('Invalid nameserver configuration', details);
  }
}

/** The domain's status forbids what was asked; `details` say what it does allow. */
export class DomainStatusConflict extends ServiceError {
  readonly code = 'DOMAIN_STATUS_CONFLICT';

  constructor(details: string) {
    super('Domain status does not allow this operation', details);
  }
}

export class OperationNotFound extends ServiceError {
  readonly code = 'OPERATION_NOT_FOUND';

  constructor() {
    super('Specified operation not found');
  }
}

/** Another operation of the kind is in doubt on the domain: until its outcome is known, nothing like it is begun. */
export class OperationInProgress extends ServiceError {
  readonly code = 'OPERATION_IN_PROGRESS';
  override readonly retryAfterSeconds = 5;

  constructor(details: string) {
    super('An operation of this kind is in progress', details);
  }
}
