import { isApexNs, isServedApexNs, repeatsDelegation } from '../../../domain/dns/delegation/apex-ns';
import { hasNotes } from '../../../domain/dns/records/record-notes';
import { DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { isKeptForZone } from '../../../domain/dns/delegation/sub-zone';
import { versionOf } from '../../../domain/dns/templates/supersede';
import { groupedBy } from '../../../domain/shared/grouped-by';
import type { CooperativeTask } from '../../shared/run-cooperatively';
import type { ZoneChange } from '../../../domain/dns/zone-change';

/**
 * The smallest change after which a zone consists of the `wanted` records. Identical records stay, in the form in which they were
 * written unless the wanted one tells another. A new record replaces one of the same name and type, if any is left over, first
 * one with a comment. A record that stays or is replaced keeps its comment unless the wanted one tells another. NS records at the apex that repeat the delegation
 * are stored only for their TTL, because the delegation comes from the registry.
 * @param isReadBack whether `wanted` may be what the zone serves, so that its NS set at the apex changes nothing
 */
export function* replacement(
  current: readonly DnsRecordState[],
  wanted: readonly DnsRecord[],
  delegation: readonly string[],
  now: Date,
  { isReadBack = true }: { readonly isReadBack?: boolean } = {},
): CooperativeTask<ZoneChange> {
  const wantedNs = wanted.filter(isApexNs).map((record) => record.toState());
  const keepsApexNs =
    isReadBack &&
    wantedNs.every(
      ({ written, comment, managedBy }) => (written ?? null) === null && (comment ?? managedBy) === undefined,
    ) &&
    isServedApexNs(wantedNs, current.filter(isApexNs), delegation);
  const isKept = (record: DnsRecord): boolean => keepsApexNs && isApexNs(record);
  const stored = new Map<string, DnsRecord>();
  for (const record of current.map((state) => DnsRecord.fromState(state))) {
    yield;
    if (!isKept(record)) stored.set(record.identity(), record);
  }
  const changed: ZoneChange['changed'][number][] = [];
  const missing: DnsRecord[] = [];
  for (const record of wanted) {
    yield;
    if (isKept(record)) continue;
    const identity = record.identity();
    const before = stored.get(identity);
    if (repeatsDelegation(record, delegation) && before?.ttl !== record.ttl) continue;
    stored.delete(identity);
    if (before) {
      const after = replacing(before, record.withFormOf(before), now);
      if (!before.hasSameValues(after)) changed.push({ before, after });
    } else missing.push(record);
  }
  const places = new Map<DnsRecord, string>();
  const uncommented: DnsRecord[] = [];
  const commented: DnsRecord[] = [];
  for (const record of stored.values()) {
    yield;
    places.set(record, placeOf(record));
    (hasNotes(record.toState()) || record.toState().ptr ? commented : uncommented).push(record);
  }
  const superfluous = groupedBy([...commented, ...uncommented], (record) => places.get(record));
  const added: DnsRecord[] = [];
  for (const record of missing) {
    yield;
    const before = superfluous.get(placeOf(record))?.shift();
    if (before) changed.push({ before, after: replacing(before, record, now) });
    else added.push(DnsRecord.fromState({ ...record.toState(), createdAt: now, updatedAt: now }));
  }
  return { added, changed, removed: [...superfluous.values()].flat() };
}

/** What the zone has, and is to have, apart from what the service keeps for zones below. */
interface ApartFromKept {
  readonly current: readonly DnsRecordState[];
  readonly wanted: readonly DnsRecord[];
  /** Those that would stand beside what is kept. */
  readonly leftOut: readonly DnsRecord[];
}

/** Delegations to zones below stay as they are, whatever a replacement of the whole zone has in their place. */
export function* apartFromKept(
  records: readonly DnsRecordState[],
  wanted: readonly DnsRecord[],
): CooperativeTask<ApartFromKept> {
  const kept = records.filter(isKeptForZone);
  const cuts = new Set(kept.flatMap(({ name, type }) => (type === 'NS' ? [name] : [])));
  const identities = new Set(kept.map((state) => DnsRecord.fromState(state).identity()));
  const keptNames = new Set(kept.map(({ name }) => name));
  const [others, leftOut]: [DnsRecord[], DnsRecord[]] = [[], []];
  for (const record of wanted) {
    yield;
    const isSame = keptNames.has(record.name) && identities.has(record.identity());
    if (isSame) continue;
    const isBeside = cuts.has(record.name) && (record.type === 'NS' || record.type === 'DS');
    (isBeside ? leftOut : others).push(record);
  }
  return { current: records.filter((each) => !isKeptForZone(each)), wanted: others, leftOut };
}

/** An SPF record replaces an SPF record, not a verification text. */
function placeOf(record: DnsRecord): string {
  return `${record.name} ${record.type} ${versionOf(record) ?? ''}`;
}

function replacing(before: DnsRecord, record: DnsRecord, updatedAt: Date): DnsRecord {
  const { id, createdAt } = before.toState();
  return DnsRecord.fromState({ ...record.withNotesOf(before).toState(), id, createdAt, updatedAt });
}
