import type { Request, Response } from 'express';
import type { Scope } from '../../domain/access/scope';

/** Who asks, as the key tells. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly scope: Scope;
}

export interface ApiLocals {
  caller: Caller;
}

export type ApiRequest = Request<Record<string, string>, unknown, unknown>;
export type ApiResponse = Response<unknown, ApiLocals>;
export type ApiHandler = (req: ApiRequest, res: ApiResponse) => Promise<void>;
