import type { AuditEntry } from '../../../domain/access/audit-entry';
import { formatDate } from '../../../domain/shared/time/date-text';

const MAX_HOSTS = 2;

const REGISTRANT_FIELDS: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  email: 'e-mail',
  phone: 'phone',
  phoneExtension: 'phone extension',
  organization: 'organization',
  companyNumber: 'company number',
  legalForm: 'legal form',
  address: 'address',
};

/** Each describes what a change led to; '' if the entry does not have it. */
export function describeNameservers({ after }: AuditEntry): string {
  const hosts = textsOf(after['nameservers']);
  if (hosts.length === 0) return 'nameservers' in after ? 'none' : '';
  const more = hosts.length - MAX_HOSTS;
  return `${hosts.slice(0, MAX_HOSTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function describeExpiry({ after }: AuditEntry): string {
  const { expiresAt } = after;
  return typeof expiresAt === 'string' ? formatDate(new Date(expiresAt)) : '';
}

/** The fields that differ, without their content. */
export function describeRegistrant({ before, after }: AuditEntry): string {
  const [old, current] = [membersOf(before['registrant']), membersOf(after['registrant'])];
  return Object.entries(REGISTRANT_FIELDS)
    .filter(([field]) => JSON.stringify(old[field]) !== JSON.stringify(current[field]))
    .map(([, label]) => label)
    .join(', ');
}

export function describeTags({ before, after }: AuditEntry): string {
  const [old, current] = [textsOf(before['tags']), textsOf(after['tags'])];
  const added = current.filter((tag) => !old.includes(tag));
  const removed = old.filter((tag) => !current.includes(tag));
  return [
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ].join('; ');
}

/** What the registry has changed, with status and switches. */
export function describeFacts(entry: AuditEntry): string {
  const { after } = entry;
  const { status, autoRenew, transferLocked } = after;
  const [expiry, hosts] = [describeExpiry(entry), describeNameservers(entry)];
  return [
    ...(typeof status === 'string' ? [status.replaceAll('_', ' ')] : []),
    ...(expiry === '' ? [] : [`expires on ${expiry}`]),
    ...(typeof transferLocked === 'boolean' ? [`transfer lock ${transferLocked ? 'on' : 'off'}`] : []),
    ...(typeof autoRenew === 'boolean' ? [`auto-renewal ${autoRenew ? 'on' : 'off'}`] : []),
    ...(hosts === '' ? [] : [`nameservers ${hosts}`]),
    ...('registrant' in after ? ['registrant'] : []),
  ].join(', ');
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
