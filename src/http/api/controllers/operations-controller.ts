import { inject, injectable } from 'inversify';
import { FindOperation } from '../../../application/registration/find-operation';
import { ListOperations } from '../../../application/registration/list-operations';
import type { ApiHandler } from '../caller';
import { nextLink, pageRequest } from '../dto/list-query';
import { shownOperation } from '../presenters/operation-presenter';
import { streamArray } from '../stream-array';

/** What was asked of a registry, and what it came to. */
@injectable()
export class OperationsController {
  constructor(
    @inject(FindOperation) private readonly findOperation: FindOperation,
    @inject(ListOperations) private readonly operations: ListOperations,
  ) {}

  read: ApiHandler = async (req, res) => {
    const operation = await this.findOperation.execute({
      accountId: res.locals.caller.accountId,
      operationId: req.params['id'] ?? '',
    });
    res.json(shownOperation(operation.toState()));
  };

  list: ApiHandler = async (req, res) => {
    const { accountId } = res.locals.caller;
    const domainId = req.params['id'] ?? '';
    const page = pageRequest(req);
    if (!page) return streamArray(res, await this.operations.all(accountId, domainId), shownOperation);
    const found = await this.operations.page(accountId, domainId, page.limit + 1, page.after);
    const shown = found.slice(0, page.limit);
    const last = shown.at(-1);
    if (last && found.length > page.limit) res.setHeader('Link', nextLink(req, [], page.limit, last));
    res.json(shown.map(shownOperation));
  };
}
