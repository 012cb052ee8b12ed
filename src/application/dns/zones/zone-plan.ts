import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { Actor } from '../../../domain/access/actor';
import { maySeeRecord, seesWholeName } from '../../../domain/access/key-permissions';
import type { HostedName } from '../../../domain/dns/hosted-name';
import type { CooperativeTask } from '../../shared/run-cooperatively';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { ZoneInspection } from '../../../domain/dns/zone-warnings';

/** What a change would do to a zone at `zoneVersion`. */
export interface ZonePlan<T = unknown> {
  readonly result: T;
  readonly zoneVersion: number;
  readonly change: ZoneChange;
  /** What the change would make unusual. It is allowed, because a later change may correct it. */
  readonly warnings: readonly string[];
}

/** The warnings that `change` would add to those of the current records. They tell nothing of records that the actor may not see. */
export function* newWarnings(
  { name, nameservers }: Pick<HostedName, 'name' | 'nameservers'>,
  records: readonly DnsRecordState[],
  change: ZoneChange,
  actor: Actor,
): CooperativeTask<readonly string[]> {
  const before = records.filter((record) => maySeeRecord(actor, record)).map((state) => DnsRecord.fromState(state));
  const sees = (owner: string) => seesWholeName(actor, owner);
  const known = new Set(yield* zoneWarnings(before, name, nameservers, sees));
  const after = changedRecords(before, change);
  return (yield* zoneWarnings(after, name, nameservers, sees)).filter((warning) => !known.has(warning));
}

export function changedRecords<R extends { readonly id: string }>(
  records: readonly R[],
  change: ZoneChange,
): (R | DnsRecord)[] {
  const written = [...change.added, ...change.changed.map(({ after }) => after)];
  const replaced = new Set([...written, ...change.removed].map(({ id }) => id));
  return [...records.filter(({ id }) => !replaced.has(id)), ...written];
}

/** All warnings about a zone, each once, in record order. */
export function* zoneWarnings(
  records: readonly DnsRecord[],
  zoneName: string,
  nameservers: readonly string[] = [],
  seesName: (name: string) => boolean = () => true,
): CooperativeTask<readonly string[]> {
  const inspection = new ZoneInspection(zoneName, seesName);
  for (const record of records) {
    yield;
    inspection.add(record);
  }
  const warnings = new Set<string>();
  for (const record of records) {
    yield;
    for (const warning of inspection.warningsOf(record)) warnings.add(warning);
  }
  for (const warning of inspection.warningsOfDelegation(nameservers)) warnings.add(warning);
  return [...warnings];
}
