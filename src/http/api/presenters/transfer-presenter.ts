import type { TransferOrder } from '../../../application/transfers/transfer-orders';
import type { TransferState } from '../../../domain/registration/transfer';
import { majorUnits } from '../../../domain/shared/money';

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
export function plannedTransfer({ name, term: { years }, price }: TransferOrder): object {
  return { dry_run: true, name: name.value, years, price: majorUnits(price), currency: price.currency };
}
