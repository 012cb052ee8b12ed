import { RecordConflict } from '../dns-errors';
import type { DsRecord } from './ds-record';
import { DnsRecord, type DnsRecordState } from '../records/dns-record';
import { isAtOrBelow } from '../../shared/name-relation';
import { fullOwnerName, relativeOwnerName } from '../records/record-name';
import type { RecordType } from '../records/types/record-types';
import type { ZoneChange } from '../zone-change';
import { zoneIdOf } from '../zone-id';

/** What a zone keeps of a zone below it: the delegation, its glue, its DS records, aliases into a part of a /24 network, and signals of RFC 9615. */
const KEPT_TYPES: readonly RecordType[] = ['NS', 'A', 'AAAA', 'DS', 'CNAME', 'CDS', 'CDNSKEY'];
/** In `managedBy`: the id of the zone that a record is kept for. */
const KEEPER = new RegExp(`^${zoneIdOf('dom_')}[0-9a-z]{26}$`);

/** A zone of the same account, below another one. */
export interface SubZone {
  /** The id of its name. */
  readonly id: string;
  /** In A-labels. */
  readonly name: string;
  /** Host names, to be delegated to. */
  readonly nameservers: readonly string[];
}

/** Whether the service keeps the record for a zone below. */
export function isKeptForZone({ type, managedBy }: Pick<DnsRecordState, 'type' | 'managedBy'>): boolean {
  return KEEPER.test(managedBy ?? '') && KEPT_TYPES.includes(type);
}

/** Whether the service keeps the record for that zone. */
export function isKeptFor({ id }: Pick<SubZone, 'id'>, record: DnsRecord): boolean {
  const state = record.toState();
  return isKeptForZone(state) && state.managedBy === zoneIdOf(id);
}

/**
 * Why a change by hand is refused: records that the service keeps for zones below change only with those.
 * @param present what is stored at the names that the change writes
 */
export function keptRecordConflicts(
  zoneName: string,
  { added, changed, removed }: ZoneChange,
  present: readonly DnsRecord[],
): readonly RecordConflict[] {
  const delegations = new Map(
    present.filter((each) => each.type === 'NS' && isKept(each)).map((each) => [each.name, each]),
  );
  const written = [...added, ...changed.filter(({ before }) => !isKept(before)).map(({ after }) => after)];
  const changedKept = changed.filter(({ before, after }) => isKept(before) && !staysKept(before, after));
  return [
    ...[...removed.filter(isKept), ...changedKept.map(({ before }) => before)].map((each) =>
      keptConflict(each.id, each, zoneName),
    ),
    ...written.flatMap((each) => {
      const delegation = each.type === 'DS' ? delegations.get(each.name) : undefined;
      if (delegation) return [keptConflict(each.id, delegation, zoneName)];
      return isKept(each) ? [new RecordConflict(each.id, MARK_OF_SERVICE)] : [];
    }),
  ];
}

const MARK_OF_SERVICE = 'Only records that the service keeps for a zone have the id of a zone in managed_by';

function keptConflict(recordId: string, kept: DnsRecord, zoneName: string): RecordConflict {
  const { name, type, managedBy } = kept.toState();
  const owner = fullOwnerName(name, zoneName);
  return new RecordConflict(
    recordId,
    `The service keeps ${type} ${owner} for the zone ${managedBy}: it changes, and goes, with that zone`,
  );
}

function isKept(record: DnsRecord): boolean {
  return isKeptForZone(record.toState());
}

/** Its comment can change. */
function staysKept(before: DnsRecord, after: DnsRecord): boolean {
  return before.isServedAs(after) && before.toState().managedBy === after.toState().managedBy;
}

/** A DS record of a zone in the zone `above` it. */
export function keptDsRecord(above: string, zone: SubZone, ds: DsRecord, recordId: string, now: Date): DnsRecord {
  const draft = { type: 'DS', name: relativeOwnerName(zone.name, above), managedBy: zoneIdOf(zone.id) };
  return DnsRecord.create({ ...draft, content: dsContent(ds) }, above, recordId, now, ['DS']);
}

export function dsContent({ keyTag, algorithm, digestType, digest }: DsRecord): string {
  return `${keyTag} ${algorithm} ${digestType} ${digest}`;
}

/** The DS record that a stored one holds. */
export function readDsRecord({ content }: Pick<DnsRecordState, 'content'>): DsRecord {
  const [keyTag, algorithm, digestType, digest = ''] = content.split(' ');
  return {
    keyTag: Number(keyTag),
    algorithm: Number(algorithm),
    digestType: Number(digestType),
    digest: digest.toUpperCase(),
  };
}

/** A record of one zone as one of another, with the same full name or, in a part of a /24 network (RFC 2317), for the same address. */
export function movedRecord(record: DnsRecord, from: string, to: string, id: string, now: Date): DnsRecord {
  const state = record.toState();
  const full = fullOwnerName(state.name, from);
  const name = isAtOrBelow(full, to) ? relativeOwnerName(full, to) : full.slice(0, full.indexOf('.'));
  return DnsRecord.fromState({ ...state, id, name, createdAt: now, updatedAt: now });
}

/** Of a record that a new zone hides in the zone above it: whether it is the former delegation, which the new one replaces. */
export function isDelegationAt(cut: string, { name, type }: Pick<DnsRecord, 'name' | 'type'>): boolean {
  return name === cut && (type === 'NS' || type === 'DS');
}

/** The zones directly below `above`, without those below another one of them. */
export function closestBelow<Z extends Pick<SubZone, 'name'>>(zones: readonly Z[]): readonly Z[] {
  const names = new Set(zones.map(({ name }) => name));
  const isCovered = (name: string): boolean => {
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
      if (names.has(name.slice(dot + 1))) return true;
    return false;
  };
  return zones.filter(({ name }) => !isCovered(name));
}
