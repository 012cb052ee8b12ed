import type { IncomingMessage, RequestListener, ServerResponse, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that have no response yet, the one being handled included. */
const MAX_PIPELINED = 16;

/** Compression, streams, the log and the metrics listen to the end of a response; Node warns of more than ten. */
const MAX_LISTENERS = 20;

interface Connection {
  isBusy: boolean;
  isFull: boolean;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Handles the requests of one connection one after another. Pipelined requests would otherwise all be handled at once, and
 * their responses held in memory until the client has read the first. Beyond `MAX_PIPELINED` nothing more is read: the
 * connection ends with the response to the last request that was accepted, and the client repeats the rest on a new one
 * (RFC 9112, section 9.3.2).
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  // By connection, created once: an entry per request would keep requests out of V8's young generation.
  const connections = new WeakMap<Socket, Connection>();

  const next = (socket: Socket, connection: Connection): void => {
    const [req, res] = connection.waiting.shift() ?? [];
    connection.isBusy = req !== undefined && !socket.destroyed;
    if (!req || !res || !connection.isBusy) {
      connection.waiting.length = 0;
      return;
    }
    res.setMaxListeners(MAX_LISTENERS);
    res.once('close', () => next(socket, connection));
    handle(req, res);
  };

  return (req, res) => {
    const { socket } = req;
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = { isBusy: false, isFull: false, waiting: [] }));
    if (connection.isFull) return;
    connection.waiting.push([req, res]);
    if (!connection.isBusy) next(socket, connection);
    else if (connection.waiting.length >= MAX_PIPELINED - 1) close(socket, connection);
  };
}

function close(socket: Socket, connection: Connection): void {
  connection.isFull = true;
  const [, last] = connection.waiting.at(-1) ?? [];
  if (last) last.shouldKeepAlive = false;
  socket.pause();
}

export interface ReadingPace {
  /** A client that reads less than `minBytes` of its pending response in this time is disconnected. */
  readonly withinMs: number;
  readonly minBytes: number;
  readonly checkEveryMs: number;
}

/** At least 2 KiB a second; responses are written in chunks of at most 64 KiB, so that a slow client shows progress. */
const PACE: ReadingPace = { withinMs: 30_000, minBytes: 65_536, checkEveryMs: 5_000 };

interface Progress {
  readBytes: number;
  /** The time of `readBytes`, of performance.now(). */
  at: number;
}

/** Disconnects clients that stop reading their response, which stays in memory until they do. */
export function disconnectStalledReaders(
  server: Server,
  { withinMs, minBytes, checkEveryMs }: ReadingPace = PACE,
): void {
  const progress = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    progress.set(socket, { readBytes: 0, at: performance.now() });
    socket.once('close', () => progress.delete(socket));
  });
  const check = setInterval(() => {
    const now = performance.now();
    for (const [socket, last] of progress) {
      const readBytes = socket.bytesWritten - socket.writableLength;
      const isStalled = socket.writableLength > 0 && readBytes - last.readBytes < minBytes;
      if (isStalled && now - last.at >= withinMs) socket.destroy();
      if (isStalled) continue;
      last.readBytes = readBytes;
      last.at = now;
    }
  }, checkEveryMs).unref();
  server.once('close', () => clearInterval(check));
}

const CLOSE_IDLE_EVERY_MS = 50;

/** Graceful shutdown of a server: announce, then close. */
interface Drainable {
  /** True after `announce`; `/readyz` reports it, so that load balancers stop sending requests. */
  readonly isDraining: boolean;
  /** From now on every response ends its connection. New connections and requests are still served. */
  announce(): void;
  /** Accepts no new connections, waits for requests in progress, and after `withinMs` closes the connections that are left. */
  close(withinMs: number): Promise<void>;
}

export function drainable(server: Server): Drainable {
  const latest = latestResponses(server);
  let isDraining = false;
  server.prependListener('request', (_req, res: ServerResponse) => {
    if (isDraining) res.shouldKeepAlive = false;
  });
  const announce = (): void => {
    isDraining = true;
    for (const res of latest.values()) if (res) res.shouldKeepAlive = false;
  };

  return {
    get isDraining() {
      return isDraining;
    },
    announce,
    close: async (withinMs) => {
      announce();
      // A response whose header was sent before `announce` leaves an idle connection open.
      const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      const hangUp = setTimeout(() => server.closeAllConnections(), withinMs);
      await new Promise((resolve) => {
        server.close(resolve);
      });
      clearInterval(closeIdle);
      clearTimeout(hangUp);
    },
  };
}

/**
 * The last unfinished response of each connection. Keyed by connection and not a set of responses: deleting an entry per
 * request would keep rehashing the table, and each old table keeps its responses from being collected early.
 */
function latestResponses(server: Server): ReadonlyMap<Socket, ServerResponse | undefined> {
  const latest = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket) => {
    latest.set(socket, undefined);
    socket.on('close', () => latest.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    latest.set(socket, res);
    res.on('close', () => {
      if (latest.get(socket) === res) latest.set(socket, undefined);
    });
  });
  return latest;
}
