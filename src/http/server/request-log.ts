import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Log } from '../../application/ports/system/log';
import type { Caller } from '../api/api-authentication';

const REQUEST_ID = /^[\w.-]{1,128}$/;

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
      const facts = {
        requestId,
        method: req.method,
        path,
        status: res.statusCode,
        ms: Math.round(performance.now() - startedAt),
        keyId: caller?.keyId,
        accountId: caller?.accountId,
      };
      log.info(res.writableFinished ? facts : { ...facts, aborted: true }, 'request');
    });
    next();
  };
}
