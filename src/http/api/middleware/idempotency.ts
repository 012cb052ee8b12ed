import type { NextFunction, RequestHandler, Response } from 'express';
import { inject, injectable } from 'inversify';
import {
  IdempotentRequests,
  type StoredResponse,
  type RequestRun,
} from '../../../application/idempotency/idempotent-requests';
import { OperationQueue } from '../../../application/operations/operation-queue';
import { Log } from '../../../application/ports/system/log';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { ApiLocals } from '../caller';
import { sendOutcome } from '../presenters/outcome-presenter';
import { sendLongJson } from '../send-json';
import { requestFingerprint } from '../request-fingerprint';

const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** Answers a request that carries an Idempotency-Key once, and as often as it is repeated. */
@injectable()
export class Idempotency {
  constructor(
    @inject(IdempotentRequests) private readonly requests: IdempotentRequests,
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(Log) private readonly log: Log,
  ) {}

  readonly handle: RequestHandler = async (req, res, next) => {
    const key = req.get('Idempotency-Key');
    if (key === undefined) return next();
    if (!VISIBLE.test(key)) throw ValidationError.of('Idempotency-Key', 'must be 1 to 128 visible characters');
    const { caller } = res.locals as unknown as ApiLocals;
    const begun = await this.requests.begin({
      accountId: caller.accountId,
      key,
      fingerprint: await requestFingerprint(req),
    });
    if ('status' in begun) return replay(res, begun);
    this.keepAnswer(res, begun, next);
    const outcome = begun.repeated ? await this.operations.resume(begun) : undefined;
    if (outcome) return sendOutcome(res, outcome);
    caller.operationId = begun.operationId;
    caller.settle = (stores, answer) => this.requests.settle(stores, begun, answer);
    next();
  };

  /** The answer is sent when it is kept, so that whoever has it can have it again. */
  private keepAnswer(res: Response, run: RequestRun, next: NextFunction): void {
    const before = new Set(res.getHeaderNames());
    res.json = (body: unknown) => {
      const headers = Object.fromEntries(
        res
          .getHeaderNames()
          .filter((name) => !before.has(name))
          .map((name) => [name, String(res.getHeader(name))]),
      );
      void this.keepAndSend(res, run, { status: res.statusCode, headers, body }, next);
      return res;
    };
  }

  /** An answer that could not be kept is not sent: the repetition, which finds what was done, is to get the first one. */
  private async keepAndSend(res: Response, run: RequestRun, answer: StoredResponse, next: NextFunction): Promise<void> {
    try {
      await (isTransient(answer) ? this.release(run) : this.requests.keep(run, answer));
      await sendLongJson(res, answer.body);
    } catch (error) {
      if (!res.headersSent) for (const name of Object.keys(answer.headers)) res.removeHeader(name);
      next(error);
    }
  }

  /** A transient answer may be sent whether or not the request can be released: its lease ends by itself. */
  private async release(run: RequestRun): Promise<void> {
    try {
      await this.requests.release(run);
    } catch (error) {
      this.log.warn({ err: error }, 'a request with an Idempotency-Key could not be released before its lease ends');
    }
  }
}

async function replay(res: Response, { status, headers, body }: StoredResponse): Promise<void> {
  res.set('Idempotent-Replay', 'true').set(headers).status(status);
  await sendLongJson(res, body);
}

/** What another attempt may well change: repeating it is the client's business, and ours not to refuse it. */
function isTransient({ status, headers }: StoredResponse): boolean {
  return status === 429 || status >= 500 || 'retry-after' in headers;
}
