import type { Response } from 'express';
import { nextSlice } from '../../application/run-cooperatively';
import { accountOf, unreadResponses } from './unread-responses';

const PIECE_LENGTH = 65_536;

/**
 * Sends lines, each with its line feed. All are written out, cooperatively, before the first is sent. No function that waits for
 * the reader keeps the lines: what they are made from is several times as large as their text.
 */
export function streamLines(res: Response, lines: Iterable<string>): Promise<void> {
  return writeOut(lines, accountOf(res)).then((pieces) => unreadResponses.send(res, pieces));
}

async function writeOut(lines: Iterable<string>, accountId: string): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of inPieces(lines, accountId)) pieces.push(Buffer.from(piece));
  return pieces;
}

async function* inPieces(lines: Iterable<string>, accountId: string): AsyncGenerator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
    await nextSlice(accountId);
  }
  if (piece !== '') yield piece;
}
