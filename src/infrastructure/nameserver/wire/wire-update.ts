import type { RecordDraft } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { SERVED_TYPES, type RecordType } from '../../../domain/dns/records/record-rules';
import type { Prerequisite, UpdateChange, UpdateMessage } from '../../../domain/dns/update/update-message';
import { quoteCharacterString } from '../../../domain/dns/records/character-string';
import { readName } from './wire-name';
import { CLASS, MalformedMessage, readRecord, TYPE, type WireQuery, type WireRecord } from './wire-query';

/** The update names a record outside the zone: NOTZONE. */
export class OutsideZone extends Error {}

const NONE = 254;
const ANY = 255;
/** Types that only queries may have: RFC 2136, section 3.4.1.2. */
const META_TYPES: ReadonlySet<number> = new Set([249, TYPE.TSIG, TYPE.IXFR, TYPE.AXFR, 253, 254, ANY, TYPE.OPT]);
const NUMBERS: Readonly<Record<RecordType | 'SOA', number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DHCID: 49,
  CAA: 257,
};
const MNEMONICS = new Map(Object.entries(NUMBERS).map(([type, number]) => [number, type]));

/** Reads the prerequisite and update sections of an UPDATE. @throws MalformedMessage, OutsideZone */
export function readUpdate(query: WireQuery): UpdateMessage {
  try {
    return read(query);
  } catch (error) {
    if (error instanceof MalformedMessage || error instanceof OutsideZone) throw error;
    throw new MalformedMessage('The update has a malformed name', { cause: error });
  }
}

function read({ bytes, name: zoneName, questionEnd }: WireQuery): UpdateMessage {
  const reading = { bytes, zoneName };
  const prerequisites: Prerequisite[] = [];
  const changes: UpdateChange[] = [];
  let at = questionEnd;
  for (let left = bytes.readUInt16BE(6); left > 0; left -= 1) {
    const record = readRecord(bytes, at);
    prerequisites.push(toPrerequisite(record, reading));
    at = record.end;
  }
  for (let left = bytes.readUInt16BE(8); left > 0; left -= 1) {
    const record = readRecord(bytes, at);
    changes.push(toChange(record, reading));
    at = record.end;
  }
  return { prerequisites, changes };
}

interface Reading {
  readonly bytes: Buffer;
  readonly zoneName: string;
}

/** RFC 2136, section 3.2. */
function toPrerequisite(record: WireRecord, reading: Reading): Prerequisite {
  if (record.ttl !== 0) throw new MalformedMessage('A prerequisite has a TTL');
  const name = relativeName(record.name, reading.zoneName);
  if (record.class === CLASS.IN) {
    assertDataType(record);
    return { kind: 'set_equals', name, type: mnemonic(record.type), record: toDraft(record, reading) };
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
  const name = relativeName(record.name, reading.zoneName);
  const type = mnemonic(record.type);
  if (record.class === CLASS.IN) {
    assertDataType(record);
    return { kind: 'add', name, type, record: toDraft(record, reading) };
  }
  if (record.ttl !== 0) throw new MalformedMessage('A deletion has a TTL');
  if (record.class === NONE) {
    assertDataType(record);
    return { kind: 'delete_record', name, type, record: toDraft(record, reading) };
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
  return MNEMONICS.get(type) ?? `TYPE${type}`;
}

function relativeName(name: string, zoneName: string): string {
  if (name === zoneName) return ROOT;
  if (!name.endsWith(`.${zoneName}`)) throw new OutsideZone(name);
  return name.slice(0, -zoneName.length - 1);
}

/** Undefined for a type without records here. */
function toDraft(record: WireRecord, { bytes }: Reading): RecordDraft | undefined {
  const type = SERVED_TYPES.find((known) => NUMBERS[known] === record.type);
  if (!type) return undefined;
  const data = new DataReader(bytes, record);
  const draft = { type, name: `${record.name}.`, ttl: record.ttl, ...DATA[type](data) };
  data.assertEnd();
  return draft;
}

type DraftData = Pick<RecordDraft, 'content' | 'priority' | 'weight' | 'port'>;

/** RDATA formats: RFC 1035, section 3.3; RFC 2782; RFC 3596; RFC 8659; RFC 4701. */
const DATA: Readonly<Record<RecordType, (data: DataReader) => DraftData>> = {
  A: (data) => ({ content: [...data.octets(4)].join('.') }),
  AAAA: (data) => ({
    content: data
      .octets(16)
      .toString('hex')
      .replace(/.{4}(?!$)/g, '$&:'),
  }),
  CNAME: (data) => ({ content: data.name() }),
  NS: (data) => ({ content: data.name() }),
  MX: (data) => ({ priority: data.number(), content: data.name() }),
  SRV: (data) => ({ priority: data.number(), weight: data.number(), port: data.number(), content: data.name() }),
  TXT: (data) => ({ content: data.strings().map(quoteCharacterString).join(' ') }),
  CAA: (data) => {
    const [flags = 0] = data.octets(1);
    const tag = data.string();
    return { content: `${flags} ${quoteCharacterString(tag)} ${quoteCharacterString(data.rest())}` };
  },
  DHCID: (data) => ({ content: Buffer.from(data.rest(), 'latin1').toString('base64') }),
};

/** Reads the RDATA of one record. @throws MalformedMessage beyond its end */
class DataReader {
  private at: number;
  private readonly end: number;

  constructor(
    private readonly bytes: Buffer,
    { data, end }: WireRecord,
  ) {
    this.at = data;
    this.end = end;
  }

  octets(count: number): Buffer {
    if (this.at + count > this.end) throw new MalformedMessage('The data of a record is too short');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  number(): number {
    return this.octets(2).readUInt16BE();
  }

  /** Absolute, with a trailing dot. */
  name(): string {
    const { name, end } = readName(this.bytes, this.at);
    this.at = end;
    return `${name}.`;
  }

  string(): string {
    return this.octets(this.octets(1).readUInt8()).toString('latin1');
  }

  strings(): readonly string[] {
    const strings = [this.string()];
    while (this.at < this.end) strings.push(this.string());
    return strings;
  }

  rest(): string {
    return this.octets(this.end - this.at).toString('latin1');
  }

  assertEnd(): void {
    if (this.at !== this.end) throw new MalformedMessage('The data of a record has a wrong length');
  }
}
