import type { Domain } from '../../domain/registration/domain';
import { DomainUnavailable } from '../../domain/registration/registration-errors';
import { DomainNotFound } from '../../domain/shared/domain-errors';
import type { Operation } from '../../domain/registration/operations/operation';
import type { Money } from '../../domain/shared/money';
import type { ServiceError } from '../../domain/shared/service-error';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { AuthCode } from '../ports/registry/registry-port';
import type { SentGlue } from '../publishing/glue-addresses';

/** The result of a registry command, committed together with the operation. */
export interface Effect {
  readonly apply: (domain: Domain, now: Date) => void;
  readonly authCode?: AuthCode;
  /** The registry rejected the command; `apply` adopts its data nevertheless. */
  readonly rejection?: RegistryRejected;
  /** The addresses of nameservers that the registry was sent; none of those that an earlier attempt sent. */
  readonly glue?: readonly SentGlue[];
  /** Why the registry may have another registrant than was ordered. */
  readonly registrantRefused?: string | undefined;
  /** From the registry's response. */
  readonly charged?: Money | undefined;
}

/** A finished operation with its domain. */
export interface FinishedOperation {
  readonly operation: Operation;
  /** The state committed with the operation; absent if the domain no longer exists. */
  readonly domain?: Domain | undefined;
  readonly authCode?: AuthCode | undefined;
}

/** The result of a successful operation, or of a registration that is still running. */
export interface OperationOutcome extends FinishedOperation {
  readonly domain: Domain;
  /** What the account should know about the effect, as sentences. */
  readonly warnings?: readonly string[];
}

/** @throws the error of a failed operation */
export function requireSuccess({ operation, domain, authCode }: FinishedOperation): OperationOutcome {
  const { error, status } = operation.toState();
  if (status === 'failed' && error) throw toServiceError(operation, error.code, error.message);
  if (!domain) throw withOperationId(new DomainNotFound(), operation);
  return { operation, domain, authCode };
}

function toServiceError(operation: Operation, code: string, message: string): ServiceError {
  if (code === 'DOMAIN_UNAVAILABLE') return withOperationId(new DomainUnavailable(message), operation);
  if (code === 'DOMAIN_NOT_FOUND') return withOperationId(new DomainNotFound(), operation);
  return withOperationId(new RegistryRejected('policy', message), operation);
}

function withOperationId(error: ServiceError, { id }: Operation): ServiceError {
  error.operationId = id;
  return error;
}
