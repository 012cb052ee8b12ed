import { ServiceError } from './domain/shared/service-error';

/** Describes an error in one line for the operator, with more detail than callers get. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node's AggregateError for several attempted addresses has no message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(explain).join('; ');
  return error instanceof ServiceError && error.cause !== undefined
    ? `${error.message}: ${explain(error.cause)}`
    : error.message;
}

/** @param cure what the operator does if the port is taken */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port, cure }: { readonly host: string; readonly port: number; readonly cure: string },
): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new Error(`port ${port} of ${host} is taken by another process; ${cure}`, { cause: error });
}
