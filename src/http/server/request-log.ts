import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { emit, observe } from '../../application/shared/observation';
import type { Log } from '../../application/ports/system';
import type { Caller } from '../api/api-authentication';

const REQUEST_ID = /^[\w.-]{1,128}$/;
/** In logs, metrics and traces, as in those of nginx: the client closed its connection before the end of the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Gives every request an id and logs it in one line, without its query, which may contain a key. */
export function requestLog(log: Log): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    const { path } = req;
    res.setHeader('X-Request-Id', requestId);
    res.on('close', () => {
      const caller = res.locals['caller'] as Caller | undefined;
      const milliseconds = (streamedSince(res) ?? performance.now()) - startedAt;
      emit(() => ({
        kind: 'request',
        method: req.method,
        route: routeOf(req, res),
        status: statusOf(res),
        seconds: milliseconds / 1_000,
      }));
      const facts = {
        requestId,
        method: req.method,
        path,
        status: statusOf(res),
        ms: Math.round(milliseconds),
        keyId: callerId(caller, 'key'),
        userId: callerId(caller, 'user'),
        accountId: caller?.accountId,
      };
      log.info(
        res.writableFinished || streamedSince(res) !== undefined ? facts : { ...facts, aborted: true },
        'request',
      );
    });
    void observe({ kind: 'request', name: req.method, traceParent: traceParentOf(req) }, () => untilClosed(res, next));
  };
}

function callerId(caller: Caller | undefined, kind: 'key' | 'user'): string | undefined {
  return caller?.actor.kind === kind ? caller.actor.id : undefined;
}

/** The template of the route that matched, never a path that the client chose. */
function routeOf({ route }: Request, { locals }: Response): string {
  const { path } = (route ?? {}) as { readonly path?: unknown };
  if (typeof path !== 'string') return 'none';
  const mount: unknown = locals['mount'];
  return typeof mount === 'string' ? `${mount}${path}` : path;
}

/** Marks a response that has begun and ends when its client leaves: neither its duration nor its end is an error. */
export function markStreaming(res: Response): void {
  res.locals['streamedSince'] = performance.now();
}

function streamedSince({ locals }: Response): number | undefined {
  return locals['streamedSince'] as number | undefined;
}

/** A response that the service itself broke off keeps its 500. */
function statusOf(res: Response): number {
  const { writableFinished, statusCode } = res;
  return writableFinished || streamedSince(res) !== undefined || statusCode >= 500 ? statusCode : CLIENT_CLOSED_REQUEST;
}

function traceParentOf({ headers: { traceparent } }: Request): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** Runs the rest of the request. Resolves to what its span shows. */
function untilClosed(res: Response, next: () => void): Promise<{ readonly route: string; readonly status: number }> {
  return new Promise((resolve) => {
    res.once('close', () => resolve({ route: routeOf(res.req, res), status: statusOf(res) }));
    next();
  });
}
