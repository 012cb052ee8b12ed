import type { AuditAction, AuditFact, AuditFacts } from '../../domain/access/audit-entry';
import type { EventData, EventFact, EventType } from '../../domain/access/events/account-event';
import type { DomainStatus } from '../../domain/registration/domain-status';
import { majorUnits, type Money } from '../../domain/shared/money';

interface Described {
  readonly type: EventType;
  readonly data: EventData;
}
type Describe = (fact: AuditFact) => Described | undefined;

/** What each audit entry is in the feed: one description of a change, two readers. A new action does not compile without its event. */
const DESCRIPTIONS: Readonly<Record<AuditAction, Describe>> = {
  'account.created': ({ after }) => ({ type: 'account.created', data: { name: after['name'] } }),
  'account.changed': (fact) => ({ type: 'account.changed', data: changesOf(fact) }),
  'proposal.created': ofProposal('proposal.created'),
  'proposal.accepted': ofProposal('proposal.accepted'),
  'proposal.rejected': ofProposal('proposal.rejected'),
  'proposal.withdrawn': ofProposal('proposal.withdrawn'),
  'proposal.stale': ofProposal('proposal.stale'),
  'proposal.failed': ofProposal('proposal.failed'),
  'proposal.expired': ofProposal('proposal.expired'),
  'bulk.started': (fact) => ({ type: 'bulk.started', data: { bulk_id: fact.subject, ...fact.after } }),
  'bulk.retried': (fact) => ({ type: 'bulk.retried', data: { bulk_id: fact.subject, ...fact.after } }),
  'bulk.finished': (fact) => ({ type: 'bulk.finished', data: { bulk_id: fact.subject, ...fact.after } }),
  'import.finished': (fact) => ({ type: 'import.finished', data: { import_id: fact.subject, ...fact.after } }),
  'key.created': (fact) => ({ type: 'key.created', data: keyData(fact, fact.after) }),
  'key.revoked': (fact) => ({ type: 'key.revoked', data: keyData(fact, fact.before) }),
  'user.invited': person('person.invited'),
  'user.joined': person('person.joined'),
  'user.removed': person('person.removed'),
  'user.link_issued': personChange('link_issued'),
  'user.link_revoked': personChange('link_revoked'),
  'user.link_used': personChange('link_used'),
  'user.password_set': personChange('password_set'),
  'user.passkey_added': personChange('passkey_added'),
  'user.passkey_removed': personChange('passkey_removed'),
  'user.identity_linked': personChange('identity_linked'),
  'user.identity_unlinked': personChange('identity_unlinked'),
  'user.totp_added': personChange('totp_added'),
  'user.totp_removed': personChange('totp_removed'),
  'user.recovery_codes_created': personChange('recovery_codes_created'),
  'user.recovery_code_used': personChange('recovery_code_used'),
  'user.factors_reset': personChange('factors_reset'),
  'user.role_changed': personChange('role_changed'),
  'domain.requested': ofDomain('domain.requested'),
  'domain.registered': ofDomain('domain.registered'),
  'domain.imported': ofDomain('domain.imported'),
  'domain.refused': ofDomain('domain.registration_refused'),
  'domain.renewed': ofDomain('domain.renewed'),
  'domain.nameservers_changed': byStatus('domain.changed'),
  'domain.registrant_changed': byStatus('domain.changed'),
  'domain.registrant_refused': ({ after }) => ({
    type: 'domain.registrant_refused',
    data: { reason: after['reason'] },
  }),
  'domain.auto_renewal_changed': byStatus('domain.changed'),
  'domain.keep_zone_changed': byStatus('domain.changed'),
  'domain.transfer_lock_changed': byStatus('domain.changed'),
  'domain.tags_changed': byStatus('domain.changed'),
  'domain.glue_changed': (fact) => ({
    type: 'domain.changed',
    data: { ...changesOf(fact), changed: [...new Set([...changesOf(fact).changed, 'glue'])] },
  }),
  'domain.dnssec_changed': ({ before, after }) => ({
    type: 'dnssec.changed',
    // A key is rolled in an active zone.
    data:
      'rollover' in after
        ? { before: 'active', after: 'active', ...after }
        : { before: before['state'], after: after['state'] },
  }),
  'domain.ds_changed': ofDomain('dnssec.ds_changed'),
  'domain.cds_refused': ({ after }) => ({ type: 'dnssec.cds_refused', data: { reason: after['reason'] } }),
  'domain.auth_code_issued': ofDomain('domain.auth_code_issued'),
  'domain.auth_code_withdrawn': ofDomain('domain.auth_code_withdrawn'),
  'domain.transfer_approved': byStatus('domain.changed'),
  'domain.transfer_rejected': ofDomain('domain.transfer_out_rejected'),
  'domain.released': byStatus('domain.changed'),
  'domain.restored': ofDomain('domain.restored'),
  'domain.deleted': byStatus('domain.deleted'),
  'domain.synchronized': byStatus('domain.changed'),
  // The check of the domain that follows describes what it finds.
  'domain.registry_message': () => undefined,
  'domain.transferred_in': ofDomain('transfer.completed'),
  'domain.moved_in': ofDomain('domain.moved_in'),
  'domain.moved_out': ofDomain('domain.moved_out'),
  'move.proposed': ofMove('move.proposed'),
  'move.rejected': ofMove('move.rejected'),
  'move.withdrawn': ofMove('move.withdrawn'),
  // The operation's own event says it.
  'operation.settled': () => undefined,
  'transfer.requested': ofTransfer('transfer.requested'),
  'transfer.cancellation_requested': ofTransfer('transfer.cancel_requested'),
  'transfer.ended': (fact) => ofTransfer(TRANSFER_ENDS[String(fact.after['status'])] ?? 'transfer.rejected')(fact),
  'records.added': recordsChanged,
  'records.changed': recordsChanged,
  'records.removed': recordsChanged,
  'zone.changed': recordsChanged,
  'zone.created': ofZone('zone.created'),
  'zone.domain_connect_changed': ({ after }) => ({ type: 'zone.domain_connect_changed', data: { ...after } }),
  'zone.verified': ofZone('zone.verified'),
  'zone.deleted': ofZone('zone.deleted'),
  'zone.withdrawn': ofZone('zone.withdrawn'),
  'zone.update_refused': ({ after }) => ({ type: 'zone.update_refused', data: { ...after } }),
  'webhook.created': webhook('webhook.created'),
  'webhook.changed': webhook('webhook.changed'),
  'webhook.removed': webhook('webhook.removed'),
  'webhook.switched_off': ({ subject, after }) => ({
    type: 'webhook.switched_off',
    data: { host: subject, reason: after['reason'] },
  }),
  'webhook.tested': ({ subject }) => ({ type: 'webhook.test', data: { host: subject } }),
  // It sends an event that the feed has.
  'webhook.resent': () => undefined,
  'trust_rule.created': trustRule('trust_rule.created'),
  'trust_rule.changed': trustRule('trust_rule.changed'),
  'trust_rule.removed': trustRule('trust_rule.removed'),
  'service.connected': service('service.connected'),
  'service.disconnected': service('service.disconnected'),
  'template.created': template('template.created'),
  'template.changed': template('template.changed'),
  'template.removed': template('template.removed'),
};

const TRANSFER_ENDS: Readonly<Record<string, EventType>> = {
  rejected: 'transfer.rejected',
  cancelled: 'transfer.cancelled',
  expired: 'transfer.expired',
};

/** The event of a domain that has come into another status, however it came there. */
const ARRIVALS: Readonly<Record<string, EventType>> = {
  expired: 'domain.expired',
  redemption: 'domain.redemption',
  transferred_out: 'domain.transfer_out_completed',
  gone: 'domain.deleted',
};

/** Members of a domain as the API names them. Contacts are named, and never shown. */
const MEMBERS: Readonly<Record<string, string>> = {
  expiresAt: 'expires_at',
  autoRenew: 'auto_renew',
  registrarRenews: 'registrar_renews',
  transferLocked: 'transfer_locked',
  registrarTag: 'registrar_tag',
  keepZone: 'keep_zone',
  registrant: 'contacts',
  move: 'move_id',
  fromAccount: 'from_account_id',
  toAccount: 'to_account_id',
  membersMayTransfer: 'members_may_transfer',
  controlsSandbox: 'controls_sandbox',
};
const CONTACTS = 'contacts';

/** Undefined if the feed does not have it. */
export function eventOfFact(fact: AuditFact): EventFact | undefined {
  const described = DESCRIPTIONS[fact.action](fact);
  if (!described) return undefined;
  const { accountId, at, actor, domain, eventData } = fact;
  return { accountId, at, actor, domain, type: described.type, data: { ...described.data, ...eventData } };
}

function ofDomain(type: EventType): Describe {
  return (fact) => ({ type, data: changesOf(fact) });
}

/** A zone that is served is `active` in the API. */
function ofZone(type: EventType): Describe {
  return ({ before, after }) => ({ type, data: changesOf({ before: ofZoneInApi(before), after: ofZoneInApi(after) }) });
}

function ofZoneInApi(facts: AuditFacts): AuditFacts {
  return facts['status'] === 'hosted' ? { ...facts, status: 'active' } : facts;
}

function byStatus(otherwise: EventType): Describe {
  return (fact) => {
    const { before } = fact;
    const after = fact.after['status'] === 'hosted' ? { ...fact.after, status: endOf(fact) } : fact.after;
    const type = ARRIVALS[String(after['status'])] ?? returnOf(before, after) ?? otherwise;
    return { type, data: changesOf({ before, after }) };
  };
}

/** How a domain ended whose zone stays here: `hosted` is no status of a domain. */
function endOf({ action, before }: AuditFact): DomainStatus {
  const isDeleted = action === 'domain.deleted' || ['redemption', 'pending_delete'].includes(String(before['status']));
  return isDeleted ? 'gone' : 'transferred_out';
}

/** What made a domain active, or its expiry later. */
function returnOf(before: AuditFacts, after: AuditFacts): EventType | undefined {
  if (after['status'] === 'active' && before['status'] === 'pending') return 'domain.registered';
  if (after['status'] === 'active' && before['status'] !== 'expired') return 'domain.restored';
  const [from, to] = [before['expiresAt'], after['expiresAt']];
  return typeof from === 'string' && typeof to === 'string' && to > from ? 'domain.renewed' : undefined;
}

function changesOf({ before, after }: Pick<AuditFact, 'before' | 'after'>) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return { changed: names.map(memberName), before: shown(before), after: shown(after) };
}

function memberName(name: string): string {
  return MEMBERS[name] ?? name;
}

function shown(facts: AuditFacts): EventData {
  const members = Object.entries(facts).map(([name, value]): [string, unknown] => [
    memberName(name),
    isMoney(value) ? { amount: majorUnits(value), currency: value.currency } : value,
  ]);
  return Object.fromEntries(members.filter(([name]) => name !== CONTACTS));
}

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value;
}

function keyData({ subject }: AuditFact, { name, scope, expiresAt = null, trustRule: rule }: AuditFacts): EventData {
  return { key_id: subject, name, scope, expires_at: expiresAt, ...(rule !== undefined && { trust_rule_id: rule }) };
}

function person(type: EventType): Describe {
  return () => ({ type, data: {} });
}

function personChange(change: string): Describe {
  return ({ before, after }) => ({ type: 'person.changed', data: { change, before, after } });
}

function ofTransfer(type: EventType): Describe {
  return ({ subject, after }) => ({
    type,
    data: { name: subject, ...('reason' in after && { reason: after['reason'] }) },
  });
}

function recordsChanged(): Described {
  return { type: 'records.changed', data: {} };
}

function template(type: EventType): Describe {
  return (fact) => ({ type, data: { name: fact.subject, changed: changesOf(fact).changed } });
}

function trustRule(type: EventType): Describe {
  return (fact) => ({ type, data: { trust_rule_id: fact.subject, changed: changesOf(fact).changed } });
}

function service(type: EventType): Describe {
  return ({ before, after }) => ({ type, data: { ...before, ...after } });
}

function webhook(type: EventType): Describe {
  return (fact) => ({ type, data: { host: fact.subject, changed: changesOf(fact).changed } });
}

function ofMove(type: EventType): Describe {
  return ({ subject, after }) => ({ type, data: { move_id: subject, ...shown(after) } });
}

function ofProposal(type: EventType): Describe {
  return ({ subject, after }) => ({ type, data: { proposal_id: subject, ...after } });
}
