import { SERVICE, type Actor } from '../../domain/access/actor';
import type { AuditFact } from '../../domain/access/audit-entry';
import type { AccountMove, AccountMoveState } from '../../domain/registration/account-move';
import type { DomainState } from '../../domain/registration/domain';
import { domainChanged } from './domain-audit';

interface Decided {
  /** The account of who did it. */
  readonly accountId: string;
  readonly actor: Actor;
  readonly at: Date;
}

/** For both accounts; the other one does not learn who it was. */
export function moveFacts(
  move: AccountMove,
  action: 'move.proposed' | 'move.rejected' | 'move.withdrawn',
  by: Decided,
): readonly AuditFact[] {
  const { id, accountId, toAccountId, name, zones, reason, decision } = move.toState();
  return [accountId, toAccountId].map((account) => ({
    accountId: account,
    at: by.at,
    actor: account === by.accountId ? by.actor : SERVICE,
    action,
    domain: null,
    subject: id,
    before: {},
    after: {
      name,
      zones,
      ...(account === accountId ? { toAccount: toAccountId } : { fromAccount: accountId }),
      reason,
      ...(decision && decision.comment !== null && { comment: decision.comment }),
    },
  }));
}

/** A name that has moved: the account that had it, and the one that has it. */
export function movedFacts(
  { id: moveId, accountId, toAccountId }: AccountMoveState,
  after: DomainState,
  by: Decided,
): readonly AuditFact[] {
  const { at, actor } = by;
  const came = domainChanged({ at, actor, action: 'domain.moved_in', after });
  return [
    {
      accountId,
      at,
      actor: SERVICE,
      action: 'domain.moved_out',
      domain: { id: after.id, name: after.name },
      subject: null,
      before: {},
      after: { move: moveId, toAccount: toAccountId },
    },
    { ...came, after: { ...came.after, move: moveId, fromAccount: accountId } },
  ];
}
