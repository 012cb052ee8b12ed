import type { NextFunction, Request, Response, RequestHandler } from 'express';
import helmet from 'helmet';

const YEAR_SECONDS = 31_536_000;

/**
 * Headers that browsers accept over TLS only: HSTS (RFC 6797) and Cross-Origin-Opener-Policy. Not sent over HTTP, so that an
 * installation on a LAN works without console errors. HSTS does not include subdomains, which may belong to others.
 */
export function transportSecurity(req: Request, res: Response, next: NextFunction): void {
  if (req.secure) {
    res.setHeader('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  }
  next();
}

/**
 * Headers for responses that are not documents: no content sniffing, no framing, and no Referer, because the URL may contain
 * a key. Helmet's other headers concern documents.
 */
export function apiHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  });
}
