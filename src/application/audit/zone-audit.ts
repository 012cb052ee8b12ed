import type { Requester } from '../../domain/access/actor';
import type { AuditAction, AuditFact } from '../../domain/access/audit-entry';
import type { EventFact } from '../../domain/access/events/account-event';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import { driftOf } from '../../domain/dns/state-drift';
import type { ZoneHead } from '../../domain/dns/zone';
import type { ServiceError } from '../../domain/shared/service-error';
import type { ZoneChange } from '../../domain/dns/zone-change';
import { recordsData, versionLink } from './records-event';

/** Limit of records in one entry; the zone history has all of them. */
const RECORDS_TOLD = 20;
const MAX_LINE_LENGTH = 300;
const MAX_COMMENT_LENGTH = 100;

export interface WrittenZone {
  readonly at: Date;
  readonly requester: Requester;
  readonly domain: { readonly id: string; readonly name: string };
  readonly change: ZoneChange;
  /** Of the zone after the change. */
  readonly version: number;
  /** The change makes the zone what its desired state says. */
  readonly isState?: boolean | undefined;
}

/** Records removed and added records as zone file lines. */
export function zoneChanged({ at, requester: { accountId, actor }, domain, change, version }: WrittenZone): AuditFact {
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
    eventData: recordsData(change, version, domain.id),
  };
}

/** One if the change passes by the desired state of the zone. @param stateOwner whose records the state has; '' for all */
export function zoneDrifted(
  { at, requester: { accountId, actor }, domain, change, version, isState }: WrittenZone,
  { stateOwner }: Pick<ZoneHead, 'stateOwner'>,
): readonly EventFact[] {
  if (stateOwner === undefined || isState) return [];
  const drift = driftOf(change, stateOwner);
  if (!drift) return [];
  const { added, changed, removed } = drift;
  const counts = { added_count: added.length, changed_count: changed.length, removed_count: removed.length };
  const link = versionLink(domain.id, version);
  const data = { version, managed_by: stateOwner === '' ? null : stateOwner, ...counts, link };
  return [{ at, accountId, actor, type: 'zone.drifted', domain, data }];
}

/** A dynamic update that a rule or a limit of the key refused. */
export function updateRefused({
  at,
  requester: { accountId, actor },
  domain,
  error: { code, details, message },
}: Omit<WrittenZone, 'change' | 'version'> & { readonly error: ServiceError }): AuditFact {
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
  const { comment, managedBy, ptr } = record.toState();
  const line = `${record.name} ${record.ttl} ${record.type} ${record.rdata()}`.slice(0, MAX_LINE_LENGTH);
  const told = Array.from(comment ?? '')
    .slice(0, MAX_COMMENT_LENGTH)
    .join('');
  return `${line}${told && ` ; ${told}`}${managedBy ? ` ; managed by ${managedBy}` : ''}${ptr ? ' ; with PTR' : ''}`;
}

function linesOf(records: readonly DnsRecord[]) {
  if (records.length === 0) return {};
  const lines = records.slice(0, RECORDS_TOLD).map(lineOf);
  if (records.length === lines.length) return { records: lines };
  const types = [...new Set(records.map(({ type }) => type))];
  return { records: lines, more: records.length - lines.length, types };
}
