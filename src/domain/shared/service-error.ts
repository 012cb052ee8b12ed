import type { ErrorCode } from './error-code';

/** An error that may be shown to the caller: `message` says what happened, `details` why and what to do. */
export abstract class ServiceError extends Error {
  abstract readonly code: ErrorCode;
  /** The operation that failed or continues, if one was stored. */
  operationId?: string;
  /** When a retry can succeed, if known. */
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
