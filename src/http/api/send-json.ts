import type { Response } from 'express';
import { jsonSteps } from '../../application/json-steps';
import { runCooperatively } from '../../application/run-cooperatively';
import { sendInPieces } from '../in-pieces';

/**
 * Answers a read: as `res.json` does, without what Express does for other kinds of bodies, which costs as much as a
 * look-up in the database. An answer that may be kept for its Idempotency-Key is sent by `res.json`.
 */
export function sendJson(res: Response, body: unknown): void {
  const octets = prepare(res, JSON.stringify(body));
  if (octets) res.end(octets);
}

/** The same for what may be long: everybody else has a turn while it is written. */
export async function sendLongJson(res: Response, body: unknown): Promise<void> {
  const octets = prepare(res, await runCooperatively(jsonSteps(body)));
  if (octets) await sendInPieces(res, octets);
}

/** Sets the headers. Undefined if the client has the body already. */
function prepare(res: Response, json: string): Buffer | undefined {
  if (res.req.fresh) {
    res.status(304).end();
    return undefined;
  }
  const octets = Buffer.from(json);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', octets.length);
  return octets;
}
