import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const CLOSE_IDLE_EVERY_MS = 50;

/** Graceful shutdown of a server: announce, then close. */
export interface Drainable {
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
