import { inject, injectable } from '../../../ports/inject';
import { followDelegation, isApexNs, type DelegationChange } from '../../../../domain/dns/delegation/apex-ns';
import { DnsRecord, type DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { isKeptForZone } from '../../../../domain/dns/delegation/sub-zone';
import { runCooperatively } from '../../../shared/run-cooperatively';
import { apartFromKept } from '../zone-replacement';
import { Clock, IdGenerator } from '../../../ports/system';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import { recordsAtVersion } from './records-at-version';
import type { TransactionHook } from '../../../ports/storage/unit-of-work';
import type { ZonePlan } from '../zone-plan';
import type { Decide, ZoneRequest } from '../zone-request';
import { ZoneWriter } from '../zone-writer';
import type { Written } from '../zone-request';

interface RollBackZoneCommand extends ZoneRequest {
  readonly version: number;
}

/**
 * Writes the records of an earlier version, with the ids that they had, as a new version. The delegation does not change, and those that
 * repeated it repeat the present one. @throws the errors of `ZoneWriter`, VersionNotFound
 */
@injectable()
export class RollBackZone {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(Clock) private readonly clock: Clock,
    @inject(IdGenerator) private readonly ids: IdGenerator,
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
    return async ({ accountId, past, delegation: after }) => {
      const zonePast = await past();
      const stored = await recordsAtVersion(zonePast, version);
      const before = (await zonePast.nameserversAt(version)) ?? after;
      const wanted = this.followingDelegation(stored, { before, after });
      // Zones below are as they are now.
      const restored = wanted.filter((each) => !isKeptForZone(each)).map((each) => DnsRecord.fromState(each));
      const others = await runCooperatively(apartFromKept(await zonePast.records(), restored), accountId);
      const then = others.wanted.map((each) => each.toState());
      const change = changeBetween(others.current, then, this.clock.now());
      return { change, result: change };
    };
  }

  private followingDelegation(
    records: readonly DnsRecordState[],
    delegation: DelegationChange,
  ): readonly DnsRecordState[] {
    const apexNs = records.filter(isApexNs).map((record) => DnsRecord.fromState(record));
    const change = followDelegation(apexNs, delegation, () => this.ids.next('rec'), this.clock.now());
    const replaced = new Set([...change.removed, ...change.changed.map(({ after }) => after)].map(({ id }) => id));
    const written = [...change.changed.map(({ after }) => after), ...change.added];
    return [...records.filter(({ id }) => !replaced.has(id)), ...written.map((record) => record.toState())];
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

function changedFrom(
  before: DnsRecordState | undefined,
  record: DnsRecordState,
  at: Date,
): ZoneChange['changed'][number][] {
  if (!before) return [];
  const change = { before: DnsRecord.fromState(before), after: atRollBack(record, at) };
  return change.before.hasSameValues(change.after) ? [] : [change];
}

function atRollBack(record: DnsRecordState, at: Date): DnsRecord {
  return DnsRecord.fromState({ ...record, updatedAt: at });
}
