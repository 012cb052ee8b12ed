import { inject, injectable } from '../../../application/ports/inject';
import { FindOperation } from '../../../application/registration/operations/find-operation';
import { ListOperations } from '../../../application/registration/operations/list-operations';
import { pageOf } from '../../shared/page-of';
import { ok, okStream, type ApiResult } from '../../shared/result';
import type { ApiRequest } from '../api-request';
import { pageRequest, pageResult, positionCursor } from '../dto/list-query';
import { shownOperation } from '../presenters/operation-presenter';

/** Operations at registries, and their outcomes. */
@injectable()
export class OperationsController {
  constructor(
    @inject(FindOperation) private readonly findOperation: FindOperation,
    @inject(ListOperations) private readonly operations: ListOperations,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    const operation = await this.findOperation.execute({ ...caller, operationId: params.id });
    return ok(shownOperation(operation.toState()));
  }

  async list(request: ApiRequest<'id'>): Promise<ApiResult> {
    const { caller } = request;
    const { id } = request.params;
    const page = pageRequest(request);
    if (!page) return okStream(await this.operations.all(caller, id), shownOperation);
    const found = await this.operations.page(caller, id, page.limit + 1, page.after);
    return pageResult(
      { request, filters: [], ...pageOf(found, page.limit), limit: page.limit, cursorOf: positionCursor },
      shownOperation,
    );
  }
}
