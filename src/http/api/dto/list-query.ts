import type { Request } from 'express';
import type { ListPosition } from '../../../application/ports/storage/list-position';
import { ValidationError } from '../../../domain/shared/validation-error';

const MAX_LIMIT = 500;
export const DEFAULT_LIMIT = 100;

/** A page of a list, where one is asked for. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: ListPosition;
}

/** A query parameter that may be given once. @throws ValidationError where it is repeated */
export function parameter({ query }: Pick<Request, 'query'>, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw ValidationError.of(name, 'must be given once');
}

/** Undefined where neither `limit` nor `cursor` is given. @throws ValidationError */
export function pageRequest(req: Pick<Request, 'query'>): PageRequest | undefined {
  const limit = parameter(req, 'limit');
  const cursor = parameter(req, 'cursor');
  if (limit === undefined && cursor === undefined) return undefined;
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : parseLimit(limit),
    ...(cursor !== undefined && { after: parseCursor(cursor) }),
  };
}

/** The value of a Link header to the page after `last`, keeping the filters and never the token. */
export function nextLink(
  req: Pick<Request, 'baseUrl' | 'path' | 'query'>,
  filters: readonly string[],
  limit: number,
  last: ListPosition,
): string {
  const query = new URLSearchParams({
    limit: String(limit),
    cursor: Buffer.from(`${last.createdAt.getTime()}:${last.id}`).toString('base64url'),
  });
  for (const name of filters) {
    const value = parameter(req, name);
    if (value !== undefined) query.set(name, value);
  }
  return `<${req.baseUrl}${req.path}?${query.toString()}>; rel="next"`;
}

/** @throws ValidationError */
export function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw ValidationError.of('limit', `must be an integer from 1 to ${MAX_LIMIT}`);
  return limit;
}

function parseCursor(text: string): ListPosition {
  const match = /^(\d{1,15}):([a-z]{2,4}_[0-9a-z]{1,36})$/.exec(
    Buffer.from(text.slice(0, 200), 'base64url').toString('latin1'),
  );
  if (!match?.[1] || !match[2]) throw ValidationError.of('cursor', 'must be one that a Link header named');
  return { createdAt: new Date(Number(match[1])), id: match[2] };
}
