import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';
import { PayloadTooLarge, UnsupportedMediaType } from '../../errors';
import { JsonBounds } from './json-bounds';

/** Without a byte order mark, where there is one. */
const UTF8 = new TextDecoder();
const NOT_AS_ANNOUNCED = 'The body is not what its Content-Length or Content-Encoding says';
const SLICE_BYTES = 65_536;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Reads a body of one media type and a limited size; none at all leaves `req.body` undefined. @throws UnsupportedMediaType, PayloadTooLarge, ValidationError */
function bodyOf(types: readonly string[], parse: RequestHandler): RequestHandler {
  const [expected = ''] = types;
  return (req, res, next) => {
    if (hasBody(req) && !(req.is([...types]) && isUtf8Named(req))) throw new UnsupportedMediaType(expected);
    parse(req, res, (error?: unknown) => next(error === undefined ? missing(req) : inOurWords(error, expected)));
  };
}

function json(limit: string): readonly RequestHandler[] {
  const type = ['application/json'];
  return [bodyOf(type, express.raw({ limit, type })), parseJson];
}

/** A long body is read in several turns of the event loop. */
const parseJson: RequestHandler = async (req, _res, next) => {
  const text: unknown = req.body;
  if (Buffer.isBuffer(text)) {
    assertUtf8(text);
    const bounds = new JsonBounds();
    for (let at = 0; at < text.length; at += SLICE_BYTES) {
      if (at > 0) await yieldToEventLoop();
      bounds.read(text.subarray(at, at + SLICE_BYTES));
    }
    req.body = parsed(text);
    if (text.length > SLICE_BYTES) await yieldToEventLoop();
  }
  next();
};

/** An empty body is an object without members. @throws ValidationError */
function parsed(text: Buffer): unknown {
  try {
    return text.length === 0 ? {} : JSON.parse(UTF8.decode(text));
  } catch (error) {
    throw new ValidationError([{ path: '', message: 'The body must be well-formed JSON' }], { cause: error });
  }
}

export const jsonBody = json('256kb');
/** For many records at once. */
export const largeJsonBody = json('4mb');
const ZONE_FILE_TYPES = ['text/dns', 'text/plain'];
/** A zone file, RFC 4027. */
export const zoneFileBody: readonly RequestHandler[] = [
  bodyOf(ZONE_FILE_TYPES, express.raw({ limit: '8mb', type: ZONE_FILE_TYPES })),
  asText,
];

function asText(req: Request, _res: Response, next: NextFunction): void {
  if (Buffer.isBuffer(req.body)) {
    assertUtf8(req.body);
    req.body = UTF8.decode(req.body);
  }
  next();
}

/** What is not would be stored with a U+FFFD in place of whatever the sender had in mind. */
function assertUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw new ValidationError([{ path: '', message: 'The body must be UTF-8' }]);
}

/** US-ASCII is UTF-8, too, and what RFC 4027 has zone files in. */
function isUtf8Named({ headers }: Request): boolean {
  const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A body that was announced and is no more to be had: body-parser says nothing of a connection that has broken before it was asked to read. */
function missing(req: Request): ValidationError | undefined {
  return hasBody(req) && req.body === undefined && !req.complete
    ? new ValidationError([{ path: '', message: NOT_AS_ANNOUNCED }])
    : undefined;
}

/** By status and type, as body-parser sets them. What is of a wrong media type has not come here. */
function inOurWords(error: unknown, expected: string): unknown {
  if (!(error instanceof Error && 'status' in error)) return error;
  if (error.status === 413) return new PayloadTooLarge({ cause: error });
  if (error.status === 415)
    return new UnsupportedMediaType(`${expected}, plain or compressed with gzip, deflate or br,`, { cause: error });
  if (error.status !== 400) return error;
  return new ValidationError([{ path: '', message: NOT_AS_ANNOUNCED }], { cause: error });
}
