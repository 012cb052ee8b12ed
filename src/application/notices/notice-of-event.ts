import { OPERATOR_FEED, type EventFact, type EventType } from '../../domain/access/events/account-event';
import { formatDay } from '../../domain/shared/time/calendar';
import type { MailData, MailKind, MailNotice } from '../../domain/access/notices/notice';

/** Days before its expiry at which people hear of a domain; events come at others, too. */
const EXPIRY_MAIL_DAYS: readonly unknown[] = [30, 7];

const KINDS: Readonly<Partial<Record<EventType, MailKind>>> = {
  'domain.expiring': 'expiry',
  'domain.renewal_failed': 'renewal_failed',
  'domain.registration_refused': 'registration_refused',
  'domain.transfer_out_requested': 'transfer_out',
  'transfer.completed': 'transfer_in',
  'transfer.rejected': 'transfer_in',
  'transfer.expired': 'transfer_in',
  'move.proposed': 'move_offered',
  'webhook.switched_off': 'webhook_off',
  'proposal.created': 'proposal_waiting',
  'proposal.accepted': 'proposal_ended',
  'proposal.rejected': 'proposal_ended',
  'proposal.stale': 'proposal_ended',
  'proposal.failed': 'proposal_ended',
  'proposal.expired': 'proposal_ended',
  'registry.low_balance': 'low_balance',
};

/** What people are told of an event, if anything. @param id of this writing of the event */
export function noticeOfEvent(fact: EventFact, id: string): MailNotice | undefined {
  const { type, accountId, at, domain, data } = fact;
  const kind = KINDS[type];
  if (!kind || !isTold(kind, data)) return undefined;
  return {
    kind,
    cause: expiryCause(fact) ?? `${type}/${id}`,
    at,
    accountId: accountId === OPERATOR_FEED ? null : accountId,
    domain,
    data: { type, ...data },
  };
}

function isTold(kind: MailKind, data: MailData): boolean {
  if (kind === 'expiry') return EXPIRY_MAIL_DAYS.includes(data['days']);
  // The event of the account that offers it has `to_account_id`.
  return kind !== 'move_offered' || data['from_account_id'] !== undefined;
}

/** By term: an event that is written again, after a clock was set back, is the same notice. */
function expiryCause({ type, domain, data }: EventFact): string | undefined {
  if (type !== 'domain.expiring' || !domain) return undefined;
  return causeOfExpiry(domain.id, new Date(String(data['expires_at'])), Number(data['days']));
}

/** @param days before the expiry; negative after it */
export function causeOfExpiry(domainId: string, expiresAt: Date, days: number): string {
  return `expiry/${domainId}/${formatDay(expiresAt)}/${days}`;
}
