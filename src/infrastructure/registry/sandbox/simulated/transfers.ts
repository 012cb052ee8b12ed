import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { Registrant } from '../../../../domain/registration/registrant';
import { addDays } from '../../../../domain/shared/time/calendar';
import { formatDateTime } from '../../../../domain/shared/time/date-text';
import { completeTransfer } from './registration-lifecycle';
import { detailsOf, type Outcome, type PendingTransfer, type Registration, type TransferRecord } from './registration';
import type { DecisionContext } from './registry-core';
import { assertAlive, assertNoTransfer } from './transitions';

/** Transfers between registrars (RFC 5731 section 3.2.4) as pure functions: each returns an outcome or throws RegistryRejected. */
export function requestTransfer(
  { held, offered: { periods, renewalYears }, prices, command: { registrar, transactionId, now } }: DecisionContext,
  presentedDigest: string,
  registrant: Registrant | null = null,
): Outcome {
  assertAlive(held);
  assertNoTransfer(held);
  if (held.sponsor === registrar)
    throw new RegistryRejected('policy', `${held.name} is sponsored by ${registrar} already`);
  if (held.authCode?.digest !== presentedDigest)
    throw new RegistryRejected('auth_code', `The auth code for ${held.name} is wrong or has expired`);
  if (held.transferLocked) throw new RegistryRejected('status', `${held.name} is locked against transfers`);
  const transfer: PendingTransfer = { gaining: registrar, endsAt: addDays(now, periods.transfer) };
  const record: TransferRecord = {
    gaining: registrar,
    losing: held.sponsor,
    requestedAt: now.getTime(),
    state: 'pending',
    actionAt: transfer.endsAt.getTime(),
    transactionId,
    fee: prices.renewal(renewalYears.min),
    registrant,
  };
  const text = `${registrar} has requested the transfer of ${held.name}, which takes effect on ${formatDateTime(transfer.endsAt, 'UTC')}`;
  return {
    registration: { ...withRecord(held, record), transfer },
    charges: [],
    notices: [{ registrar: held.sponsor, at: now, kind: 'transfer_requested', name: held.name, text }],
  };
}

/** The sponsor approves the transfer before the transfer period ends. */
export function approveTransfer({
  held,
  offered,
  prices: { renewal },
  command: { now, transactionId },
}: DecisionContext): Outcome {
  pendingTransferOf(held);
  return completeTransfer(held, now, { ...offered, renewal }, transactionId);
}

/** The sponsor rejects the transfer, or the gaining registrar cancels it. Notifies the other registrar. */
export function endTransfer({ held, command: { now } }: DecisionContext, by: 'rejected' | 'cancelled'): Outcome {
  const { gaining } = pendingTransferOf(held);
  const { transfer: record } = detailsOf(held);
  const registrar = by === 'rejected' ? gaining : held.sponsor;
  const state = by === 'rejected' ? 'clientRejected' : 'clientCancelled';
  return {
    registration: {
      ...(record ? withRecord(held, { ...record, state, actionAt: now.getTime() }) : held),
      transfer: null,
    },
    charges: [],
    notices: [
      { registrar, at: now, kind: 'transfer_ended', name: held.name, text: `The transfer of ${held.name} was ${by}` },
    ],
  };
}

export function pendingTransferOf({ name, transfer }: Registration): PendingTransfer {
  if (!transfer) throw new RegistryRejected('status', `No transfer of ${name} is pending`);
  return transfer;
}

function withRecord(held: Registration, transfer: TransferRecord): Registration {
  return { ...held, details: { ...detailsOf(held), transfer } };
}
