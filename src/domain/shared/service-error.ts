import type { ErrorCode } from './error-code';

/** A failure that the caller may see: `message` names the fact, `details` what would help to mend it. */
export abstract class ServiceError extends Error {
  abstract readonly code: ErrorCode;
  /** The operation that came to this, or goes on, where one had been stored. */
  operationId?: string;
  /** After how long the same may do, where that is known. */
  readonly retryAfterSeconds?: number;

  constructor(
    message: string,
    readonly details?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}
