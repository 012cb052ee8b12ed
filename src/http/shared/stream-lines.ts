import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Response } from 'express';

const PIECE_LENGTH = 65_536;

/**
 * Sends lines, each with its line feed. All are written out, cooperatively, before the first is sent: a slow reader holds
 * their text and not what they were made from, which is twenty times as large.
 */
export async function streamLines(res: Response, lines: Iterable<string>): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of inPieces(lines)) pieces.push(Buffer.from(piece));
  await pipeline(Readable.from(pieces), res);
}

async function* inPieces(lines: Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
    await yieldToEventLoop();
  }
  if (piece !== '') yield piece;
}
