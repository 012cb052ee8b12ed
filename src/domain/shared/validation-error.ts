import { ServiceError } from './service-error';

/** Input of the wrong shape or outside its limits; `details` names every faulty field and what it should be. */
export class ValidationError extends ServiceError {
  readonly code = 'VALIDATION_ERROR';

  constructor(details: string, options?: ErrorOptions) {
    super('Request validation failed', details, options);
  }
}
