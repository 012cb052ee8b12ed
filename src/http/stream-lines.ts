import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';

const PIECE_LENGTH = 65_536;

/** Answers lines, each with its line feed, piece by piece; between two pieces everybody else has a turn. */
export async function streamLines(res: Response, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(inPieces(lines)), res);
}

async function* inPieces(lines: Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
    await nextTurn();
  }
  if (piece !== '') yield piece;
}
