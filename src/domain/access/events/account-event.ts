import type { Actor } from '../actor';

/** What programs hear of in the feeds of accounts. A type is added, never renamed; docs/openapi.yaml has the data of each under `webhooks`. */
export const EVENT_TYPES = [
  'account.created',
  'account.changed',
  'bulk.started',
  'bulk.retried',
  'bulk.finished',
  'dnssec.cds_refused',
  'dnssec.changed',
  'dnssec.ds_changed',
  'dnssec.progressed',
  'domain.auth_code_issued',
  'domain.auth_code_withdrawn',
  'domain.changed',
  'domain.deleted',
  'domain.drifted',
  'domain.expired',
  'domain.expiring',
  'domain.imported',
  'domain.moved_in',
  'domain.moved_out',
  'domain.redemption',
  'domain.registered',
  'domain.registrant_refused',
  'domain.registration_refused',
  'domain.renewal_failed',
  'domain.renewed',
  'domain.requested',
  'domain.restored',
  'domain.transfer_out_completed',
  'domain.transfer_out_rejected',
  'domain.transfer_out_requested',
  'health.changed',
  'import.finished',
  'key.created',
  'key.revoked',
  'move.proposed',
  'move.rejected',
  'move.withdrawn',
  'operation.failed',
  'operation.succeeded',
  'operation.uncertain',
  'person.changed',
  'person.invited',
  'person.joined',
  'person.removed',
  'proposal.accepted',
  'proposal.created',
  'proposal.expired',
  'proposal.failed',
  'proposal.rejected',
  'proposal.stale',
  'proposal.withdrawn',
  'records.changed',
  'service.connected',
  'service.disconnected',
  'template.changed',
  'template.created',
  'template.removed',
  'transfer.approved',
  'transfer.cancel_refused',
  'transfer.cancel_requested',
  'transfer.cancelled',
  'transfer.completed',
  'transfer.expired',
  'transfer.pending',
  'transfer.rejected',
  'transfer.requested',
  'trust_rule.changed',
  'trust_rule.created',
  'trust_rule.removed',
  'webhook.changed',
  'webhook.created',
  'webhook.removed',
  'webhook.switched_off',
  'webhook.test',
  'zone.created',
  'zone.domain_connect_changed',
  'zone.drifted',
  'zone.published',
  'zone.verified',
  'zone.deleted',
  'zone.withdrawn',
  'zone.update_refused',
] as const;
/** In the operator's feed only. */
export const OPERATOR_EVENT_TYPES = ['registry.difference', 'registry.low_balance'] as const;
export type EventType = (typeof EVENT_TYPES)[number] | (typeof OPERATOR_EVENT_TYPES)[number];

/** In place of an account's id: the feed of what concerns no account, which only the operator reads. */
export const OPERATOR_FEED = 'operator';

/** As programs get it, in the names of the API; never secrets, auth codes, contacts or e-mail addresses. */
export type EventData = Readonly<Record<string, unknown>>;

/** Something that happened in an account. */
export interface EventFact {
  readonly accountId: string;
  readonly at: Date;
  readonly actor: Actor;
  readonly type: EventType;
  readonly domain: { readonly id: string; readonly name: string } | null;
  readonly data: EventData;
}

/** A stored event. */
export interface AccountEvent extends EventFact {
  /** 1 for the account's first event, then without a gap, in commit order. */
  readonly position: number;
}
