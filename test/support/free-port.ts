import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range that systems take for outgoing connections, any of which could have the port a moment later. */
const FIRST = 20_000;
const LAST = 32_000;

/** A port of the loopback that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
