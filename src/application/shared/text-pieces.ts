import type { CooperativeTask } from './run-cooperatively';

export const PIECE_LENGTH = 65_536;

/** The texts one after the other, as pieces of UTF-8 that share no memory. */
export function* inPieces(texts: Iterable<string>): CooperativeTask<Buffer[]> {
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
