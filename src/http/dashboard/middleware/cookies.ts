import type { Request, RequestHandler } from 'express';

/** `req.secure` of the dashboard follows PUBLIC_URL: how people reach it, whatever the hop before us is. Without it the request decides. */
export function securedBy(publicUrl: string | undefined): RequestHandler {
  return (req, _res, next) => {
    if (publicUrl !== undefined) Object.defineProperty(req, 'secure', { value: publicUrl.startsWith('https:') });
    next();
  };
}

/** Over TLS with the prefix that browsers accept from the host itself only: Secure, path /, no domain (RFC 6265bis, section 4.1.3.2). */
export function cookieName({ secure }: Pick<Request, 'secure'>, name: string): string {
  return secure ? `__Host-${name}` : name;
}
