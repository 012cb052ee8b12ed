import { inject, injectable } from '../../../application/ports/inject';
import { CancelTransfer } from '../../../application/transfers/cancel-transfer';
import { FindTransfers } from '../../../application/transfers/find-transfers';
import { RequestTransfer } from '../../../application/transfers/request-transfer';
import { TransferOrders } from '../../../application/transfers/transfer-orders';
import type { Transfer } from '../../../domain/registration/transfer';
import { pageOf } from '../../shared/page-of';
import { ok, okStream, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { TransferBody } from '../dto/domain-bodies';
import { pageRequest, pageResult, positionCursor } from '../dto/list-query';
import { toRegistrant } from '../dto/registrant-body';
import { assertNoMembers, validated } from '../dto/validated';
import { isDryRun } from '../zone-changes';
import { plannedTransfer, shownTransfer } from '../presenters/transfer-presenter';

/** Transfers of names from other registrars. */
@injectable()
export class TransfersController {
  constructor(
    @inject(TransferOrders) private readonly orders: TransferOrders,
    @inject(RequestTransfer) private readonly requestTransfer: RequestTransfer,
    @inject(CancelTransfer) private readonly cancelTransfer: CancelTransfer,
    @inject(FindTransfers) private readonly transfers: FindTransfers,
  ) {}

  async request(request: WriteRequest): Promise<JsonResult> {
    const {
      name,
      auth_code: authCode,
      years,
      registrant,
      auto_renew: autoRenew,
    } = validated(TransferBody, request.body);
    const command = { ...request.caller, name, authCode, years, registrant: toRegistrant(registrant), autoRenew };
    if (isDryRun(request)) return ok(plannedTransfer(await this.orders.review(command)));
    return requested(await this.requestTransfer.execute(command, request.storing(requested)));
  }

  async list(request: ApiRequest): Promise<ApiResult> {
    const { caller } = request;
    const page = pageRequest(request);
    if (!page) return okStream(this.transfers.all(caller), shownTransfer);
    const found = await this.transfers.page(caller, page.limit + 1, page.after);
    return pageResult(
      { request, filters: [], ...pageOf(found, page.limit), limit: page.limit, cursorOf: positionCursor },
      shownTransfer,
    );
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(shownTransfer((await this.transfers.byId({ ...caller, transferId: params.id })).toState()));
  }

  async cancel(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const command = { ...request.caller, transferId: request.params.id };
    return shown(await this.cancelTransfer.execute(command, request.storing(shown)));
  }
}

function requested(transfer: Transfer): JsonResult {
  return { ...shown(transfer), status: 201 };
}

function shown(transfer: Transfer): JsonResult {
  return ok(shownTransfer(transfer.toState()));
}
