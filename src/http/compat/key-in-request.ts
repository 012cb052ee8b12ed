import type { Request } from 'express';

const BEARER = /^Bearer +(\S+)$/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+=*)$/i;
/** What 401 responses ask for. */
export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Namewright", charset="UTF-8"' };

/** Finds the key of a client that sends its id and its secret as user and password (RFC 7617). */
export function basicKeyReader(prefix: string): (req: Request) => string | undefined {
  return ({ headers }) => {
    const [, encoded = ''] = BASIC.exec(headers.authorization ?? '') ?? [];
    const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s);
    return keyText(prefix, user, password);
  };
}

/** Finds the key of a client that sends it as a bearer token (RFC 6750, section 2.1), and never in the URL. */
export function bearerKey({ headers }: Request): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

/** The complete key, for a client that has its id and its secret apart. */
export function keyText(prefix: string, keyId: string, secret: string): string | undefined {
  return keyId === '' ? undefined : `${prefix}_live_${keyId}.${secret}`;
}
