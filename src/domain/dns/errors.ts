import { ServiceError } from '../shared/service-error';
import { RECORD_TYPES, type RecordType } from './record-type';

export class RecordNotFound extends ServiceError {
  readonly code = 'RECORD_NOT_FOUND';

  constructor() {
    super('Specified DNS record not found');
  }
}

export class InvalidRecordType extends ServiceError {
  readonly code = 'INVALID_RECORD_TYPE';

  constructor() {
    super('Invalid DNS record type', `Supported types: ${RECORD_TYPES.join(', ')}`);
  }
}

export class InvalidRecordName extends ServiceError {
  readonly code = 'INVALID_RECORD_NAME';

  constructor(details: string) {
    super('Invalid DNS record name', details);
  }
}

export class InvalidRecordContent extends ServiceError {
  readonly code = 'INVALID_RECORD_CONTENT';

  constructor(type: RecordType, expectation: string) {
    super(`Invalid content for ${type} record`, `${type} content must be ${expectation}`);
  }
}

export class CnameAtRoot extends ServiceError {
  readonly code = 'CNAME_AT_ROOT';

  constructor() {
    super('CNAME cannot be created at the root');
  }
}

export class MissingPriority extends ServiceError {
  readonly code = 'MISSING_PRIORITY';

  constructor(type: RecordType) {
    super(`${type} records require priority`);
  }
}

export class RecordConflict extends ServiceError {
  readonly code = 'RECORD_CONFLICT';

  /** `recordId` is the record that cannot be had; `details` name the one in its way. */
  constructor(
    readonly recordId: string,
    details: string,
  ) {
    super('DNS record conflicts with another record', details);
  }
}

export class LimitExceeded extends ServiceError {
  readonly code = 'LIMIT_EXCEEDED';

  /** `recordId` is the record that is too many, where a set of records is full. */
  constructor(
    details: string,
    readonly recordId?: string,
  ) {
    super('DNS record limit exceeded', details);
  }
}
