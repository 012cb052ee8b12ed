import type { Response } from 'express';
import { runCooperatively, type CooperativeTask } from '../../application/shared/run-cooperatively';
import { accountOf, unreadResponses } from './unread-responses';

export const PIECE_LENGTH = 65_536;

/**
 * Sends lines, each with its line feed. All are written out, cooperatively, before the first is sent. No function that waits for
 * the reader keeps the lines: what they are made from is several times as large as their text.
 */
export function streamLines(res: Response, lines: Iterable<string>): Promise<void> {
  return writeOut(res, lines).then((pieces) => unreadResponses.send(res, pieces));
}

/** The texts one after the other, as pieces of UTF-8 that share no memory. */
export function writeOut(res: Response, texts: Iterable<string>): Promise<Buffer[]> {
  return runCooperatively(inPieces(texts), accountOf(res));
}

function* inPieces(texts: Iterable<string>): CooperativeTask<Buffer[]> {
  const pieces: Buffer[] = [];
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length >= PIECE_LENGTH) {
      pieces.push(Buffer.from(piece));
      piece = '';
    }
    yield;
  }
  if (piece !== '') pieces.push(Buffer.from(piece));
  return pieces;
}
