import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LOOK_EVERY_MS = 50;

/**
 * Answers how to close `server` gracefully: it accepts nothing new, lets the requests in hand be answered, and ends
 * each connection with its answer. Whoever is still there after `withinMs`, because he sends or reads too slowly, is
 * hung up on.
 */
export function drainable(server: Server): (withinMs: number) => Promise<void> {
  const inHand = latestAnswers(server);
  let draining = false;
  server.prependListener('request', (_req, res: ServerResponse) => {
    if (draining) res.shouldKeepAlive = false;
  });

  return async (withinMs) => {
    draining = true;
    for (const res of inHand.values()) if (res) res.shouldKeepAlive = false;
    // An answer whose head was sent before leaves its connection open, and idle.
    const look = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
    const hangUp = setTimeout(() => server.closeAllConnections(), withinMs);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    clearInterval(look);
    clearTimeout(hangUp);
  };
}

/**
 * The answer under way on each connection; of several, the one that goes out last. By connection, and not a set of
 * answers: a table that forgets an entry with every request is built anew all the time, and its predecessors, until they
 * are collected themselves, keep what was in them from being collected early.
 */
function latestAnswers(server: Server): ReadonlyMap<Socket, ServerResponse | undefined> {
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
