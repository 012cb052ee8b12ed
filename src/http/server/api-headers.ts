import type { RequestHandler } from 'express';
import helmet from 'helmet';

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
