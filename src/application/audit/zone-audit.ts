import type { Requester } from '../../domain/access/actor';
import type { AuditAction, AuditFact } from '../../domain/access/audit-entry';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import type { ServiceError } from '../../domain/shared/service-error';
import type { ZoneChange } from '../../domain/dns/zone-change';

/** Limit of records in one entry; the zone history has all of them. */
const RECORDS_TOLD = 20;
const MAX_LINE_LENGTH = 300;
const MAX_COMMENT_LENGTH = 100;

interface WrittenZone {
  readonly at: Date;
  readonly requester: Requester;
  readonly domain: { readonly id: string; readonly name: string };
  readonly change: ZoneChange;
}

/** Records removed and added records as zone file lines. */
export function zoneChanged({ at, requester: { accountId, actor }, domain, change }: WrittenZone): AuditFact {
  const gone = [...change.removed, ...change.changed.map(({ before }) => before)];
  const come = [...change.added, ...change.changed.map(({ after }) => after)];
  return {
    at,
    accountId,
    actor,
    action: actionOf(change),
    domain,
    subject: null,
    before: linesOf(gone),
    after: linesOf(come),
  };
}

/** A dynamic update that a rule or a limit of the key refused. */
export function updateRefused({
  at,
  requester: { accountId, actor },
  domain,
  error: { code, details, message },
}: Omit<WrittenZone, 'change'> & { readonly error: ServiceError }): AuditFact {
  const reason = (details ?? message).slice(0, MAX_LINE_LENGTH);
  return {
    at,
    accountId,
    actor,
    action: 'zone.update_refused',
    domain,
    subject: null,
    before: {},
    after: { code, reason },
  };
}

function actionOf({ added, changed, removed }: ZoneChange): AuditAction {
  if (changed.length + removed.length === 0) return 'records.added';
  if (added.length + removed.length === 0) return 'records.changed';
  if (added.length + changed.length === 0) return 'records.removed';
  return 'zone.changed';
}

function lineOf(record: DnsRecord): string {
  const { comment, managedBy } = record.toState();
  const line = `${record.name} ${record.ttl} ${record.type} ${record.rdata()}`.slice(0, MAX_LINE_LENGTH);
  const told = Array.from(comment ?? '')
    .slice(0, MAX_COMMENT_LENGTH)
    .join('');
  return `${line}${told && ` ; ${told}`}${managedBy ? ` ; managed by ${managedBy}` : ''}`;
}

function linesOf(records: readonly DnsRecord[]) {
  if (records.length === 0) return {};
  const lines = records.slice(0, RECORDS_TOLD).map(lineOf);
  return { records: lines, ...(records.length > lines.length && { more: records.length - lines.length }) };
}
