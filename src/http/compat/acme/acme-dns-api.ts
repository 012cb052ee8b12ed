import type { Request } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { ApiKeyPrefix } from '../../../application/access/api-keys/authenticate';
import { ChangeChallenge } from '../../../application/dns/dynamic/change-challenge';
import type { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import { UNTYPED_JSON_BODY } from '../../api/request-body';
import { STATUS } from '../../shared/error-codes';
import { errorHeaders } from '../../shared/error-handler';
import type { CompatApi, CompatRequest, CompatResult, CompatRoute } from '../compat-api';
import { keyText } from '../key-in-request';
import { parseAcmeDnsUpdate } from './challenge-requests';

/**
 * The API of acme-dns without registration: an account is an API key, and its subdomain is the name that the certificate is
 * for. https://github.com/joohoi/acme-dns#api
 */
@injectable()
export class AcmeDnsApi implements CompatApi {
  readonly prefix = '/compat/acme-dns';
  readonly healthPath = '/health';
  readonly keyOf: (req: Request) => string | undefined;
  readonly presentError = acmeDnsError;
  readonly routes: readonly CompatRoute[] = [
    ['post', '/update', 'WRITE', this.update.bind(this), { body: UNTYPED_JSON_BODY }],
  ];

  constructor(
    @inject(ChangeChallenge) private readonly challenges: ChangeChallenge,
    @inject(ApiKeyPrefix) prefix: string,
  ) {
    this.keyOf = ({ headers }) => keyText(prefix, textOf(headers['x-api-user']), textOf(headers['x-api-key']));
  }

  private async update({ caller, body }: CompatRequest): Promise<CompatResult> {
    const { name, value } = parseAcmeDnsUpdate(body);
    await this.challenges.addLatest({ ...caller, name, value });
    return { status: 200, body: { txt: value } };
  }
}

/** `{error}` in acme-dns's words, with our details. */
function acmeDnsError(error: ServiceError): CompatResult {
  const { code, message, details = message } = error;
  const { 'WWW-Authenticate': _bearer, ...headers } = errorHeaders(error);
  return { status: STATUS[code], headers, body: { error: wordOf(error), details } };
}

function wordOf(error: ServiceError): string {
  if (error instanceof ValidationError) {
    const [path = ''] = error.issues.map((issue) => issue.path);
    return path === '' ? 'malformed_json_payload' : `bad_${path}`;
  }
  const isForbidden = STATUS[error.code] === 401 || STATUS[error.code] === 403;
  return isForbidden ? 'forbidden' : error.code.toLowerCase();
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
