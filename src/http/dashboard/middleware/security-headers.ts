import helmet from 'helmet';
import type { RequestHandler } from 'express';

const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** Allows only content of this origin and nothing inline. `transportSecurity` adds the headers for TLS. */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    crossOriginOpenerPolicy: false,
    frameguard: { action: 'deny' },
    originAgentCluster: false,
    strictTransportSecurity: false,
  });
}
