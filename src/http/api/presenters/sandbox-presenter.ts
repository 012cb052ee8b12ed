import type { LedgerEntry, RegistryFault } from '../../../application/ports/registry/registry-sandbox';
import { majorUnits } from '../../../domain/shared/money';

export function shownFault({ kind, target, times, milliseconds }: RegistryFault): object {
  return { kind, target: target ?? null, times: times ?? null, milliseconds: milliseconds ?? null };
}

export function ledgerEntry({ at, kind, name, years, amount: money, transactionId }: LedgerEntry): object {
  return {
    at: at.toISOString(),
    kind,
    name: name.value,
    years,
    amount: majorUnits(money),
    currency: money.currency,
    transaction_id: transactionId,
  };
}
