import { ItemsRefused, RecordConflict, type ItemFault, type LimitExceeded } from '../../domain/dns/errors';
import { assertZoneSize, inconsistencies, type ZoneLimits } from '../../domain/dns/zone-rules';
import type { LockedZone, ZoneChange, ZoneRepository } from '../ports/dns/zone-repository';

export interface ZoneProposal {
  readonly change: ZoneChange;
  /** Where the caller named the record, for a request of many. */
  readonly placeOf?: (recordId: string) => string | undefined;
}

/** Judges what the zone would be, with the neighbours of whatever is written. @throws RecordConflict, LimitExceeded, ItemsRefused */
export async function judgeOutcome(zones: ZoneRepository, zone: LockedZone, { change, placeOf }: ZoneProposal, limits: ZoneLimits): Promise<void> {
  const { added, changed, removed } = change;
  const written = [...added, ...changed.map(({ after }) => after)];
  if (written.length === 0) return;
  assertZoneSize({ before: zone.recordCount, after: zone.recordCount + added.length - removed.length }, limits);
  const replaced = new Set([...written, ...removed].map(({ id }) => id));
  const names = [...new Set(written.map(({ name }) => name))];
  const kept = (await zones.recordsAt(zone.domainId, names)).filter(({ id }) => !replaced.has(id));
  refuse([...inconsistencies([...kept, ...written], new Set(written.map(({ id }) => id)), limits)], placeOf);
}

function refuse(faults: readonly (RecordConflict | LimitExceeded)[], placeOf: ZoneProposal['placeOf'] = () => undefined): void {
  const placed = faults.flatMap((error): ItemFault[] => {
    const place = error.recordId === undefined ? undefined : placeOf(error.recordId);
    return place === undefined ? [] : [{ place, error: inWordsOfRequest(error, placeOf) }];
  });
  const [first, ...others] = placed;
  if (first) throw new ItemsRefused([first, ...others]);
  if (faults[0]) throw faults[0];
}

function inWordsOfRequest(error: RecordConflict | LimitExceeded, placeOf: NonNullable<ZoneProposal['placeOf']>): RecordConflict | LimitExceeded {
  if (!(error instanceof RecordConflict) || !error.obstacle) return error;
  return RecordConflict.with(error.recordId, error.obstacle, placeOf(error.obstacle.record.id));
}
