import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

const PIECE_BYTES = 65_536;

/** Sends a body no faster than the client reads it: what has left the service is freed, and a slow client can be told from a stalled one. */
export async function sendInPieces(res: Response, body: Buffer): Promise<void> {
  if (body.length <= PIECE_BYTES) res.end(body);
  else await pipeline(Readable.from(piecesOf(body)), res);
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
