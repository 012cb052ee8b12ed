import type { ApiRequest } from '../caller';
import { ValidationError } from '../../../domain/shared/validation-error';
import { DEFAULT_LIMIT, parameter, parseLimit } from './list-query';

interface VersionsRequest {
  readonly limit: number;
  /** The version that ended the page before. */
  readonly before?: number;
}

/** @throws ValidationError */
export function versionsRequest(req: ApiRequest): VersionsRequest {
  const [limit, cursor] = [parameter(req, 'limit'), parameter(req, 'cursor')];
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
    throw ValidationError.of('cursor', 'must be one that a Link header named');
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : parseLimit(limit),
    ...(cursor !== undefined && { before: Number(cursor) }),
  };
}

/** The value of a Link header to the versions before `last`. */
export function nextVersionsLink({ baseUrl, path }: ApiRequest, limit: number, last: number): string {
  return `<${baseUrl}${path}?limit=${limit}&cursor=${last}>; rel="next"`;
}
