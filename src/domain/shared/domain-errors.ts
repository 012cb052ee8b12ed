import { ServiceError } from './service-error';

export class DomainNotFound extends ServiceError {
  readonly code = 'DOMAIN_NOT_FOUND';

  constructor() {
    super('Specified domain not found');
  }
}

/** The domain's status does not allow the action; `details` list the allowed actions. */
export class DomainStatusConflict extends ServiceError {
  readonly code = 'DOMAIN_STATUS_CONFLICT';

  constructor(details: string) {
    super('Domain status does not allow this operation', details);
  }
}
