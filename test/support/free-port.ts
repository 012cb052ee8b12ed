import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral port range, from which any outgoing connection could take the port a moment later. */
const FIRST = 20_000;
const LAST = 32_000;

/** Finds a loopback TCP port without a listener. */
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
