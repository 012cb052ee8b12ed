import { ServiceError } from './domain/shared/service-error';

/** What went wrong, in one line for whoever started the program; what callers are told says too little. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node tells of several addresses that were tried without a message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(explain).join('; ');
  return error instanceof ServiceError && error.cause !== undefined
    ? `${error.message}: ${explain(error.cause)}`
    : error.message;
}
