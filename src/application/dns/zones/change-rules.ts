import type { Actor } from '../../../domain/access/actor';
import {
  assertMayDelegate,
  assertRecordsAllowed,
  maySeeRecord,
  seesSomeRecords,
} from '../../../domain/access/key-permissions';
import { isOfSigner } from '../../../domain/dns/zone-rules';
import { ItemsRejected, RecordConflict, type ItemError, type LimitExceeded } from '../../../domain/dns/errors';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { includesType } from '../../../domain/dns/records/types/record-types';
import {
  assertZoneSize,
  dnameConflicts,
  namesAbove,
  ruleViolations,
  type ZoneLimits,
} from '../../../domain/dns/zone-rules';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { LockedZone, ZoneChange, ZoneReader } from '../../ports/dns/zone-repository';
import { runCooperatively, type CooperativeTask } from '../../shared/run-cooperatively';
import type { ZoneLimitSettings } from '../dns-settings';
import type { ZoneProposal } from './zone-request';

/** The owner names at which a change can break a rule, and those above if the zone can have a DNAME there. */
export function namesChecked(change: ZoneChange, { types }: ZoneLimitSettings): readonly string[] {
  const names = [...written(change), ...delegationsRemoved(change)].map(({ name }) => name);
  return [...new Set(includesType(types, 'DNAME') ? names.flatMap((name) => [name, ...namesAbove(name)]) : names)];
}

/** Without its NS records, a name cannot have DS records. */
function delegationsRemoved({ changed, removed }: ZoneChange): readonly DnsRecord[] {
  return [...removed, ...changed.map(({ before }) => before)].filter(({ type }) => type === 'NS');
}

/** Below these names, no record may exist. */
export function writtenDnameOwners(change: ZoneChange): readonly string[] {
  return written(change)
    .filter(({ type }) => type === 'DNAME')
    .map(({ name }) => name);
}

/** @throws LimitedKey if the actor's key may not change one of the records */
export function assertWithinLimits(actor: Actor, change: ZoneChange): void {
  if (!seesSomeRecords(actor)) return;
  assertRecordsAllowed(actor, change.added);
  assertRecordsAllowed(actor, change.removed);
  for (const { before, after } of change.changed) assertRecordsAllowed(actor, [before, after]);
  for (const record of written(change)) assertMayDelegate(actor, record);
}

interface ChangedZone {
  readonly zone: LockedZone;
  /** The records at `namesChecked`, and those below `writtenDnameOwners`. */
  readonly stored: readonly DnsRecord[];
  readonly limits: ZoneLimits;
  readonly accountId: string;
  readonly actor: Actor;
}

/** Checks the zone that results from a change. @throws RecordConflict, LimitExceeded, ItemsRejected */
export async function assertAllowed(
  { zone, stored, limits, accountId, actor }: ChangedZone,
  { change, placeOf }: ZoneProposal,
): Promise<void> {
  const records = written(change);
  const delegations = delegationsRemoved(change);
  if (records.length + delegations.length === 0) return;
  assertZoneSize(
    { before: zone.recordCount, after: zone.recordCount + change.added.length - change.removed.length },
    limits,
  );
  const replaced = new Set([...records, ...change.removed].map(({ id }) => id));
  const kept = stored.filter(({ id }) => !replaced.has(id));
  const changedIds = new Set(records.map(({ id }) => id));
  const names = new Set([...records, ...delegations].map(({ name }) => name));
  const after = [...kept.filter(({ name }) => names.has(name)), ...records];
  const violations = await runCooperatively(findZoneRuleViolations(after, changedIds, limits), accountId);
  throwFirst(
    [...violations, ...dnameConflicts([...kept, ...records], changedIds)].map((each) => withoutHidden(each, actor)),
    placeOf,
  );
}

function written({ added, changed }: ZoneChange): DnsRecord[] {
  return [...added, ...changed.map(({ after }) => after)];
}

/** @throws ItemsRejected, RecordConflict */
export async function assertNotOfService(
  reader: Pick<ZoneReader, 'isSigned'>,
  { domainId }: LockedZone,
  { change, placeOf }: ZoneProposal,
): Promise<void> {
  const records = written(change).filter(isOfSigner);
  if (records.length === 0 || !(await reader.isSigned(domainId))) return;
  throwFirst(
    records.map(
      ({ id }) =>
        new RecordConflict(
          id,
          'While DNSSEC is on, the service publishes the DNSKEY, CDS and CDNSKEY records at the apex',
        ),
    ),
    placeOf,
  );
}

/** @throws ItemsRejected if the request names several records, otherwise the first violation */
function throwFirst(
  violations: readonly (RecordConflict | LimitExceeded)[],
  placeOf: ZoneProposal['placeOf'] = () => undefined,
): void {
  const placed = violations.flatMap((error): ItemError[] => {
    const place = error.recordId === undefined ? undefined : placeOf(error.recordId);
    return place === undefined ? [] : [{ place, error: withPlaces(error, placeOf) }];
  });
  const [first, ...others] = placed;
  if (first) throw new ItemsRejected([first, ...others]);
  if (violations[0]) throw violations[0];
}

/** Does not name the conflicting record if the actor's key may not see it. */
function withoutHidden(error: RecordConflict | LimitExceeded, actor: Actor): RecordConflict | LimitExceeded {
  if (!(error instanceof RecordConflict) || !error.conflicting || maySeeRecord(actor, error.conflicting.record))
    return error;
  return new RecordConflict(error.recordId, `A record that the key may not see conflicts: ${error.conflicting.reason}`);
}

function withPlaces(
  error: RecordConflict | LimitExceeded,
  placeOf: NonNullable<ZoneProposal['placeOf']>,
): RecordConflict | LimitExceeded {
  if (!(error instanceof RecordConflict) || !error.conflicting) return error;
  return RecordConflict.with(error.recordId, error.conflicting, placeOf(error.conflicting.record.id));
}

/**
 * Checks the zone that a write would produce, owner name by owner name.
 * @param records all records of the resulting zone at the owner names of `changed`
 */
export function* findZoneRuleViolations(
  records: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  limits?: ZoneLimits,
): CooperativeTask<readonly (RecordConflict | LimitExceeded)[]> {
  const found: (RecordConflict | LimitExceeded)[] = [];
  for (const sameName of groupedBy(records, (record) => record.name).values()) {
    found.push(...(yield* ruleViolations(sameName, changed, limits)));
  }
  return found;
}
