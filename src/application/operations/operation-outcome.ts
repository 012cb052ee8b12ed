import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound, DomainUnavailable } from '../../domain/registration/errors';
import type { Operation } from '../../domain/registration/operation';
import type { ServiceError } from '../../domain/shared/service-error';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { AuthCode } from '../ports/registry/registry-port';

/** An operation that has succeeded or failed, and what it left. */
export interface OperationEnd {
  readonly operation: Operation;
  /** As it was committed with the operation; absent where nothing is left of it. */
  readonly domain?: Domain | undefined;
  readonly authCode?: AuthCode | undefined;
}

/** What an operation that succeeded left behind; that of a registration, which nobody waits for, what it has left so far. */
export interface OperationOutcome extends OperationEnd {
  readonly domain: Domain;
}

/** @throws the failure that the operation ended in */
export function succeeded({ operation, domain, authCode }: OperationEnd): OperationOutcome {
  const { error, status } = operation.toState();
  if (status === 'failed' && error) throw failureOf(operation, error.code, error.message);
  if (!domain) throw named(new DomainNotFound(), operation);
  return { operation, domain, authCode };
}

function failureOf(operation: Operation, code: string, message: string): ServiceError {
  if (code === 'DOMAIN_UNAVAILABLE') return named(new DomainUnavailable(message), operation);
  if (code === 'DOMAIN_NOT_FOUND') return named(new DomainNotFound(), operation);
  return named(new RegistryRejected('policy', message), operation);
}

function named(error: ServiceError, { id }: Operation): ServiceError {
  error.operationId = id;
  return error;
}
