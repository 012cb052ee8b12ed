import type { RecordDraft } from '../../../domain/dns/records/dns-record';
import { fullOwnerName, ROOT } from '../../../domain/dns/records/record-name';
import { RdataReader } from '../../../domain/dns/records/types/rdata/rdata-reader';
import { readName } from '../../../domain/dns/records/types/rdata/wire-name';
import { findRecordType, typeDefinition, typeOfNumber } from '../../../domain/dns/records/types/record-types';
import type { Prerequisite, UpdateChange, UpdateMessage } from '../../../domain/dns/update/update-message';
import { CLASS, MalformedMessage, readRecord, TYPE, type WireQuery, type WireRecord } from './wire-query';

/** A record is outside the zone: NOTZONE. */
class OutsideZone extends Error {}

const NONE = 254;
const ANY = 255;
/** Types that only queries may have: RFC 2136, section 3.4.1.2. */
const META_TYPES: ReadonlySet<number> = new Set([249, TYPE.TSIG, TYPE.IXFR, TYPE.AXFR, 253, 254, ANY, TYPE.OPT]);

/** Reads the prerequisite and update sections of an UPDATE, up to the first record that is invalid. */
export function readUpdate({ bytes, name: zoneName, questionEnd }: WireQuery): UpdateMessage {
  const prerequisites: Prerequisite[] = [];
  const changes: UpdateChange[] = [];
  let section: 'prerequisites' | 'changes' = 'prerequisites';
  let at = questionEnd;
  const nextRecord = (): WireRecord => {
    const record = readRecord(bytes, at);
    at = record.end;
    return record;
  };
  try {
    const reading = { bytes, zoneName };
    for (let left = bytes.readUInt16BE(6); left > 0; left -= 1)
      prerequisites.push(toPrerequisite(nextRecord(), reading));
    section = 'changes';
    for (let left = bytes.readUInt16BE(8); left > 0; left -= 1) changes.push(toChange(nextRecord(), reading));
    return { prerequisites, changes };
  } catch (error) {
    const outcome = error instanceof OutsideZone ? 'NOTZONE' : 'FORMERR';
    return { prerequisites, changes, invalid: { section, outcome } };
  }
}

interface Reading {
  readonly bytes: Buffer;
  readonly zoneName: string;
}

/** RFC 2136, section 3.2. */
function toPrerequisite(record: WireRecord, reading: Reading): Prerequisite {
  if (record.ttl !== 0) throw new MalformedMessage('A prerequisite has a TTL');
  const name = relativeName(record, reading);
  if (record.class === CLASS.IN) {
    assertDataType(record);
    return { kind: 'set_equals', name, type: mnemonic(record.type), record: toDraft(record, name, reading) };
  }
  assertNoData(record);
  if (record.class !== ANY && record.class !== NONE) throw new MalformedMessage('A prerequisite has an unknown class');
  const isPresence = record.class === ANY;
  if (record.type === ANY) return { kind: isPresence ? 'name_in_use' : 'name_not_in_use', name };
  assertDataType(record);
  return { kind: isPresence ? 'set_exists' : 'set_absent', name, type: mnemonic(record.type) };
}

/** RFC 2136, section 3.4.1. */
function toChange(record: WireRecord, reading: Reading): UpdateChange {
  const name = relativeName(record, reading);
  const type = mnemonic(record.type);
  if (record.class === CLASS.IN) {
    assertDataType(record);
    return { kind: 'add', name, type, record: toDraft(record, name, reading) };
  }
  if (record.ttl !== 0) throw new MalformedMessage('A deletion has a TTL');
  if (record.class === NONE) {
    assertDataType(record);
    return { kind: 'delete_record', name, type, record: toDraft(record, name, reading) };
  }
  if (record.class !== ANY) throw new MalformedMessage('An update has an unknown class');
  assertNoData(record);
  if (record.type === ANY) return { kind: 'delete_name', name };
  assertDataType(record);
  return { kind: 'delete_set', name, type };
}

function assertDataType({ type }: WireRecord): void {
  if (META_TYPES.has(type)) throw new MalformedMessage('A record of an update has a type that only queries have');
}

function assertNoData({ data, end }: WireRecord): void {
  if (data !== end) throw new MalformedMessage('A record of an update has unexpected data');
}

function mnemonic(type: number): string {
  return type === TYPE.SOA ? 'SOA' : typeOfNumber(type);
}

function relativeName({ start }: WireRecord, { bytes, zoneName }: Reading): string {
  const { name } = readName(bytes, start);
  if (name === zoneName) return ROOT;
  if (!name.endsWith(`.${zoneName}`)) throw new OutsideZone(name);
  return name.slice(0, -zoneName.length - 1);
}

/** RFC 2181, section 8: with its most significant bit set, a TTL is zero. */
function dataTtl({ ttl }: WireRecord): number {
  return ttl >= 2 ** 31 ? 0 : ttl;
}

/** Undefined for a type that no record can have. */
function toDraft(record: WireRecord, name: string, { bytes, zoneName }: Reading): RecordDraft | undefined {
  const type = findRecordType(`TYPE${record.type}`);
  if (!type) return undefined;
  const reader = new RdataReader(bytes, record.data, record.end);
  const draft = {
    type,
    name: `${fullOwnerName(name, zoneName)}.`,
    ttl: dataTtl(record),
    ...typeDefinition(type).decode(reader),
  };
  reader.assertEnd();
  return draft;
}
