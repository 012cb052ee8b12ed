import { inject, injectable } from '../../application/ports/inject';
import {
  IdempotentRequests,
  type StoredResponse,
  type RequestRun,
} from '../../application/idempotency/idempotent-requests';
import { OperationWaits } from '../../application/operations/operation-waits';
import { Log } from '../../application/ports/system';
import { ValidationError } from '../../domain/shared/validation-error';
import { errorResult } from '../shared/error-handler';
import type { JsonResult } from '../shared/result';
import type { ApiRequest, PathParameter, WriteHandler } from './api-request';
import { operationResult } from './resources/registration/operations';
import { requestFingerprint } from './request-fingerprint';

const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** How a write that runs once is recognized. */
interface OnceKey {
  readonly key: string;
  readonly fingerprint: string;
  /** Whether a repetition gets this response. Default: unless it is transient. */
  readonly isFinal?: (response: JsonResult) => boolean;
}

/** Runs every write. With an Idempotency-Key it runs once, and a repetition gets the same response: docs/decisions/0005. */
@injectable()
export class Idempotency {
  constructor(
    @inject(IdempotentRequests) private readonly requests: IdempotentRequests,
    @inject(OperationWaits) private readonly operations: OperationWaits,
    @inject(Log) private readonly log: Log,
  ) {}

  async run(request: ApiRequest<PathParameter>, handler: WriteHandler): Promise<JsonResult> {
    const key = request.headers['idempotency-key'];
    const { accountId, actor } = request.caller;
    if (key === undefined) return handler({ ...request, caller: { accountId, actor }, storing: () => undefined });
    if (typeof key !== 'string' || !VISIBLE.test(key))
      throw ValidationError.of('Idempotency-Key', 'must be 1 to 128 visible characters');
    return this.runOnce(request, handler, { key, fingerprint: await requestFingerprint(request) });
  }

  /** @throws IdempotencyKeyReused, IdempotencyKeyInUse, DailyQuotaReached */
  async runOnce(
    request: ApiRequest<PathParameter>,
    handler: WriteHandler,
    { key, fingerprint, isFinal = (response) => !isTransient(response) }: OnceKey,
  ): Promise<JsonResult> {
    const begun = await this.requests.begin({ accountId: request.caller.accountId, key, fingerprint });
    if ('status' in begun) return { ...begun, headers: { 'Idempotent-Replay': 'true', ...begun.headers } };
    const { result, storedBytes } = await this.runHandler(request, handler, begun);
    if (storedBytes !== undefined) this.requests.end(begun, storedBytes);
    else if (isFinal(result)) await this.store(begun, result);
    else await this.release(begun);
    return result;
  }

  /** `storedBytes`: the size of the final response if it was committed with its change. */
  private async runHandler(
    request: ApiRequest<PathParameter>,
    handler: WriteHandler,
    run: RequestRun,
  ): Promise<{ readonly result: JsonResult; readonly storedBytes?: number | undefined }> {
    let storedBytes: number | undefined;
    try {
      const outcome = run.repeated ? await this.operations.resume(run) : undefined;
      if (outcome) return { result: operationResult(outcome) };
      const result = await handler({
        ...request,
        caller: { ...request.caller, operationId: run.operationId },
        storing:
          (toResult, { isFinal } = { isFinal: true }) =>
          async (stores, changed) => {
            const bytes = await this.requests.storeWithChange(stores, run, toResult(changed), { isFinal });
            if (isFinal) storedBytes = bytes;
          },
      });
      return { result, storedBytes };
    } catch (error) {
      const refusal = errorResult(error, request.path, this.log);
      const stored = refusal.status === 409 && !isTransient(refusal) ? await this.storedSince(request, run) : undefined;
      return { result: stored ?? refusal };
    }
  }

  /** What another run has done since this one began: while the database hangs, the lease of a run can expire before its operation is stored. */
  private async storedSince(request: ApiRequest<PathParameter>, run: RequestRun): Promise<JsonResult | undefined> {
    try {
      const outcome = await this.operations.resume(run);
      return outcome && operationResult(outcome);
    } catch (error) {
      return errorResult(error, request.path, this.log);
    }
  }

  /** A response that cannot be stored is not sent: the repetition, which finds what was done, is to get the first one. */
  private async store(run: RequestRun, response: StoredResponse): Promise<void> {
    try {
      await this.requests.complete(run, response);
    } catch (error) {
      await this.release(run);
      throw error;
    }
  }

  /** The response may be sent all the same: the lease expires by itself. */
  private async release(run: RequestRun): Promise<void> {
    try {
      await this.requests.release(run);
    } catch (error) {
      this.log.warn({ err: error }, 'idempotency lease could not be released before it expires');
    }
  }
}

/** Whether the same write can get another response later. */
export function isTransient({ status, headers }: JsonResult): boolean {
  return status === 429 || status >= 500 || 'Retry-After' in headers;
}
