import type { Response } from 'express';
import { jsonSteps } from '../../application/json-steps';
import { unhurried } from '../../application/unhurried';

/** Answers as `res.json` does what may be long, and lets everybody else have a turn while it is written. */
export async function sendLongJson(res: Response, body: unknown): Promise<void> {
  const octets = Buffer.from(await unhurried(jsonSteps(body)));
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', octets.length);
  res.end(octets);
}
