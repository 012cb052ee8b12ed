import type { VNode } from 'preact';
import type { Notification, NotifiedType } from '../../../application/events/read-notifications';
import { formatDate } from '../../../domain/shared/time/date-text';
import { DomainLink } from '../domains/domain-link';

type Describe = (notification: Notification) => VNode | string;

const ofDomain =
  (before: string, after: string, page?: string): Describe =>
  ({ domain }) => (
    <>
      {before}
      {domain && <DomainLink {...domain} page={page ?? ''} />}
      {after}
    </>
  );

const withReason =
  (before: string, after: string): Describe =>
  ({ domain, data }) => (
    <>
      {before}
      {domain && <DomainLink {...domain} />}
      {after}
      {reasonOf(data)}
    </>
  );

const ofTransfer =
  (what: string): Describe =>
  ({ domain, data }) =>
    `The transfer of ${domain?.name ?? text(data['name'])} here ${what}${reasonOf(data)}`;

const ofProposal =
  (what: string): Describe =>
  ({ data }) => (
    <>
      <a href={`/proposals/${text(data['proposal_id'])}`}>{what}</a>: {text(data['reason'])}
    </>
  );

const DESCRIPTIONS: Readonly<Record<NotifiedType, Describe>> = {
  'dnssec.cds_refused': withReason('DS records that the nameservers of ', ' ask for were not set'),
  'domain.auth_code_issued': ofDomain('An auth code was issued for ', ''),
  'domain.deleted': ofDomain('', ' was deleted'),
  'domain.expired': ofDomain('', ' has expired'),
  'domain.expiring': ({ domain, data }) => (
    <>
      {domain && <DomainLink {...domain} />} expires {expiryOf(data)}
      {data['auto_renew'] === true ? ' and will be renewed' : ': auto-renewal is off'}
    </>
  ),
  'domain.moved_in': ofDomain('', ' has moved here from another account'),
  'domain.moved_out': ({ domain }) => `${domain?.name ?? ''} has moved to another account`,
  'domain.redemption': ofDomain('', ' is in redemption: it can be restored'),
  'domain.registered': ofDomain('', ' was registered'),
  'domain.registrant_refused': withReason('The registry refused the registrant of ', ''),
  'domain.registration_refused': withReason('The registration of ', ' was refused'),
  'domain.renewal_failed': withReason('The renewal of ', ' failed'),
  'domain.renewed': ofDomain('', ' was renewed'),
  'domain.restored': ofDomain('', ' was restored'),
  'domain.transfer_out_completed': ofDomain('', ' was transferred to another registrar'),
  'domain.transfer_out_rejected': ofDomain('The transfer of ', ' to another registrar was rejected'),
  'domain.transfer_out_requested': ofDomain('Another registrar has requested the transfer of ', ''),
  'health.changed': ({ domain, data }) => (
    <>
      The health checks of {domain && <DomainLink {...domain} page="/health" />}:{' '}
      {text(data['after']).replaceAll('_', ' ')}
    </>
  ),
  'key.created': ({ data }) => `The API key “${text(data['name'])}” was created`,
  'key.revoked': ({ data }) => `The API key “${text(data['name'])}” was revoked`,
  'move.proposed': ({ data }) => (
    <a href={`/moves/${text(data['move_id'])}`}>
      {'from_account_id' in data ? 'Another account offers you' : 'You offer another account'} {text(data['name'])}
    </a>
  ),
  'move.rejected': ({ data }) => `The move of ${text(data['name'])} to another account was rejected`,
  'operation.uncertain': ofDomain('The outcome of an operation on ', ' is not known yet', '/operations'),
  'person.joined': () => 'A person joined the account',
  'person.removed': () => 'A person was removed from the account',
  'proposal.accepted': ofProposal('Your proposal was accepted'),
  'proposal.created': ofProposal('A proposal waits for your decision'),
  'proposal.expired': ofProposal('Your proposal has expired'),
  'proposal.failed': ofProposal('Your proposal was accepted, and then refused'),
  'proposal.rejected': ofProposal('Your proposal was rejected'),
  'proposal.stale': ofProposal('Your proposal is stale'),
  'transfer.cancelled': ofTransfer('was cancelled'),
  'transfer.completed': ofTransfer('was completed'),
  'transfer.expired': ofTransfer('has expired'),
  'transfer.rejected': ofTransfer('was rejected'),
  'webhook.switched_off': () => 'A webhook was switched off, because its receiver kept failing',
  'zone.verified': ofDomain('', ' was proved to be yours: its zone is served'),
  'zone.withdrawn': ofDomain('The zone of ', ' is no longer served: another account has registered the name'),
};

export function describeNotification(notification: Notification): VNode {
  return <>{DESCRIPTIONS[notification.type](notification)}</>;
}

function expiryOf({ expires_at: at }: Notification['data']): string {
  return typeof at === 'string' ? `on ${formatDate(new Date(at))}` : 'soon';
}

/** `: why`, if the event says so. */
function reasonOf({ reason, error }: Notification['data']): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : reason;
  return typeof message === 'string' ? `: ${message}` : '';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
