import type { RenewDomain } from '../../../../src/application/registration/renew-domain';
import type { ApiRequest, ReadHandler, WriteHandler, WriteRequest } from '../../../../src/http/api/api-request';
import { isWrite, type Route } from '../../../../src/http/api/route';
import { ok, okStream, type ApiResult, type JsonResult } from '../../../../src/http/shared/result';

async function write(_request: WriteRequest<'id'>): Promise<JsonResult> {
  return ok({});
}

async function* noPages(): AsyncGenerator<readonly string[]> {}

async function stream(): Promise<ApiResult> {
  return okStream(noPages(), (text) => ({ text }));
}

function renewInRead({ caller, params }: ApiRequest<'id'>, useCase: RenewDomain): Promise<unknown> {
  // @ts-expect-error -- only the caller of a WriteRequest is a Requester
  return useCase.execute({ ...caller, domainId: params.id, years: 1 });
}

function renewInWrite({ caller, params }: WriteRequest<'id'>, useCase: RenewDomain): Promise<unknown> {
  return useCase.execute({ ...caller, domainId: params.id, years: 1 });
}

describe('a route', () => {
  it('runs every write through idempotency', () => {
    const routes: readonly Route[] = [
      ['post', '/domains/:id/renew', 'WRITE', write],
      ['put', '/domains/:id', 'WRITE', write],
      ['delete', '/sandbox/faults', 'ADMIN', write],
    ];

    expect(routes.every(isWrite)).toBe(true);
  });

  it('does not compile with a handler of writes in a read route, or with a stream as the response to a write', () => {
    // @ts-expect-error -- a GET has no WriteRequest to give
    const get: Route = ['get', '/domains/:id', 'READ', write];
    // @ts-expect-error -- neither has a POST that only reads
    const search: Route = ['post', '/domains/search', 'READ', write];
    // @ts-expect-error -- a stream cannot be stored for an Idempotency-Key
    const streamed: Route = ['post', '/domains/:id/renew', 'WRITE', stream];
    // @ts-expect-error -- calling a write directly would bypass Idempotency
    const direct: ReadHandler = write as WriteHandler;

    expect([get, search].some(isWrite)).toBe(false);
    expect(isWrite(streamed)).toBe(true);
    expect(direct).toBe(write);
  });

  it('does not compile if the handler of a read calls a use case that changes something', () => {
    expect([renewInRead, renewInWrite]).toHaveLength(2);
  });
});
