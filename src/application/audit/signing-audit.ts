import { SERVICE, type Actor } from '../../domain/access/actor';
import type { AuditFact } from '../../domain/access/audit-entry';
import type { SigningState } from '../../domain/dns/dnssec/signing-step';
import type { Domain } from '../../domain/registration/domain';

/** The audit entry of a change of a zone's DNSSEC state. */
export function signingChanged({
  at,
  actor,
  domain,
  before,
  after,
}: {
  readonly at: Date;
  readonly actor: Actor;
  readonly domain: Domain;
  readonly before: SigningState;
  readonly after: SigningState;
}): AuditFact {
  const { id, accountId, name } = domain.toState();
  return {
    accountId,
    at,
    actor,
    action: 'domain.dnssec_changed',
    domain: { id, name },
    subject: null,
    before: { state: before },
    after: { state: after },
  };
}

/** The audit entry of DS records that the zone of a domain asks for and that are not set. */
export function cdsRefused(domain: Domain, reason: string, at: Date): AuditFact {
  const { id, accountId, name } = domain.toState();
  return {
    accountId,
    at,
    actor: SERVICE,
    action: 'domain.cds_refused',
    domain: { id, name },
    subject: null,
    before: {},
    after: { reason },
  };
}
