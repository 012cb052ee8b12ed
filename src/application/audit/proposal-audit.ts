import { actorText, type Actor } from '../../domain/access/actor';
import type { AuditAction, AuditFact } from '../../domain/access/audit-entry';
import type { Proposal } from '../../domain/access/proposals/proposal';

/** Without the body of the write, which may hold an auth code or contacts. */
export function proposalFact(
  proposal: Proposal,
  action: Extract<AuditAction, `proposal.${string}`>,
  actor: Actor,
  at: Date,
): AuditFact {
  const { id, accountId, proposer, write, reason, decision, error } = proposal.toState();
  return {
    accountId,
    at,
    actor,
    action,
    domain: null,
    subject: id,
    before: {},
    after: {
      method: write.method,
      path: write.path,
      reason,
      proposed_by: actorText(proposer),
      ...(decision && decision.comment !== null && { comment: decision.comment }),
      ...(error && { error: error.code }),
    },
  };
}
