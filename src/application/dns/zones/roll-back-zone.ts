import { inject, injectable } from '../../ports/inject';
import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { Clock } from '../../ports/system/clock';
import type { ChangedRecord, ZoneChange } from '../../../domain/dns/zone-change';
import { recordsAtVersion } from './records-at-version';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import type { ZonePlan } from './zone-plan';
import type { Decide, ZoneRequest } from './zone-request';
import { ZoneWriter } from './zone-writer';
import type { Written } from './zone-request';

interface RollBackZoneCommand extends ZoneRequest {
  readonly version: number;
}

/** Writes the records of an earlier version, with the ids that they had, as a new version. @throws the errors of `ZoneWriter`, VersionNotFound */
@injectable()
export class RollBackZone {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(
    command: RollBackZoneCommand,
    hook?: TransactionHook<Written<ZoneChange>>,
  ): Promise<Written<ZoneChange>> {
    return this.zones.writeWhole(command, () => Promise.resolve(this.planRollBack(command)), hook);
  }

  async plan(command: RollBackZoneCommand): Promise<ZonePlan<ZoneChange>> {
    return this.zones.planWhole(command, () => Promise.resolve(this.planRollBack(command)));
  }

  private planRollBack({ version }: RollBackZoneCommand): Decide<ZoneChange> {
    return async ({ past }) => {
      const zonePast = await past();
      const change = changeBetween(
        await zonePast.records(),
        await recordsAtVersion(zonePast, version),
        this.clock.now(),
      );
      return { change, result: change };
    };
  }
}

function changeBetween(now: readonly DnsRecordState[], then: readonly DnsRecordState[], at: Date): ZoneChange {
  const current = new Map(now.map((record) => [record.id, record]));
  const wanted = new Set(then.map(({ id }) => id));
  return {
    added: then.filter(({ id }) => !current.has(id)).map((record) => atRollBack(record, at)),
    changed: then.flatMap((record) => changedFrom(current.get(record.id), record, at)),
    removed: now.filter(({ id }) => !wanted.has(id)).map((record) => DnsRecord.fromState(record)),
  };
}

function changedFrom(before: DnsRecordState | undefined, record: DnsRecordState, at: Date): ChangedRecord[] {
  if (!before) return [];
  const change = { before: DnsRecord.fromState(before), after: atRollBack(record, at) };
  return change.before.hasSameValues(change.after) ? [] : [change];
}

function atRollBack(record: DnsRecordState, at: Date): DnsRecord {
  return DnsRecord.fromState({ ...record, updatedAt: at });
}
