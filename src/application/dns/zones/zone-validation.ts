import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { ItemsRejected, RecordConflict, type ItemError, type LimitExceeded } from '../../../domain/dns/errors';
import { assertZoneSize, type ZoneLimits } from '../../../domain/dns/zone-rules';
import type { LockedZone, ZoneChange } from '../../ports/dns/zone-repository';
import { runCooperatively } from '../../run-cooperatively';
import { findZoneRuleViolations } from './zone-tasks';

export interface ZoneProposal {
  readonly change: ZoneChange;
  /** Where the caller named the record, for a request of many. */
  readonly placeOf?: (recordId: string) => string | undefined;
}

export function changesNothing({ added, changed, removed }: ZoneChange): boolean {
  return added.length + changed.length + removed.length === 0;
}

/** Where a change puts records, whose neighbors have a say. */
export function namesWritten(change: ZoneChange): readonly string[] {
  return [...new Set(written(change).map(({ name }) => name))];
}

/** Judges what the zone would be. `there` is what it has at `namesWritten`. @throws RecordConflict, LimitExceeded, ItemsRejected */
export async function assertOutcome(
  zone: LockedZone,
  { change, placeOf }: ZoneProposal,
  there: readonly DnsRecord[],
  limits: ZoneLimits,
): Promise<void> {
  const records = written(change);
  if (records.length === 0) return;
  assertZoneSize(
    { before: zone.recordCount, after: zone.recordCount + change.added.length - change.removed.length },
    limits,
  );
  const replaced = new Set([...records, ...change.removed].map(({ id }) => id));
  const kept = there.filter(({ id }) => !replaced.has(id));
  refuse(
    await runCooperatively(findZoneRuleViolations([...kept, ...records], new Set(records.map(({ id }) => id)), limits)),
    placeOf,
  );
}

function written({ added, changed }: ZoneChange): DnsRecord[] {
  return [...added, ...changed.map(({ after }) => after)];
}

function refuse(
  faults: readonly (RecordConflict | LimitExceeded)[],
  placeOf: ZoneProposal['placeOf'] = () => undefined,
): void {
  const placed = faults.flatMap((error): ItemError[] => {
    const place = error.recordId === undefined ? undefined : placeOf(error.recordId);
    return place === undefined ? [] : [{ place, error: inWordsOfRequest(error, placeOf) }];
  });
  const [first, ...others] = placed;
  if (first) throw new ItemsRejected([first, ...others]);
  if (faults[0]) throw faults[0];
}

function inWordsOfRequest(
  error: RecordConflict | LimitExceeded,
  placeOf: NonNullable<ZoneProposal['placeOf']>,
): RecordConflict | LimitExceeded {
  if (!(error instanceof RecordConflict) || !error.conflicting) return error;
  return RecordConflict.with(error.recordId, error.conflicting, placeOf(error.conflicting.record.id));
}
