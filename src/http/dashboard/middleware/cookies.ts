import type { Request, RequestHandler } from 'express';

/** Middleware: `req.secure` follows the scheme of PUBLIC_URL, because a proxy may end TLS. Without PUBLIC_URL, it stays as is. */
export function overrideSecure(publicUrl: string | undefined): RequestHandler {
  return (req, _res, next) => {
    if (publicUrl !== undefined) Object.defineProperty(req, 'secure', { value: publicUrl.startsWith('https:') });
    next();
  };
}

/** Over TLS with the `__Host-` prefix: browsers then require Secure, path / and no domain (RFC 6265bis, section 4.1.3.2). */
export function cookieName({ secure }: Pick<Request, 'secure'>, name: string): string {
  return secure ? `__Host-${name}` : name;
}
