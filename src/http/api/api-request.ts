import type { IncomingHttpHeaders } from 'node:http';
import type { TransactionHook } from '../../application/ports/storage/unit-of-work';
import type { Scope } from '../../domain/access/api-key';
import type { Reader, Requester } from '../../domain/access/actor';
import type { ApiResult, JsonResult } from '../shared/result';

/** The parameters that paths have. */
export type PathParameter = 'id' | 'name' | 'recordId' | 'version' | 'deliveryId' | 'serviceId';

/** Not a `Requester`, so that a use case that changes something does not accept it. */
interface ReadingCaller extends Reader {
  readonly operationId?: null;
}

/** A request that is authenticated, within its limits, and whose body is read. */
export interface ApiRequest<P extends PathParameter = never, C extends Reader = ReadingCaller> {
  readonly caller: C;
  /** Of the key. */
  readonly scope: Scope;
  readonly method: string;
  /** From the root, without the query string. */
  readonly path: string;
  /** Those of the route's path. */
  readonly params: Readonly<Record<P, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON or text; undefined without a body. */
  readonly body: unknown;
}

/**
 * A request that may change something. Only `Idempotency` makes one, with the id reserved for the operation that the request may
 * begin: a handler that takes it, or that calls a use case with a `Requester`, compiles in a write route only.
 */
export interface WriteRequest<P extends PathParameter = never> extends ApiRequest<P, Requester> {
  /**
   * Commits the response together with the change that it describes; undefined without an Idempotency-Key. `isFinal` (the
   * default): the handler returns the same response.
   */
  storing<T>(
    toResult: (result: T) => JsonResult,
    options?: { readonly isFinal: boolean },
  ): TransactionHook<T> | undefined;
}

export type ReadHandler = (request: ApiRequest<PathParameter>) => Promise<ApiResult>;
/** Its response can be stored, so it is not a stream. */
export type WriteHandler = (request: WriteRequest<PathParameter>) => Promise<JsonResult>;
