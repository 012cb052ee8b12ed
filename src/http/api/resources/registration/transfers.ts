import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { CancelTransfer } from '../../../../application/transfers/cancel-transfer';
import { FindTransfers } from '../../../../application/transfers/find-transfers';
import { RequestTransfer } from '../../../../application/transfers/request-transfer';
import { TransferOrders, type TransferOrder } from '../../../../application/transfers/transfer-orders';
import type { Transfer } from '../../../../domain/registration/transfers/transfer';
import type { TransferState } from '../../../../domain/registration/transfers/transfer-state';
import { majorUnits } from '../../../../domain/shared/money';
import { pageOf } from '../../../shared/page-of';
import { ok, okStream, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { pageRequest, pageResult, positionCursor } from '../../list-query';
import { Optional, assertNoMembers, validated } from '../../validated';
import { RegistrantBody, toRegistrant } from './contacts';
import { PriceLimitBody, toPriceLimit } from './registration';
import { isDryRun } from '../dns/zone-changes';

class TransferBody extends PriceLimitBody {
  @IsString() name!: string;
  @Optional() @IsString() auth_code?: string;
  @Optional() @IsInt() years?: number;
  @IsObject() @ValidateNested() @Type(() => RegistrantBody) registrant!: RegistrantBody;
  @Optional() @IsBoolean() auto_renew?: boolean;
}

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
      ...limits
    } = validated(TransferBody, request.body);
    const order = { name, authCode, years, registrant: toRegistrant(registrant), autoRenew };
    const command = { ...request.caller, ...order, limit: toPriceLimit(limits) };
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

/** Without the auth code and the registrant. */
export function shownTransfer(transfer: TransferState): object {
  const { price, charged, error } = transfer;
  return {
    id: transfer.id,
    name: transfer.name,
    state: transfer.status,
    years: transfer.status === 'completed' ? transfer.addedYears : transfer.years,
    price: majorUnits(price),
    currency: price.currency,
    auto_renew: transfer.autoRenew,
    domain_id: transfer.domainId,
    requested_at: transfer.requestedAt?.toISOString() ?? null,
    ends_at: transfer.endsAt?.toISOString() ?? null,
    cancel_requested_at: transfer.cancelRequestedAt?.toISOString() ?? null,
    uncertain_since: transfer.uncertainSince?.toISOString() ?? null,
    charged: charged && { amount: majorUnits(charged), currency: charged.currency },
    error: error && { code: error.code, message: error.message },
    created_at: transfer.createdAt.toISOString(),
    updated_at: transfer.updatedAt.toISOString(),
    finished_at: transfer.finishedAt?.toISOString() ?? null,
  };
}

/** What a request would store: the response to a dry run. */
function plannedTransfer({ name, term: { years }, price }: TransferOrder): object {
  return { dry_run: true, name: name.value, years, price: majorUnits(price), currency: price.currency };
}
