import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * What a browser is told of answers that are no documents: to take them for nothing else, to show them on no page, and
 * to tell nobody their address, which may hold a key. Helmet's other headers speak of documents.
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
