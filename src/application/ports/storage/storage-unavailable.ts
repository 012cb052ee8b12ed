import { ServiceError } from '../../../domain/shared/service-error';

/** The database cannot be reached or aborted a transaction; the caller may retry. */
export class StorageUnavailable extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';
  override readonly retryAfterSeconds = 2;

  constructor(options?: ErrorOptions) {
    super('The service is not available at the moment', undefined, options);
  }
}
