import type { VNode } from 'preact';
import type { AuditAction, AuditEntry } from '../../../domain/access/audit-entry';
import { countDomains } from '../domains/bulk-labels';
import { DomainLink } from '../domains/domain-link';

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
  (verb: string, preposition: string): Describe =>
  (entry) => (
    <>
      {verb} {countRecords(entry)} {preposition} <EntryDomain entry={entry} />
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
  'user.invited': ({ subject, after }) => `invited ${subject ?? ''} as ${text(after['role'])}`,
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
  'user.role_changed': ({ subject, after }) => `changed the role of ${subject ?? ''} to ${text(after['role'])}`,
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
  'domain.renewed': withDomain('renewed'),
  'domain.nameservers_changed': withDomain('changed the nameservers of'),
  'domain.registrant_changed': withDomain('changed the registrant of'),
  'domain.registrant_refused': (entry) => (
    <>
      could not set the registrant of <EntryDomain entry={entry} />: {text(entry.after['reason'])}
    </>
  ),
  'domain.auto_renewal_changed': withSwitch('auto-renewal', 'autoRenew'),
  'domain.transfer_lock_changed': withSwitch('the transfer lock', 'transferLocked'),
  'domain.tags_changed': withDomain('changed the tags of'),
  'domain.dnssec_changed': (entry) => (
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
      updated <EntryDomain entry={entry} /> from the registry: {text(entry.after['status']) || 'data changed'}
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
  'bulk.started': describeBulk('started'),
  'bulk.retried': describeBulk('retried'),
  'records.added': withRecords('added', 'to'),
  'records.changed': withRecords('changed', 'of'),
  'records.removed': withRecords('removed', 'from'),
  'template.created': ({ subject }) => `created the record template “${subject ?? ''}”`,
  'template.changed': ({ subject }) => `changed the record template “${subject ?? ''}”`,
  'template.removed': ({ subject }) => `deleted the record template “${subject ?? ''}”`,
  'zone.changed': withDomain('changed DNS records of'),
  'zone.update_refused': (entry) => (
    <>
      tried to update <EntryDomain entry={entry} />, which was refused: {text(entry.after['reason'])}
    </>
  ),
};

function EntryDomain({ entry: { domain } }: { readonly entry: AuditEntry }) {
  return domain && <DomainLink {...domain} />;
}

function countRecords({ before, after }: AuditEntry): string {
  const values = Array.isArray(after['records']) ? after : before;
  const lines = Array.isArray(values['records']) ? values['records'].length : 0;
  const count = lines + (typeof values['more'] === 'number' ? values['more'] : 0);
  return count === 1 ? 'a record' : `${count} records`;
}

function describeAccountChange({ after: { membersMayTransfer, controlsSandbox } }: AuditEntry): string {
  const changes = [
    membersMayTransfer === true && 'allowed members to unlock, transfer and delete domains',
    membersMayTransfer === false && 'stopped members from unlocking, transferring and deleting domains',
    controlsSandbox === true && 'gave the account control of the sandbox',
    controlsSandbox === false && 'removed control of the sandbox from the account',
  ];
  return changes.filter((change) => change !== false).join(' and ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
