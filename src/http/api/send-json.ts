import type { Response } from 'express';
import { jsonSteps } from '../../application/json-steps';
import { unhurried } from '../../application/unhurried';

/**
 * Answers a read: as `res.json` does, without what Express does for other kinds of bodies, which costs as much as a
 * look-up in the database. An answer that may be kept for its Idempotency-Key is sent by `res.json`.
 */
export function sendJson(res: Response, body: unknown): void {
  send(res, JSON.stringify(body));
}

/** The same for what may be long: everybody else has a turn while it is written. */
export async function sendLongJson(res: Response, body: unknown): Promise<void> {
  send(res, await unhurried(jsonSteps(body)));
}

function send(res: Response, json: string): void {
  if (res.req.fresh) {
    res.status(304).end();
    return;
  }
  const octets = Buffer.from(json);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', octets.length);
  res.end(octets);
}
