import helmet from 'helmet';
import type { RequestHandler, Response } from 'express';

const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    fontSrc: ["'self'"],
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

/** Browsers hold `form-action` against the redirect that a form leads to, too. */
export function allowFormRedirect(res: Response, { origin }: URL): void {
  const policy = String(res.getHeader('Content-Security-Policy') ?? '');
  res.setHeader('Content-Security-Policy', policy.replace("form-action 'self'", `form-action 'self' ${origin}`));
}
