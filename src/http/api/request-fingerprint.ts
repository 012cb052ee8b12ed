import { createHash } from 'node:crypto';
import type { Request } from 'express';

/** What makes a request the same as another, whichever key it comes with and however its body is written. */
export function requestFingerprint(req: Pick<Request, 'method' | 'baseUrl' | 'path' | 'query' | 'body' | 'get'>): string {
  const { token: _token, ...query } = req.query;
  return createHash('sha256').update(canonical([req.method, `${req.baseUrl}${req.path}`, query, req.get('If-Match') ?? null, req.body ?? null])).digest('hex');
}

/** JSON with the members of every object in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)) : inner,
  );
}
