import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ReadingPace {
  /** A client that has read less than `minBytes` of what waits for it for so long is disconnected. */
  readonly withinMs: number;
  readonly minBytes: number;
  readonly checkEveryMs: number;
}

/** 2 KiB a second at least; responses are written in pieces of at most 64 KiB, so that a slow client shows progress. */
const PACE: ReadingPace = { withinMs: 30_000, minBytes: 65_536, checkEveryMs: 5_000 };

interface Progress {
  readBytes: number;
  /** The time of `readBytes`, of performance.now(). */
  at: number;
}

/** Disconnects clients that stop reading their response: it is held in memory for as long as they stay. */
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
