import type { VNode } from 'preact';
import type { AuditAction, AuditEntry } from '../../../domain/access/audit-entry';
import { isRole, ROLE_LABELS } from '../../../domain/access/people/role';
import { countDomains } from '../domains/bulk-labels';
import { DomainLink } from '../domains/domain-link';
import { describeChangedRecords, describeRecords, describeSeveralChanges } from './describe-records';
import {
  describeExpiry,
  describeFacts,
  describeNameservers,
  describeRegistrant,
  describeTags,
} from './describe-settings';

/** The change as a sentence without its subject, which is the actor. */
export function describeActivity(entry: AuditEntry): VNode {
  return <>{DESCRIPTIONS[entry.action](entry)}</>;
}

type Describe = (entry: AuditEntry) => VNode | string;

const withDomain =
  (words: string): Describe =>
  (entry) => (
    <>
      {words} <EntryDomain entry={entry} />
    </>
  );

const withSwitch =
  (what: string, fact: string): Describe =>
  (entry) =>
    // What a change leaves as it was is not among its facts.
    fact in entry.after ? (
      <>
        turned {what} {entry.after[fact] === true ? 'on' : 'off'} for <EntryDomain entry={entry} />
      </>
    ) : (
      <>
        left {what} of <EntryDomain entry={entry} /> as it was
      </>
    );

const withRecords =
  (verb: string, preposition: string, describe: (entry: AuditEntry) => string): Describe =>
  (entry) => (
    <>
      {verb} {describe(entry)} {preposition} <EntryDomain entry={entry} />
    </>
  );

/** The sentence and, if the entry has it, what the change led to. */
const withDetail =
  (words: string, preposition: string, describe: (entry: AuditEntry) => string): Describe =>
  (entry) => {
    const detail = describe(entry);
    return (
      <>
        {words} <EntryDomain entry={entry} />
        {detail !== '' && `${preposition}${detail}`}
      </>
    );
  };

const describeMove =
  (verb: string): Describe =>
  ({ after, subject }) => (
    <>
      {verb} of <a href={`/moves/${subject ?? ''}`}>{text(after['name'])}</a>{' '}
      {'fromAccount' in after ? 'to this account' : 'to another account'}
    </>
  );

const describeBulk =
  (verb: string): Describe =>
  ({ after: { kind, domains } }) =>
    `${verb} a bulk change of ${countDomains(Number(domains))}: ${text(kind).replaceAll('_', ' ')}`;

const DESCRIPTIONS: Readonly<Record<AuditAction, Describe>> = {
  'account.created': () => 'created the account',
  'account.changed': describeAccountChange,
  'key.created': ({ after }) => `created the API key “${text(after['name'])}” (${text(after['scope'])})`,
  'key.revoked': ({ before }) => `revoked the API key “${text(before['name'])}”`,
  'user.invited': ({ subject, after }) => `invited ${subject ?? ''} with the role ${roleName(after['role'])}`,
  'user.link_issued': ({ subject }) => `created a set-up link for ${subject ?? ''}`,
  'user.link_revoked': ({ subject }) => `revoked the set-up link for ${subject ?? ''}`,
  'user.link_used': () => 'used a set-up link',
  'user.joined': () => 'joined the account',
  'user.password_set': () => 'set a new password',
  'user.passkey_added': () => 'added a passkey',
  'user.passkey_removed': () => 'removed a passkey',
  'user.identity_linked': () => 'linked a sign-in provider',
  'user.identity_unlinked': () => 'unlinked a sign-in provider',
  'user.totp_added': () => 'added an authenticator app',
  'user.totp_removed': () => 'removed the authenticator app',
  'user.recovery_codes_created': () => 'created new recovery codes',
  'user.recovery_code_used': () => 'used a recovery code',
  'user.factors_reset': ({ subject }) => `removed all second factors of ${subject ?? ''}`,
  'user.removed': ({ subject }) => `removed ${subject ?? ''} from the account`,
  'user.role_changed': ({ subject, after }) => `changed the role of ${subject ?? ''} to ${roleName(after['role'])}`,
  'zone.created': withDomain('began to host the zone of'),
  'zone.verified': withDomain('proved to own the zone of'),
  'zone.deleted': withDomain('deleted the zone of'),
  'zone.withdrawn': withDomain('stopped serving, because another account has registered it, the zone of'),
  'domain.requested': withDomain('ordered'),
  'domain.registered': withDomain('registered'),
  'domain.imported': withDomain('imported'),
  'domain.refused': (entry) => (
    <>
      failed to register <EntryDomain entry={entry} />: the registry refused it
    </>
  ),
  'operation.settled': (entry) => (
    <>
      ended an operation on <EntryDomain entry={entry} /> whose outcome was unknown: it {text(entry.after['state'])}
    </>
  ),
  'domain.renewed': withDetail('renewed', ' until ', describeExpiry),
  'domain.nameservers_changed': withDetail('changed the nameservers of', ' to ', describeNameservers),
  'domain.registrant_changed': withDetail('changed the registrant of', ': ', describeRegistrant),
  'domain.registrant_refused': (entry) => (
    <>
      could not set the registrant of <EntryDomain entry={entry} />: {text(entry.after['reason'])}
    </>
  ),
  'domain.keep_zone_changed': (entry) => (
    <>
      chose to {entry.after['keepZone'] === true ? 'keep' : 'end'} the zone without a registration of{' '}
      <EntryDomain entry={entry} />
    </>
  ),
  'domain.auto_renewal_changed': withSwitch('auto-renewal', 'autoRenew'),
  'domain.transfer_lock_changed': withSwitch('the transfer lock', 'transferLocked'),
  'domain.tags_changed': withDetail('changed the tags of', ': ', describeTags),
  'domain.dnssec_changed': (entry) =>
    'rollover' in entry.after ? (
      <>
        started to roll the DNSSEC key of <EntryDomain entry={entry} />
      </>
    ) : (
      <>
        changed DNSSEC of <EntryDomain entry={entry} />: {text(entry.after['state'])}
      </>
    ),
  'domain.glue_changed': withDomain('sent the registry the nameserver addresses of'),
  'domain.ds_changed': withDomain('set the DS records at the registry of'),
  'domain.cds_refused': (entry) => (
    <>
      refused the DS records that the nameservers of <EntryDomain entry={entry} /> ask for:{' '}
      {text(entry.after['reason'])}
    </>
  ),
  'domain.auth_code_issued': withDomain('issued an auth code for'),
  'domain.auth_code_withdrawn': withDomain('withdrew the expired auth code of'),
  'domain.transfer_approved': withDomain('approved the transfer to another registrar of'),
  'domain.transfer_rejected': withDomain('rejected the transfer to another registrar of'),
  'domain.released': (entry) => (
    <>
      released <EntryDomain entry={entry} /> to the registrar {text(entry.after['registrarTag'])}
    </>
  ),
  'domain.restored': withDomain('restored'),
  'domain.deleted': withDomain('deleted'),
  'domain.synchronized': (entry) => (
    <>
      updated <EntryDomain entry={entry} /> from the registry: {describeFacts(entry) || 'data changed'}
    </>
  ),
  'domain.registry_message': (entry) => <>received a message from the registry: “{text(entry.after['text'])}”</>,
  'domain.transferred_in': (entry) => (
    <>
      transferred <EntryDomain entry={entry} /> here from another registrar
    </>
  ),
  'transfer.requested': ({ subject }) => `ordered the transfer of ${subject ?? ''} from another registrar`,
  'transfer.cancellation_requested': ({ subject }) => `asked to cancel the transfer of ${subject ?? ''}`,
  'transfer.ended': ({ subject, after }) => `recorded the transfer of ${subject ?? ''} as ${text(after['status'])}`,
  'domain.moved_in': withDomain('accepted from another account'),
  'domain.moved_out': ({ domain }) => `moved ${domain?.name ?? ''} to another account, which accepted it`,
  'move.proposed': describeMove('offered a move'),
  'move.rejected': describeMove('rejected the move'),
  'move.withdrawn': describeMove('withdrew the move'),
  'proposal.created': describeProposal('proposed'),
  'proposal.accepted': describeProposal('accepted'),
  'proposal.rejected': describeProposal('rejected'),
  'proposal.withdrawn': describeProposal('withdrew'),
  'proposal.stale': describeProposal('could not accept any more'),
  'proposal.failed': describeProposal('accepted, without success,'),
  'proposal.expired': describeProposal('closed the expired proposal'),
  'bulk.started': describeBulk('started'),
  'bulk.retried': describeBulk('retried'),
  'bulk.finished': ({ after }) =>
    `finished a bulk change: ${text(after['done'])} done, ${text(after['failed'])} failed`,
  'import.finished': ({ after }) =>
    `finished an import from ${text(after['registry'])}: ${text(after['imported'])} imported, ${text(after['failed'])} failed`,
  'records.added': withRecords('added', 'to', ({ after }) => describeRecords(after)),
  'records.changed': withRecords('changed', 'of', describeChangedRecords),
  'records.removed': withRecords('deleted', 'from', ({ before }) => describeRecords(before)),
  'zone.domain_connect_changed': (entry) => (
    <>
      switched Domain Connect {entry.after['domain_connect'] === true ? 'on' : 'off'} for <EntryDomain entry={entry} />
    </>
  ),
  'service.connected': (entry) => (
    <>
      connected {text(entry.after['service'])} of {text(entry.after['provider'])} to <EntryDomain entry={entry} />
    </>
  ),
  'service.disconnected': (entry) => (
    <>
      disconnected {text(entry.before['service'])} of {text(entry.before['provider'])} from{' '}
      <EntryDomain entry={entry} />
    </>
  ),
  'template.created': ({ subject }) => `created the record template “${subject ?? ''}”`,
  'template.changed': ({ subject }) => `changed the record template “${subject ?? ''}”`,
  'template.removed': ({ subject }) => `deleted the record template “${subject ?? ''}”`,
  'trust_rule.created': ({ after }) => `created the trust rule “${text(after['name'])}”`,
  'trust_rule.changed': ({ subject }) => `changed the trust rule ${subject ?? ''}`,
  'trust_rule.removed': ({ before }) => `removed the trust rule “${text(before['name'])}”`,
  'webhook.created': ({ subject }) => `created the webhook to ${subject ?? ''}`,
  'webhook.changed': describeWebhookChange,
  'webhook.removed': ({ subject }) => `removed the webhook to ${subject ?? ''}`,
  'webhook.switched_off': ({ subject, after }) =>
    `switched off the webhook to ${subject ?? ''}, ${after['reason'] === 'gone' ? 'whose receiver answered 410' : 'which has failed for 5 days'}`,
  'webhook.tested': ({ subject }) => `sent a test event to the webhook to ${subject ?? ''}`,
  'webhook.resent': ({ subject }) => `sent an event again to the webhook to ${subject ?? ''}`,
  'zone.changed': withDetail('changed DNS records of', ': ', describeSeveralChanges),
  'zone.update_refused': (entry) => (
    <>
      tried to update <EntryDomain entry={entry} />, which was refused: {text(entry.after['reason'])}
    </>
  ),
};

function describeWebhookChange({ subject, after }: AuditEntry): string {
  const what = `the webhook to ${subject ?? ''}`;
  if (after['status'] === 'paused') return `paused ${what}`;
  if (after['status'] === 'active') return `resumed ${what}`;
  return after['secret'] === 'rotated' ? `rotated the secret of ${what}` : `changed ${what}`;
}

function EntryDomain({ entry: { domain } }: { readonly entry: AuditEntry }) {
  return domain && <DomainLink {...domain} />;
}

function describeAccountChange({ after }: AuditEntry): string {
  const { membersMayTransfer, controlsSandbox, isTrusted } = after;
  const changes = [
    membersMayTransfer === true && 'allowed members to unlock, transfer and delete domains',
    membersMayTransfer === false && 'stopped members from unlocking, transferring and deleting domains',
    controlsSandbox === true && 'gave the account control of the sandbox',
    controlsSandbox === false && 'removed control of the sandbox from the account',
    isTrusted === true && 'trusted the account with zones of any names',
    isTrusted === false && 'no longer trusts the account with zones of any names',
    'approvalRules' in after && 'changed which changes need a second person',
  ];
  return changes.filter((change) => change !== false).join(' and ');
}

/** As the team page names it. */
function roleName(role: unknown): string {
  const name = text(role);
  return isRole(name) ? ROLE_LABELS[name] : name;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function describeProposal(verb: string): Describe {
  return ({ subject, after }) => (
    <>
      {verb} <a href={`/proposals/${subject ?? ''}`}>{`${String(after['method'])} ${String(after['path'])}`}</a>
    </>
  );
}
