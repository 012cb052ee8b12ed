import type { Server, ServerResponse } from 'node:http';

const LOOK_EVERY_MS = 50;

/**
 * Answers how to close `server` gracefully: it accepts nothing new, lets the requests in hand be answered, and ends
 * each connection with its answer. Whoever is still there after `withinMs`, because he sends or reads too slowly, is
 * hung up on.
 */
export function drainable(server: Server): (withinMs: number) => Promise<void> {
  const inHand = new Set<ServerResponse>();
  let draining = false;
  server.prependListener('request', (_req, res: ServerResponse) => {
    if (draining) res.shouldKeepAlive = false;
    inHand.add(res);
    res.on('close', () => inHand.delete(res));
  });

  return async (withinMs) => {
    draining = true;
    for (const res of inHand) res.shouldKeepAlive = false;
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
