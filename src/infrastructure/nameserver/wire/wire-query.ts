import { endOfName, readName } from '../../../domain/dns/records/types/rdata/wire-name';

/** The parts of a request that a primary needs; other records are skipped. */
export interface WireQuery {
  readonly bytes: Buffer;
  readonly id: number;
  readonly opcode: number;
  /** Offset of the end of the question. */
  readonly questionEnd: number;
  /** Lower case, without trailing dot. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** The client's serial in an IXFR, from the SOA in the authority section: RFC 1995, section 3. */
  readonly serial: number | undefined;
  /** The client's UDP payload size, if it uses EDNS. */
  readonly udpSize: number | undefined;
  readonly tsig: WireTsig | undefined;
}

/** The TSIG record of a message, RFC 8945, section 4.2. */
export interface WireTsig {
  /** Offset of the record; everything before it is signed. */
  readonly start: number;
  /** Lower case, without trailing dot; so is `algorithm`. */
  readonly keyName: string;
  readonly algorithm: string;
  /** Seconds since 1970. */
  readonly timeSigned: number;
  readonly fudge: number;
  readonly mac: Buffer;
  readonly originalId: number;
  readonly error: number;
  readonly otherData: Buffer;
}

export const TYPE = { NS: 2, SOA: 6, OPT: 41, TSIG: 250, IXFR: 251, AXFR: 252 } as const;
export const CLASS = { IN: 1, ANY: 255 } as const;

/** Octets of a message header: RFC 1035, section 4.1.1. */
const HEADER = 12;
const RESPONSE = 0x8000;
/** More than any legitimate query to a primary has. An UPDATE has as many as fit in it. */
const MAX_QUERY_RECORDS = 8;
export const OPCODE = { QUERY: 0, NOTIFY: 4, UPDATE: 5 } as const;

/** The message cannot be parsed; the response is FORMERR. */
export class MalformedMessage extends Error {}

/** Undefined for a message that gets no response: shorter than a header, or itself a response. @throws MalformedMessage */
export function readQuery(bytes: Buffer): WireQuery | undefined {
  if (bytes.length < HEADER || (bytes.readUInt16BE(2) & RESPONSE) !== 0) return undefined;
  try {
    return read(bytes);
  } catch (error) {
    throw error instanceof MalformedMessage
      ? error
      : new MalformedMessage('The message is truncated or has a malformed name', { cause: error });
  }
}

/** The TSIG record at the end of a request or response, if present. @throws MalformedMessage */
export function readTsig(bytes: Buffer): WireTsig | undefined {
  if (bytes.readUInt16BE(10) === 0) return undefined;
  let tsig: WireTsig | undefined;
  let at = HEADER;
  for (let left = bytes.readUInt16BE(4); left > 0; left -= 1) at = readName(bytes, at).end + 4;
  for (let left = bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10); left > 0; left -= 1) {
    const record = readRecord(bytes, at);
    if (record.type === TYPE.TSIG && left === 1) tsig = readTsigData(bytes, record);
    at = record.end;
  }
  return tsig;
}

function read(bytes: Buffer): WireQuery {
  if (bytes.readUInt16BE(4) !== 1) throw new MalformedMessage('A request must have one question');
  const opcode = (bytes.readUInt16BE(2) >> 11) & 15;
  const question = readName(bytes, HEADER);
  const questionEnd = question.end + 4;
  return {
    bytes,
    id: bytes.readUInt16BE(0),
    opcode,
    questionEnd,
    name: question.name,
    type: bytes.readUInt16BE(question.end),
    class: bytes.readUInt16BE(question.end + 2),
    ...readRecords(bytes, questionEnd, opcode),
  };
}

function readRecords(bytes: Buffer, start: number, opcode: number): Pick<WireQuery, 'serial' | 'udpSize' | 'tsig'> {
  const answers = bytes.readUInt16BE(6);
  const beforeAdditional = answers + bytes.readUInt16BE(8);
  const records = beforeAdditional + bytes.readUInt16BE(10);
  if (opcode !== OPCODE.UPDATE && records > MAX_QUERY_RECORDS)
    throw new MalformedMessage(`A query must have at most ${MAX_QUERY_RECORDS} records`);
  let serial: number | undefined;
  let udpSize: number | undefined;
  let tsig: WireTsig | undefined;
  let at = start;
  for (let index = 0; index < records; index += 1) {
    if (tsig) throw new MalformedMessage('TSIG must be the last record');
    const record = readRecord(bytes, at);
    if (opcode === OPCODE.QUERY && record.type === TYPE.SOA && index >= answers && index < beforeAdditional)
      serial = readSerial(bytes, record);
    if (record.type === TYPE.OPT) udpSize = record.class;
    if (record.type === TYPE.TSIG) {
      if (index < beforeAdditional) throw new MalformedMessage('TSIG must be in the additional section');
      tsig = readTsigData(bytes, record);
    }
    at = record.end;
  }
  if (at !== bytes.length) throw new MalformedMessage('Unexpected octets after the last record');
  return { serial, udpSize, tsig };
}

/** A record of any type, with the offsets of its start, its RDATA and its end. */
export interface WireRecord {
  readonly start: number;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly data: number;
  readonly end: number;
}

/** Does not read the owner name, because that can cost 100 times as much, and most requests are not authenticated yet. */
export function readRecord(bytes: Buffer, start: number): WireRecord {
  const at = endOfName(bytes, start);
  const data = at + 10;
  const end = data + bytes.readUInt16BE(at + 8);
  if (end > bytes.length) throw new MalformedMessage('A record exceeds the message');
  const ttl = bytes.readUInt32BE(at + 4);
  return { start, type: bytes.readUInt16BE(at), class: bytes.readUInt16BE(at + 2), ttl, data, end };
}

function readSerial(bytes: Buffer, { data, end }: WireRecord): number {
  const at = readName(bytes, readName(bytes, data).end).end;
  if (at + 20 !== end) throw new MalformedMessage('The SOA record has a wrong length');
  return bytes.readUInt32BE(at);
}

function readTsigData(bytes: Buffer, { start, class: recordClass, data, end }: WireRecord): WireTsig {
  const algorithm = readName(bytes, data);
  const macAt = algorithm.end + 10;
  const macEnd = macAt + bytes.readUInt16BE(macAt - 2);
  const otherEnd = macEnd + 6 + bytes.readUInt16BE(macEnd + 4);
  if (otherEnd !== end || recordClass !== CLASS.ANY)
    throw new MalformedMessage('The TSIG record has a wrong length or class');
  return {
    start,
    keyName: readName(bytes, start).name,
    algorithm: algorithm.name,
    timeSigned: bytes.readUIntBE(algorithm.end, 6),
    fudge: bytes.readUInt16BE(algorithm.end + 6),
    mac: bytes.subarray(macAt, macEnd),
    originalId: bytes.readUInt16BE(macEnd),
    error: bytes.readUInt16BE(macEnd + 2),
    otherData: bytes.subarray(macEnd + 6, otherEnd),
  };
}
