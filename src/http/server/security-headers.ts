import type { NextFunction, Request, Response, RequestHandler } from 'express';
import helmet from 'helmet';

const YEAR_SECONDS = 31_536_000;

/**
 * What browsers heed over TLS only, sent there and nowhere else: HSTS (RFC 6797), and that no other site keeps hold of a
 * window of ours. An installation on a plain LAN address goes on working, without complaints in the console. Names below
 * the service's own are their owner's affair.
 */
export function transportSecurity(req: Request, res: Response, next: NextFunction): void {
  if (req.secure) {
    res.setHeader('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  }
  next();
}

/**
 * Header fields for responses that are no documents: no content sniffing, no framing, and no Referer, because the URL may
 * hold a key. Helmet's other header fields concern documents.
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
