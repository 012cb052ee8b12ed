import type { Actor } from '../../domain/access/actor';
import { difference, type AuditAction, type AuditFact, type AuditFacts } from '../../domain/access/audit-entry';
import type { DomainState } from '../../domain/registration/domain';

interface DomainChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** Absent for a new domain. */
  readonly before?: DomainState | undefined;
  readonly after: DomainState;
}

/** Records the values that differ. */
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

function factsOf({ status, expiresAt, autoRenew, registrarRenews, ...others }: DomainState): AuditFacts {
  const { transferLocked, nameservers, registrant, tags } = others;
  return {
    status,
    expiresAt: expiresAt.toISOString(),
    autoRenew,
    ...(registrarRenews && { registrarRenews }),
    transferLocked,
    nameservers,
    registrant,
    ...(tags.length > 0 && { tags }),
  };
}
