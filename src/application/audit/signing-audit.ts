import { SERVICE, type Actor } from '../../domain/access/actor';
import type { AuditFact } from '../../domain/access/audit-entry';
import type { EventFact } from '../../domain/access/events/account-event';
import type { SigningState, SigningWait } from '../../domain/dns/dnssec/signing-step';
import type { ZoneSigning } from '../../domain/dns/dnssec/zone-signing';
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

/** What a zone waits for has changed within its DNSSEC state: of no audit entry, because the account did nothing. */
export function signingProgressed(
  domain: Domain,
  before: SigningWait,
  signing: ZoneSigning,
  at: Date,
): readonly EventFact[] {
  const { waitsFor, shownState: state, isRollingOver: rollover } = signing;
  if (waitsFor === before) return [];
  const { id, accountId, name } = domain.toState();
  const data = { state, waits_for: waitsFor, rollover, until: signing.toState().until };
  return [{ accountId, at, actor: SERVICE, type: 'dnssec.progressed', domain: { id, name }, data }];
}

/** The audit entry of a key rollover that someone starts: the state stays `active`. */
export function rolloverStarted(domain: Domain, actor: Actor, at: Date): AuditFact {
  const { id, accountId, name } = domain.toState();
  return {
    accountId,
    at,
    actor,
    action: 'domain.dnssec_changed',
    domain: { id, name },
    subject: null,
    before: { rollover: 'none' },
    after: { rollover: 'started' },
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
