import { inject, injectable } from '../../application/ports/inject';
import { observe } from '../../application/shared/observation';
import type { ApiResult } from '../shared/result';
import type { ApiRequest, PathParameter, ReadHandler } from './api-request';
import { Idempotency } from './idempotency';
import { DivertedWrites } from './proposals/diverted-writes';
import { isWrite, type Route } from './route';

type RunRequest = (request: ApiRequest<PathParameter>) => Promise<ApiResult>;

/** Runs requests, whichever way they came: a write once for its Idempotency-Key, and as a proposal if the key may only propose. */
@injectable()
export class ApiHandlers {
  constructor(
    @inject(Idempotency) private readonly idempotency: Idempotency,
    @inject(DivertedWrites) private readonly proposals: DivertedWrites,
  ) {}

  of(route: Route): RunRequest {
    const useCase = route[3].name.replace(/^bound /, '');
    const run: ReadHandler = isWrite(route)
      ? (request) => this.idempotency.run(request, this.proposals.handlerFor(request, route))
      : route[3];
    return (request) => observe({ kind: 'use case', name: useCase }, () => run(request));
  }
}
