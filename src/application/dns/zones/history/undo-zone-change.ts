import { inject, injectable } from '../../../ports/inject';
import { DnsRecord, type DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { isKeptForZone } from '../../../../domain/dns/delegation/sub-zone';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import type { RecordTouched } from '../../../ports/dns/zone-repository';
import { Clock } from '../../../ports/system';
import { recordsAtVersion } from './records-at-version';
import type { ZonePlan } from '../zone-plan';
import type { Decide, Written, ZoneRequest } from '../zone-request';
import { ZoneWriter } from '../zone-writer';

interface UndoZoneChangeCommand extends ZoneRequest {
  /** The version that the change led to. */
  readonly version: number;
}

/** A record of the change that stays as it is, because a later change had it. */
interface UndoConflict {
  readonly record: DnsRecordState;
  readonly reason: 'changed later' | 'deleted later' | 'exists again';
}

export interface UndoneChange {
  readonly change: ZoneChange;
  readonly conflicts: readonly UndoConflict[];
}

/** Reverts one change of a zone and keeps the later ones, as a new version. @throws the errors of `ZoneWriter`, VersionNotFound */
@injectable()
export class UndoZoneChange {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(command: UndoZoneChangeCommand): Promise<Written<UndoneChange>> {
    return this.zones.writeWhole(command, () => Promise.resolve(this.planUndo(command)));
  }

  async plan(command: UndoZoneChangeCommand): Promise<ZonePlan<UndoneChange>> {
    return this.zones.planWhole(command, () => Promise.resolve(this.planUndo(command)));
  }

  private planUndo({ version }: UndoZoneChangeCommand): Decide<UndoneChange> {
    return async ({ past }) => {
      const zonePast = await past();
      const [before, after] = [
        await recordsAtVersion(zonePast, version - 1),
        await recordsAtVersion(zonePast, version),
      ];
      const result = undo(touchedBetween(before, after), await zonePast.records(), this.clock.now());
      return { change: result.change, result };
    };
  }
}

/** Delegations to zones below are as they are now. */
function touchedBetween(before: readonly DnsRecordState[], after: readonly DnsRecordState[]): readonly RecordTouched[] {
  const [old, current] = [byId(before), byId(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((id) => ({ before: old.get(id) ?? null, after: current.get(id) ?? null }))
    .filter((touched) => !areSame(touched.before, touched.after))
    .filter(({ before: was, after: is }) => ![was, is].some((record) => record && isKeptForZone(record)));
}

function undo(touched: readonly RecordTouched[], records: readonly DnsRecordState[], at: Date): UndoneChange {
  const current = byId(records);
  const identities = new Set(records.map((record) => DnsRecord.fromState(record).identity()));
  const [added, removed]: [DnsRecord[], DnsRecord[]] = [[], []];
  const changed: ZoneChange['changed'][number][] = [];
  const conflicts: UndoConflict[] = [];
  for (const { before, after } of touched) {
    const now = current.get((after ?? before)?.id ?? '') ?? null;
    // It is as before the change already.
    if (areSame(now, before)) continue;
    if (!areSame(now, after)) {
      const record = now ?? after ?? before;
      if (record) conflicts.push({ record, reason: now ? 'changed later' : 'deleted later' });
    } else if (!before && now) removed.push(DnsRecord.fromState(now));
    else if (before && now) changed.push({ before: DnsRecord.fromState(now), after: dated(before, at) });
    else if (before && identities.has(DnsRecord.fromState(before).identity()))
      conflicts.push({ record: before, reason: 'exists again' });
    else if (before) added.push(dated(before, at));
  }
  return { change: { added, changed, removed }, conflicts };
}

function byId(records: readonly DnsRecordState[]): ReadonlyMap<string, DnsRecordState> {
  return new Map(records.map((record) => [record.id, record]));
}

function areSame(one: DnsRecordState | null, other: DnsRecordState | null): boolean {
  if (!one || !other) return one === other;
  return DnsRecord.fromState(one).hasSameValues(DnsRecord.fromState(other));
}

function dated(record: DnsRecordState, updatedAt: Date): DnsRecord {
  return DnsRecord.fromState({ ...record, updatedAt });
}
