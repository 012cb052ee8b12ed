import { SERVICE, type Actor } from '../../domain/access/actor';
import type { AuditFact } from '../../domain/access/audit-entry';
import type { EventFact, EventType } from '../../domain/access/events/account-event';
import type { TransferState } from '../../domain/registration/transfers/transfer-state';

export function transferRequested(transfer: TransferState, at: Date): AuditFact {
  const { years, price } = transfer;
  return { ...entry(transfer, transfer.actor, at), action: 'transfer.requested', after: { years, price } };
}

export function cancellationRequested(transfer: TransferState, actor: Actor, at: Date): AuditFact {
  return { ...entry(transfer, actor, at), action: 'transfer.cancellation_requested', after: {} };
}

export function transferEnded(transfer: TransferState, at: Date, actor: Actor = SERVICE): AuditFact {
  const { status, error } = transfer;
  return {
    ...entry(transfer, actor, at),
    action: 'transfer.ended',
    after: { status, ...(error && { reason: error.message }) },
  };
}

/** What the registry reports while a transfer goes on: of no audit entry, because the account did nothing. */
export function transferProgressed(before: TransferState, after: TransferState, at: Date): readonly EventFact[] {
  const { id, accountId, name, status, error } = after;
  const event = (type: EventType, more: object = {}): EventFact => {
    return { accountId, at, actor: SERVICE, type, domain: null, data: { transfer_id: id, name, ...more } };
  };
  const isRefused = before.cancelRequestedAt !== null && after.cancelRequestedAt === null && status === 'pending';
  return [
    ...(status !== before.status && (status === 'pending' || status === 'approved')
      ? [event(`transfer.${status}`)]
      : []),
    ...(isRefused ? [event('transfer.cancel_refused', { reason: error?.message })] : []),
  ];
}

/** There is no domain yet: the name is the subject. Never the auth code or the registrant. */
function entry({ id, accountId, name }: TransferState, actor: Actor, at: Date): Omit<AuditFact, 'action' | 'after'> {
  return { accountId, at, actor, domain: null, subject: name, before: {}, eventData: { transfer_id: id } };
}
