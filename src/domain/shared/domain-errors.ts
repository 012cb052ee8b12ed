import { ServiceError } from './service-error';

export class DomainNotFound extends ServiceError {
  readonly code = 'DOMAIN_NOT_FOUND';

  constructor(details?: string) {
    super('Specified domain not found', details);
  }
}

export class ZoneNotFound extends ServiceError {
  readonly code = 'ZONE_NOT_FOUND';

  constructor() {
    super('Specified zone not found');
  }
}

/** The name has a zone already. */
export class ZoneExists extends ServiceError {
  readonly code = 'ZONE_EXISTS';

  constructor(details: string, options?: ErrorOptions) {
    super('The zone exists already', details, options);
  }
}

/** The account has not proven yet that the name is its own. */
export class ZoneNotVerified extends ServiceError {
  readonly code = 'ZONE_NOT_VERIFIED';

  constructor(details: string) {
    super('The zone is not verified', details);
  }
}

/** The domain's status does not allow the action; `details` list the allowed actions. */
export class DomainStatusConflict extends ServiceError {
  readonly code = 'DOMAIN_STATUS_CONFLICT';

  constructor(details: string) {
    super('Domain status does not allow this operation', details);
  }
}
