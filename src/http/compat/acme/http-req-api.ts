import type { Request } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { ApiKeyPrefix } from '../../../application/access/api-keys/authenticate';
import { ChangeChallenge } from '../../../application/dns/dynamic/change-challenge';
import type { ServiceError } from '../../../domain/shared/service-error';
import { JSON_BODY } from '../../api/request-body';
import { STATUS } from '../../shared/error-codes';
import { errorHeaders } from '../../shared/error-handler';
import type { CompatApi, CompatRequest, CompatResult, CompatRoute } from '../compat-api';
import { BASIC_CHALLENGE, basicKeyReader } from '../key-in-request';
import { parseHttpReq } from './challenge-requests';

/** The server side of lego's DNS provider `httpreq`. https://go-acme.github.io/lego/dns/httpreq/ */
@injectable()
export class HttpReqApi implements CompatApi {
  readonly prefix = '/compat/httpreq';
  readonly keyOf: (req: Request) => string | undefined;
  readonly presentError = httpReqError;
  readonly routes: readonly CompatRoute[] = [
    ['post', '/present', 'WRITE', this.present.bind(this), { body: JSON_BODY }],
    ['post', '/cleanup', 'WRITE', this.cleanUp.bind(this), { body: JSON_BODY }],
  ];

  constructor(
    @inject(ChangeChallenge) private readonly challenges: ChangeChallenge,
    @inject(ApiKeyPrefix) prefix: string,
  ) {
    this.keyOf = basicKeyReader(prefix);
  }

  private async present({ caller, body }: CompatRequest): Promise<CompatResult> {
    await this.challenges.add({ ...caller, ...parseHttpReq(body) });
    return { status: 200, body: {} };
  }

  private async cleanUp({ caller, body }: CompatRequest): Promise<CompatResult> {
    await this.challenges.remove({ ...caller, ...parseHttpReq(body) });
    return { status: 200, body: {} };
  }
}

/** lego prints the body. */
function httpReqError(error: ServiceError): CompatResult {
  const { code, message, details } = error;
  const headers = { ...errorHeaders(error), ...(code === 'INVALID_API_KEY' && BASIC_CHALLENGE) };
  return { status: STATUS[code], headers, body: { error: { code, message, details } } };
}
