import type { Response } from 'express';
import type { KeptAnswer } from '../../application/idempotency/idempotent-requests';

export function sendAnswer(res: Response, { status, headers, body }: KeptAnswer): void {
  res.set(headers).status(status).json(body);
}
