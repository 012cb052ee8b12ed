import type { NextFunction, Request, Response } from 'express';

/** Answers have personal data in them, and their address may hold the key: no cache on the way is to keep any (RFC 9111, section 5.2.2.5). */
export function noStore(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  next();
}
