import type { ErrorCode } from '../shared/error-code';
import { ServiceError } from '../shared/service-error';
import { RECORD_TYPES, type RecordType } from './records/record-type';

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

/** A record that keeps another out of the zone. */
export interface Obstacle {
  readonly record: { readonly id: string; readonly type: RecordType; readonly name: string };
  readonly reason: string;
}

export class RecordConflict extends ServiceError {
  readonly code = 'RECORD_CONFLICT';

  /** `recordId` is the record that cannot be had; `details` name the one in its way. */
  constructor(
    readonly recordId: string,
    details: string,
    options?: ErrorOptions,
    readonly obstacle?: Obstacle,
  ) {
    super('DNS record conflicts with another record', details, options);
  }

  /** `place` is where a request of many names the record in the way: the id of one that is refused with it will never be. */
  static with(recordId: string, obstacle: Obstacle, place = obstacle.record.id): RecordConflict {
    const { record, reason } = obstacle;
    return new RecordConflict(
      recordId,
      `${record.type} ${record.name} (${place}) is in the way: ${reason}`,
      {},
      obstacle,
    );
  }
}

/** The zone is no longer at the version that the caller has seen. */
export class ZoneChangedMeanwhile extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor(version: number) {
    super('The zone has changed meanwhile', `It is at version ${version}; read it again before you change it`);
  }
}

export class VersionNotFound extends ServiceError {
  readonly code = 'VERSION_NOT_FOUND';

  constructor(kept: { oldest: number; newest: number }) {
    super('Specified version of the zone not found', `Versions ${kept.oldest} to ${kept.newest} are kept`);
  }
}

/** An item that cannot be had, by its place in the request: `create[3]`, `line 12`. */
export interface ItemFault {
  readonly place: string;
  readonly error: ServiceError;
}

const FAULTS_TOLD = 20;

/** Some items of many cannot be had, and so none is. The code is that of the first; `details` name each by its place. */
export class ItemsRefused extends ServiceError {
  readonly code: ErrorCode;

  constructor(faults: readonly [ItemFault, ...ItemFault[]]) {
    const [{ error }] = faults;
    super(error.message, inWords(faults), { cause: error });
    this.code = error.code;
  }
}

function inWords(faults: readonly ItemFault[]): string {
  const told = faults.slice(0, FAULTS_TOLD).map(({ place, error }) => `${place}: ${error.details ?? error.message}`);
  const untold = faults.length - told.length;
  return [...told, ...(untold > 0 ? [`and ${untold} more`] : [])].join('; ');
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
