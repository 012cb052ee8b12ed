import type { Actor } from '../../domain/access/actor';
import { difference, type AuditAction, type AuditFact, type AuditFacts } from '../../domain/access/audit-entry';
import type { DomainState } from '../../domain/registration/domain';

interface DomainChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** None for a domain that was not there before. */
  readonly before?: DomainState | undefined;
  readonly after: DomainState;
}

/** Tells of a change to a domain by what differs. */
export function domainChanged({ at, actor, action, before, after }: DomainChange): AuditFact {
  const domain = { id: after.id, name: after.name };
  return {
    at,
    actor,
    action,
    accountId: after.accountId,
    domain,
    subject: null,
    ...difference(before ? factsOf(before) : {}, factsOf(after)),
  };
}

function factsOf({ status, expiresAt, autoRenew, transferLocked, nameservers, registrant }: DomainState): AuditFacts {
  return { status, expiresAt: expiresAt.toISOString(), autoRenew, transferLocked, nameservers, registrant };
}
