import type { VNode } from 'preact';
import type { AuditAction, AuditEntry } from '../../../domain/access/audit-entry';
import { DomainLink } from '../domains/domain-link';

/** What was done, as the end of a sentence that begins with who did it. */
export function deedOf(entry: AuditEntry): VNode {
  return <>{DEEDS[entry.action](entry)}</>;
}

type Deed = (entry: AuditEntry) => VNode | string;

const on =
  (words: string): Deed =>
  (entry) => (
    <>
      {words} <EntryDomain entry={entry} />
    </>
  );

const switched =
  (what: string, fact: string): Deed =>
  (entry) => (
    <>
      switched {what} {entry.after[fact] === true ? 'on' : 'off'} for <EntryDomain entry={entry} />
    </>
  );

const records =
  (verb: string, preposition: string): Deed =>
  (entry) => (
    <>
      {verb} {recordsInWords(entry)} {preposition} <EntryDomain entry={entry} />
    </>
  );

const DEEDS: Readonly<Record<AuditAction, Deed>> = {
  'account.created': () => 'opened the account',
  'account.changed': accountChange,
  'key.created': ({ after }) => `created the key “${text(after['name'])}” (${text(after['scope'])})`,
  'key.revoked': ({ before }) => `revoked the key “${text(before['name'])}”`,
  'user.invited': ({ subject, after }) => `invited ${subject ?? ''} as ${text(after['role'])}`,
  'user.link_issued': ({ subject }) => `made a new set-up link for ${subject ?? ''}`,
  'user.link_revoked': ({ subject }) => `revoked the set-up link for ${subject ?? ''}`,
  'user.link_used': () => 'used a set-up link',
  'user.password_set': () => 'set a new password',
  'user.removed': ({ subject }) => `removed ${subject ?? ''} from the account`,
  'user.role_changed': ({ subject, after }) => `changed the role of ${subject ?? ''} to ${text(after['role'])}`,
  'domain.requested': on('asked for the registration of'),
  'domain.registered': on('registered'),
  'domain.refused': (entry) => (
    <>
      could not have <EntryDomain entry={entry} />: the registry refused it
    </>
  ),
  'domain.renewed': on('renewed'),
  'domain.nameservers_changed': on('changed the nameservers of'),
  'domain.registrant_changed': on('changed the registrant of'),
  'domain.auto_renewal_changed': switched('auto-renewal', 'autoRenew'),
  'domain.transfer_lock_changed': switched('the transfer lock', 'transferLocked'),
  'domain.auth_code_issued': on('had an auth code issued for'),
  'domain.auth_code_withdrawn': on('withdrew the auth code, whose time was over, of'),
  'domain.restored': on('restored'),
  'domain.deleted': on('deleted'),
  'domain.synchronized': (entry) => (
    <>
      followed the registry with <EntryDomain entry={entry} />:{' '}
      {text(entry.after['status']) || 'its facts have changed'}
    </>
  ),
  'domain.registry_message': (entry) => <>heard from the registry: “{text(entry.after['text'])}”</>,
  'records.added': records('added', 'to'),
  'records.changed': records('changed', 'of'),
  'records.removed': records('removed', 'from'),
  'zone.changed': on('changed DNS records of'),
};

function EntryDomain({ entry: { domain } }: { readonly entry: AuditEntry }) {
  return domain && <DomainLink {...domain} />;
}

function recordsInWords({ before, after }: AuditEntry): string {
  const facts = Array.isArray(after['records']) ? after : before;
  const lines = Array.isArray(facts['records']) ? facts['records'].length : 0;
  const count = lines + (typeof facts['more'] === 'number' ? facts['more'] : 0);
  return count === 1 ? 'a record' : `${count} records`;
}

function accountChange({ after: { membersMayTransfer, controlsSandbox } }: AuditEntry): string {
  const changes = [
    membersMayTransfer === true && 'allowed members to unlock, transfer and delete domains',
    membersMayTransfer === false && 'reserved unlocking, transfer and deletion of domains to owners',
    controlsSandbox === true && 'gave the account control of the sandbox',
    controlsSandbox === false && 'took control of the sandbox from the account',
  ];
  return changes.filter((change) => change !== false).join(' and ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
