import { token } from '../inject';
import { ServiceError } from '../../../domain/shared/service-error';

/** The database cannot be reached or aborted a transaction; the caller may retry. */
export class StorageUnavailable extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';
  override readonly retryAfterSeconds = 2;

  constructor(options?: ErrorOptions) {
    super('The service is not available at the moment', undefined, options);
  }
}

/** The database cannot write: its disk is full or broken. Nothing was committed, and nothing will be before a person has made room. */
export class StorageFailing extends StorageUnavailable {}

/** The database responds, but so slowly that the request would wait too long. The cause says for what. */
export class StorageSlow extends StorageUnavailable {
  constructor(waitedFor: string) {
    super({ cause: new Error(waitedFor) });
  }
}

export interface Readiness {
  /** @throws StorageSlow if it can be read, but takes over a second to write; StorageUnavailable while it cannot be reached or takes no writes */
  check(): Promise<void>;
  /** How long the last write has taken, or the present one, if that is longer. Absent before the first one. */
  readonly writeMs?: number | undefined;
}
export const Readiness = token<Readiness>('Readiness');
