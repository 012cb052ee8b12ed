import type { Operation } from '../../domain/registration/operation';

/** Reads committed state. */
export interface OperationReader {
  /** Domains with an operation that is due: never begun, to be repeated, or left by a runner whose lease ran out. Oldest first. */
  domainsWithWork(now: Date, limit: number): Promise<readonly string[]>;
}
export const OperationReader = Symbol('OperationReader');

/** Within a unit of work that has locked the domain. */
export interface OperationRepository {
  find(id: string): Promise<Operation | undefined>;
  /** All that is not finished on a domain, in the order in which it was asked for. */
  unfinished(domainId: string): Promise<readonly Operation[]>;
  add(operation: Operation): Promise<void>;
  save(operation: Operation): Promise<void>;
}
