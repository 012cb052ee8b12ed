import type { ListPosition } from '../../application/ports/storage/page';
import { parseSuffix } from '../../domain/registration/names/suffix';
import { ValidationError } from '../../domain/shared/validation-error';
import { parameter } from './validated';
import { ok, type JsonResult, type ResultHeaders } from '../shared/result';
import type { ApiRequest } from './api-request';

const MAX_LIMIT = 500;
export const DEFAULT_LIMIT = 100;
const MAX_TLDS = 50;
/** Of what has a prefix, such as a domain. */
export const DOMAIN_ID = /^[a-z]{2,4}_[0-9a-z]{1,36}$/;
const KEY_ID = /^[\w-]{12}$/;

type WithQuery = Pick<ApiRequest, 'query'>;

interface PageRequest {
  readonly limit: number;
  readonly after?: ListPosition;
}

interface VersionsRequest {
  readonly limit: number;
  /** The last version of the page before. */
  readonly before?: number;
}

interface FoundPage<T, P> {
  readonly request: Pick<ApiRequest, 'path' | 'query'>;
  /** The query parameters that the next page needs as well. */
  readonly filters: readonly string[];
  readonly items: readonly T[];
  /** Where the page ended, if another one follows. */
  readonly last: P | undefined;
  readonly limit: number;
  readonly cursorOf: (last: P) => string;
}

/** Undefined without `limit` and `cursor`: the whole list. @throws ValidationError */
export function pageRequest(request: WithQuery): PageRequest | undefined {
  const limit = parameter(request, 'limit');
  const cursor = parameter(request, 'cursor');
  if (limit === undefined && cursor === undefined) return undefined;
  return { limit: parseLimit(limit), ...(cursor !== undefined && { after: parsePosition(cursor) }) };
}

/** Of a list of API keys, whose ids have no prefix; the first page without `cursor`. @throws ValidationError */
export function keysRequest(request: WithQuery): PageRequest {
  const cursor = parameter(request, 'cursor');
  const limit = parseLimit(parameter(request, 'limit'));
  return { limit, ...(cursor !== undefined && { after: parsePosition(cursor, KEY_ID) }) };
}

/** Of the TLDs, in the order of their suffixes; each asks a registry. @throws ValidationError */
export function tldsRequest(request: WithQuery): { readonly limit: number; readonly after: string | undefined } {
  const limit = parseLimit(parameter(request, 'limit') ?? String(MAX_TLDS));
  if (limit > MAX_TLDS) throw ValidationError.of('limit', `must be an integer from 1 to ${MAX_TLDS}`);
  const after = parameter(request, 'cursor');
  if (after !== undefined && parseSuffix(after) !== after) throw badCursor();
  return { limit, after };
}

/** @throws ValidationError */
export function versionsRequest(request: WithQuery): VersionsRequest {
  const limit = parseLimit(parameter(request, 'limit'));
  const cursor = parameter(request, 'cursor');
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
  return { limit, ...(cursor !== undefined && { before: Number(cursor) }) };
}

/** One page of a list, with a Link to the next; the link has the filters and never the key. */
export function pageResult<T, P>(
  { request, filters, items, last, limit, cursorOf }: FoundPage<T, P>,
  present: (item: T) => object,
  headers: ResultHeaders = {},
): JsonResult {
  const body = items.map(present);
  if (last === undefined) return ok(body, headers);
  const query = new URLSearchParams({ limit: String(limit), cursor: cursorOf(last) });
  for (const name of filters) {
    const value = parameter(request, name);
    if (value !== undefined) query.set(name, value);
  }
  return ok(body, { ...headers, Link: `<${request.path}?${query.toString()}>; rel="next"` });
}

export function positionCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.getTime()}:${id}`).toString('base64url');
}

/** @throws ValidationError */
export function parseLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw ValidationError.of('limit', `must be an integer from 1 to ${MAX_LIMIT}`);
  return limit;
}

function parsePosition(text: string, idPattern = DOMAIN_ID): ListPosition {
  const [time = '', id = '', ...rest] = Buffer.from(text.slice(0, 200), 'base64url').toString('latin1').split(':');
  if (!/^\d{1,15}$/.test(time) || !idPattern.test(id) || rest.length > 0) throw badCursor();
  return { createdAt: new Date(Number(time)), id };
}

export function badCursor(): ValidationError {
  return ValidationError.of('cursor', 'must be one from a Link header');
}
