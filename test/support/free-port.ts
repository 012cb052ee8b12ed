import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral port range, from which any outgoing connection could take the port a moment later. */
const FIRST = 20_000;
const SLICES = 61;
const PORTS_IN_SLICE = 196;

/** Processes that run side by side search in different slices: none takes a port that another has chosen, but not bound yet. */
const slice = FIRST + (process.pid % SLICES) * PORTS_IN_SLICE;
let next = randomInt(PORTS_IN_SLICE);

/** Finds a loopback port that is free for TCP and UDP. Simultaneous calls get different ones. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_IN_SLICE; tried += 1) {
    next = (next + 1) % PORTS_IN_SLICE;
    const port = slice + next;
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
  throw new Error(`no port from ${slice} to ${slice + PORTS_IN_SLICE - 1} is free`);
}

function isFreeForTcp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

function isFreeForUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createSocket('udp4');
    probe.once('error', () => probe.close(() => resolve(false)));
    probe.bind(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
