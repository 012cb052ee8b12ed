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

/** Everything from us and nothing inline; HSTS where the request came over TLS. */
export function securityHeaders(): RequestHandler {
  const common = { contentSecurityPolicy: CONTENT_SECURITY_POLICY, frameguard: { action: 'deny' as const } };
  const plain = helmet({ ...common, strictTransportSecurity: false });
  const overTls = helmet(common);
  return (req, res, next) => {
    if (!req.secure) res.removeHeader('Strict-Transport-Security');
    (req.secure ? overTls : plain)(req, res, next);
  };
}
