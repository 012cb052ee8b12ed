import type { ErrorCode } from '../shared/error-code';
import { ServiceError } from '../shared/service-error';

export class RecordNotFound extends ServiceError {
  readonly code = 'RECORD_NOT_FOUND';

  constructor() {
    super('Specified DNS record not found');
  }
}

export class InvalidRecordType extends ServiceError {
  readonly code = 'INVALID_RECORD_TYPE';

  constructor(types: readonly string[]) {
    super('Invalid DNS record type', `Supported types: ${types.join(', ')}`);
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

  /** @param problem which part is wrong; the details are the whole expectation if it is unknown */
  constructor(type: string, expectation: string, problem?: string) {
    const details = problem === undefined ? `must be ${expectation}` : `is invalid: ${problem}`;
    super(`Invalid content for ${type} record`, `${type} content ${details}`);
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

  constructor(type: string) {
    super(`${type} records require priority`);
  }
}

/** An existing or requested record that excludes another one. */
interface ConflictingRecord {
  readonly record: { readonly id: string; readonly type: string; readonly name: string };
  readonly reason: string;
}

export class RecordConflict extends ServiceError {
  readonly code = 'RECORD_CONFLICT';

  /** `recordId` is the rejected record; `details` name the one that it conflicts with. */
  constructor(
    readonly recordId: string,
    details: string,
    options?: ErrorOptions,
    readonly conflicting?: ConflictingRecord,
  ) {
    super('DNS record conflicts with another record', details, options);
  }

  /** `place` identifies the conflicting record: its id, or its position in the request if it was not stored. */
  static with(recordId: string, conflicting: ConflictingRecord, place = conflicting.record.id): RecordConflict {
    const { record, reason } = conflicting;
    return new RecordConflict(
      recordId,
      `${record.type} ${record.name} (${place}) conflicts: ${reason}`,
      {},
      conflicting,
    );
  }
}

const MAX_NAMED = 10;

/** A new zone would hide records of the zone above it. */
export class RecordsHidden extends RecordConflict {
  /** @param records such as `www A`, relative to the zone above */
  constructor(
    recordId: string,
    readonly zoneName: string,
    readonly records: readonly string[],
  ) {
    const more = records.length > MAX_NAMED ? ` and ${records.length - MAX_NAMED} more` : '';
    super(
      recordId,
      `The zone would hide records of ${zoneName}: ${records.slice(0, MAX_NAMED).join(', ')}${more}. Set move_records to move them into it`,
    );
  }
}

/** The NS set at the apex contains the delegation, which is no record of the zone. */
export class DelegationInRecords extends ServiceError {
  readonly code = 'RECORD_CONFLICT';

  constructor(nameservers: readonly string[]) {
    super(
      "The NS set at the apex must contain the domain's nameservers",
      `It must contain ${nameservers.join(', ')}: change the nameservers of the domain instead`,
    );
  }
}

/** The zone's version is not the one that the caller expects (If-Match). */
export class ZoneVersionMismatch extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor(version: number) {
    super(
      'The zone has changed since you read it',
      `It is now at version ${version}. Read it again, then repeat the change`,
    );
  }
}

/** The record is not the one that the caller read. */
export class RecordChangedSince extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('The record has changed since you read it', 'Read it again, then repeat the change');
  }
}

export class VersionNotFound extends ServiceError {
  readonly code = 'VERSION_NOT_FOUND';

  constructor(kept: { oldest: number; newest: number }) {
    super('Specified version of the zone not found', `Versions ${kept.oldest} to ${kept.newest} are available`);
  }
}

/** An error of one item, with the item's position in the request: `create[3]`, `line 12`. */
export interface ItemError {
  readonly place: string;
  readonly error: ServiceError;
}

const MAX_LISTED = 20;

/** Items of a request are invalid, so none is applied. The code is that of the first; `details` list each item. */
export class ItemsRejected extends ServiceError {
  readonly code: ErrorCode;
  readonly places: readonly string[];

  constructor(errors: readonly [ItemError, ...ItemError[]]) {
    const [{ error }] = errors;
    super(error.message, listItems(errors), { cause: error });
    this.code = error.code;
    this.places = errors.map(({ place }) => place);
  }
}

function listItems(errors: readonly ItemError[]): string {
  const listed = errors.slice(0, MAX_LISTED).map(({ place, error }) => `${place}: ${error.details ?? error.message}`);
  const more = errors.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

export class LimitExceeded extends ServiceError {
  readonly code = 'LIMIT_EXCEEDED';

  /** `recordId` is the record that exceeds the limit of its RRset. */
  constructor(
    details: string,
    readonly recordId?: string,
  ) {
    super('DNS record limit exceeded', details);
  }
}

/** Another nameserver refused or did not respond, or its zone cannot be read; `details` says which. */
export class ZoneSourceFailed extends ServiceError {
  readonly code = 'ZONE_SOURCE_FAILED';

  constructor(details: string, options?: ErrorOptions) {
    super('The zone could not be read', details, options);
  }
}
