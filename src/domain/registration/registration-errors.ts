import { ServiceError } from '../shared/service-error';

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

export class OperationNotFound extends ServiceError {
  readonly code = 'OPERATION_NOT_FOUND';

  constructor() {
    super('Specified operation not found');
  }
}

export class TransferNotFound extends ServiceError {
  readonly code = 'TRANSFER_NOT_FOUND';

  constructor() {
    super('Specified transfer not found');
  }
}

export class ImportNotFound extends ServiceError {
  readonly code = 'IMPORT_NOT_FOUND';

  constructor() {
    super('Specified import not found');
  }
}

export class BulkJobNotFound extends ServiceError {
  readonly code = 'BULK_JOB_NOT_FOUND';

  constructor() {
    super('Specified bulk job not found');
  }
}

export class BulkLimitReached extends ServiceError {
  readonly code = 'RATE_LIMIT_EXCEEDED';

  constructor(
    { jobs, domains }: { readonly jobs: number; readonly domains: number },
    override readonly retryAfterSeconds: number,
  ) {
    super('Too many requests', `An account can start or retry ${jobs} bulk jobs with ${domains} domains in 24 hours`);
  }
}

/** The outcome of an operation of the same kind on this domain is unknown, so another one must not start. */
export class OperationInProgress extends ServiceError {
  readonly code = 'OPERATION_IN_PROGRESS';
  override readonly retryAfterSeconds = 5;

  constructor(details: string, options?: ErrorOptions) {
    super('An operation of this kind is in progress', details, options);
  }
}
