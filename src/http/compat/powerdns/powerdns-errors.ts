import type { ErrorCode } from '../../../domain/shared/error-code';
import type { ServiceError } from '../../../domain/shared/service-error';
import { STATUS } from '../../shared/error-codes';
import { errorHeaders } from '../../shared/error-handler';
import type { CompatResult } from '../compat-api';
import { JSON_CONTENT } from './powerdns-presenter';

/** PowerDNS has 422 for all that its rules forbid; these keep the status of the REST API. */
const KEPT: ReadonlySet<number> = new Set([401, 403, 404, 405, 413, 429, 500, 503]);
const UNPROCESSABLE = 422;

/** `{error}`, as PowerDNS responds. Some clients show nothing else, so it includes the details. */
export function powerDnsError(error: ServiceError): CompatResult {
  const { 'WWW-Authenticate': _bearer, ...headers } = errorHeaders(error);
  return { status: statusOf(error.code), headers: { ...headers, ...JSON_CONTENT }, body: { error: messageOf(error) } };
}

function statusOf(code: ErrorCode): number {
  return KEPT.has(STATUS[code]) || code === 'ZONE_EXISTS' ? STATUS[code] : UNPROCESSABLE;
}

function messageOf({ message, details }: ServiceError): string {
  return details === undefined ? message : `${message}: ${details}`;
}
