import { createServer, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express, Request, Response, NextFunction } from 'express';
import { expressMessages } from './express-messages';
import { oneAtATime, disconnectStalledReaders, type ReadingPace } from './connections';
import { ValidationError } from '../../domain/shared/validation-error';

/** In milliseconds. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than the usual minute of proxies: if the server closed first, a proxy could send a request on the closing connection. */
  keepAliveTimeout: 75_000,
  /** How often the limits above are checked; Node's default is 30 seconds. */
  connectionsCheckingInterval: 2_000,
};

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Responses to errors of node:http, by error code; any other error is a malformed request. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The address or the header fields are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The request body is too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'VALIDATION_ERROR', message: 'The request did not arrive in time' },
};
const MALFORMED: Refusal = { status: 400, code: 'VALIDATION_ERROR', message: 'The request is not well-formed HTTP' };

/** The HTTP server: limits for slow senders, slow readers and pipelining, and JSON errors for requests that Express never sees. */
export function createHttpServer(app: Express, pace?: ReadingPace): Server {
  // `requireHost` rejects a missing Host header; node:http would send an empty response.
  const handle = oneAtATime((req, res) => {
    replaceMalformedTarget(req as Request);
    app(req as Request, res as Response);
  });
  const server = createServer({ ...expressMessages(app), ...TIMEOUTS, requireHostHeader: false }, handle);
  // RFC 9110, section 10.1.1 lets a server ignore an expectation that it does not know; node:http would send an empty 417.
  server.on('checkExpectation', handle);
  server.on('clientError', refuse);
  disconnectStalledReaders(server, pace);
  return server;
}

function hasPath(req: Request): boolean {
  try {
    const path: unknown = req.path;
    return typeof path === 'string';
  } catch {
    return false;
  }
}

/** Express responds to a target that it cannot parse, such as `http://[::1/`, before any middleware runs: replace it by one that `requireTarget` rejects. */
function replaceMalformedTarget(req: Request): void {
  if (!hasPath(req)) req.url = MALFORMED_TARGET;
}

/**
 * Like the default handler of node:http, which keeps the current response in `_httpMessage`, but with a JSON body. If the
 * application already has the request, the error becomes its response, so that the request log has it, too.
 */
function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex & { readonly _httpMessage?: ServerResponse | null },
): void {
  // oxlint-disable-next-line no-underscore-dangle -- the name is node:http's
  const answer = socket._httpMessage;
  if (!socket.writable || answer?.headersSent) {
    socket.destroy(error);
    return;
  }
  const { status, code, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const body = `${JSON.stringify({ error: { code, message } })}\n`;
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  if (!answer) {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  } else if (answer.req.complete) {
    // The error concerns what follows the request that is being handled.
    answer.shouldKeepAlive = false;
  } else {
    answer.writeHead(status, headers).end(body);
  }
}

/** Replaces every request target that cannot be parsed; it is malformed as well. */
const MALFORMED_TARGET = '/%';

/** @throws ValidationError */
export function requireTarget(req: Request, _res: Response, next: NextFunction): void {
  if (req.url === MALFORMED_TARGET) throw ValidationError.of('', 'The request target is malformed');
  next();
}

/** RFC 9112, section 3.2: exactly one Host header field. Of two, an upstream proxy may have read the other. @throws ValidationError */
export function requireHost(req: Request, _res: Response, next: NextFunction): void {
  const hosts = req.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host',
  ).length;
  if (hosts > 1) throw ValidationError.of('', 'The Host header is repeated');
  if (req.httpVersion === '1.1' && hosts === 0) throw ValidationError.of('', 'The Host header is missing');
  next();
}
