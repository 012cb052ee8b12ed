import type { NextFunction, Request, Response } from 'express';

const YEAR_SECONDS = 31_536_000;

/**
 * HSTS (RFC 6797) where the request came over TLS, and nowhere else: an installation on a plain LAN address goes on
 * working. Names below the service's own are their owner's affair.
 */
export function transportSecurity(req: Request, res: Response, next: NextFunction): void {
  if (req.secure) res.setHeader('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
  next();
}
