import type { Request, Response } from 'express';
import type { StoredResponse } from '../../application/idempotency/idempotent-requests';
import type { Stores } from '../../application/ports/storage/unit-of-work';
import type { Actor, Requester } from '../../domain/access/actor';
import type { Scope } from '../../domain/access/scope';

/** Who asks, as the key tells. */
export interface Caller {
  readonly accountId: string;
  readonly actor: Actor;
  readonly keyId: string;
  readonly scope: Scope;
  /** Reserved for the operation that the request may begin. */
  operationId?: string;
  /** Where the request has an Idempotency-Key: commits its answer with what it changes. */
  settle?: (stores: Stores, answer: StoredResponse) => Promise<void>;
}

export interface ApiLocals {
  caller: Caller;
}

/** On whose behalf a use case changes something for this request. */
export function requesterOf({ locals: { caller } }: ApiResponse): Requester {
  return { accountId: caller.accountId, actor: caller.actor, operationId: caller.operationId };
}

export type ApiRequest = Request<Record<string, string>, unknown, unknown>;
export type ApiResponse = Response<unknown, ApiLocals>;
export type ApiHandler = (req: ApiRequest, res: ApiResponse) => Promise<void>;
