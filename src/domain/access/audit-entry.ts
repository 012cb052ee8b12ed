import type { Actor } from './actor';
import type { EventData } from './events/account-event';

/** What happened. Registry commands are recorded when they succeed, with the actor who requested them. */
export type AuditAction =
  | 'account.created'
  | 'account.changed'
  | 'key.created'
  | 'key.revoked'
  | 'user.invited'
  | 'user.link_issued'
  | 'user.link_revoked'
  | 'user.link_used'
  | 'user.joined'
  | 'user.password_set'
  | 'user.removed'
  | 'user.passkey_added'
  | 'user.passkey_removed'
  | 'user.identity_linked'
  | 'user.identity_unlinked'
  | 'user.totp_added'
  | 'user.totp_removed'
  | 'user.recovery_codes_created'
  | 'user.recovery_code_used'
  | 'user.factors_reset'
  | 'user.role_changed'
  | 'domain.requested'
  | 'domain.registered'
  | 'domain.imported'
  | 'domain.refused'
  | 'domain.renewed'
  | 'domain.nameservers_changed'
  | 'domain.registrant_changed'
  | 'domain.registrant_refused'
  | 'domain.auto_renewal_changed'
  | 'domain.keep_zone_changed'
  | 'domain.transfer_lock_changed'
  | 'domain.tags_changed'
  | 'domain.dnssec_changed'
  | 'domain.ds_changed'
  | 'domain.glue_changed'
  | 'domain.cds_refused'
  | 'domain.auth_code_issued'
  | 'domain.auth_code_withdrawn'
  | 'domain.transfer_approved'
  | 'domain.transfer_rejected'
  | 'domain.released'
  | 'domain.restored'
  | 'domain.deleted'
  | 'domain.synchronized'
  | 'domain.registry_message'
  | 'domain.transferred_in'
  | 'domain.moved_in'
  | 'domain.moved_out'
  | 'move.proposed'
  | 'move.rejected'
  | 'move.withdrawn'
  | 'operation.settled'
  | 'transfer.requested'
  | 'transfer.cancellation_requested'
  | 'transfer.ended'
  | 'proposal.created'
  | 'proposal.accepted'
  | 'proposal.rejected'
  | 'proposal.withdrawn'
  | 'proposal.stale'
  | 'proposal.failed'
  | 'proposal.expired'
  | 'bulk.started'
  | 'bulk.retried'
  | 'bulk.finished'
  | 'import.finished'
  | 'records.added'
  | 'records.changed'
  | 'records.removed'
  | 'service.connected'
  | 'service.disconnected'
  | 'template.created'
  | 'template.changed'
  | 'template.removed'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.removed'
  | 'webhook.switched_off'
  | 'webhook.tested'
  | 'webhook.resent'
  | 'trust_rule.created'
  | 'trust_rule.changed'
  | 'trust_rule.removed'
  | 'zone.changed'
  | 'zone.created'
  | 'zone.domain_connect_changed'
  | 'zone.verified'
  | 'zone.deleted'
  | 'zone.withdrawn'
  | 'zone.update_refused';

/** Named values before or after a change; never secrets or auth codes. */
export type AuditFacts = Readonly<Record<string, unknown>>;

/** An event in an account. It repeats the domain's name because it is kept longer than the domain. */
export interface AuditFact {
  readonly accountId: string;
  readonly at: Date;
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly domain: { readonly id: string; readonly name: string } | null;
  /** What was changed if it is not a domain: a key id, a user's e-mail address. */
  readonly subject: string | null;
  readonly before: AuditFacts;
  readonly after: AuditFacts;
  /** For the event feed: what the entry does not say. It is not stored with the entry. */
  readonly eventData?: EventData;
}

/** A stored event. */
export interface AuditEntry extends Omit<AuditFact, 'eventData'> {
  readonly id: string;
  /** The address that requested the change; absent if the change was made later than the request. */
  readonly clientAddress?: string;
}

/** The facts that differ, before and after. */
export function difference(
  before: AuditFacts,
  after: AuditFacts,
): { readonly before: AuditFacts; readonly after: AuditFacts } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (facts: AuditFacts): AuditFacts =>
    Object.fromEntries(names.filter((name) => name in facts).map((name) => [name, facts[name]]));
  return { before: pick(before), after: pick(after) };
}
