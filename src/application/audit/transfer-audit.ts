import { SERVICE, type Actor } from '../../domain/access/actor';
import type { AuditFact } from '../../domain/access/audit-entry';
import type { TransferState } from '../../domain/registration/transfer';

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

/** There is no domain yet: the name is the subject. Never the auth code or the registrant. */
function entry({ accountId, name }: TransferState, actor: Actor, at: Date): Omit<AuditFact, 'action' | 'after'> {
  return { accountId, at, actor, domain: null, subject: name, before: {} };
}
