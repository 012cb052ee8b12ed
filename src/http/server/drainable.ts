import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const CLOSE_IDLE_EVERY_MS = 50;

/** The end of a server's life: first it announces that it will close, then it closes. */
export interface Drainable {
  /** True from the announcement on; `/readyz` reports it, so that load balancers look elsewhere. */
  readonly isDraining: boolean;
  /** From now on every response ends its connection. New connections and requests are still served. */
  announce(): void;
  /** Accepts nothing new, lets the requests under way be answered, and hangs up after `withinMs` on clients that send or read too slowly. */
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
      // A response whose head was sent before leaves its connection open, and idle.
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
 * The response under way on each connection; of several, the one that goes out last. By connection, and not a set of
 * responses: a table that forgets an entry with every request is rebuilt all the time, and its predecessors, until they
 * are collected themselves, keep what was in them from being collected early.
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
