import { AUTHORITATIVE_ANSWER, encode, encodingLength, type Answer } from 'dns-packet';
import { MAX_MESSAGE, type PackedAnswers } from './message-packer';
import type { Transport } from './response-channel';
import { TYPE, type WireQuery } from './wire-query';

const HEADER = 12;
const FLAGS_AT = 2;
const QUESTIONS_AT = 4;
const ANSWERS_AT = 6;
const ADDITIONALS_AT = 10;
const RESPONSE = 0x8000;
const TRUNCATED = 0x0200;
/** Opcode and RD, which a response copies from the request: RFC 1035, section 4.1.1. */
const COPIED_FLAGS = 0x7900;
/** Avoids IP fragmentation: RFC 9715. */
const UDP_SIZE = 1_232;
/** Without EDNS: RFC 1035, section 4.2.1. */
const PLAIN_UDP_SIZE = 512;
/** An OPT record without options: RFC 6891. */
export const EDNS: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_SIZE,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};
/** Octets of a header and an OPT record. */
export const OVERHEAD = encodingLength({ additionals: [EDNS] });

/** The largest response to a query, in octets. */
export function sizeLimit({ udpSize }: WireQuery, transport: Transport): number {
  return transport === 'tcp' ? MAX_MESSAGE : Math.max(PLAIN_UDP_SIZE, Math.min(udpSize ?? 0, UDP_SIZE));
}

/** A response to a message whose header alone can be parsed. */
export function headerResponse(bytes: Buffer, rcode: number): Buffer {
  const response = Buffer.alloc(HEADER);
  bytes.copy(response, 0, 0, FLAGS_AT);
  response.writeUInt16BE(RESPONSE | (bytes.readUInt16BE(FLAGS_AT) & COPIED_FLAGS) | rcode, FLAGS_AT);
  return response;
}

/** A response without records; the question is copied octet by octet. */
export function questionResponse({ bytes, questionEnd }: WireQuery, rcode: number): Buffer {
  const header = headerResponse(bytes, rcode);
  header.writeUInt16BE(1, QUESTIONS_AT);
  return Buffer.concat([header, bytes.subarray(HEADER, questionEnd)]);
}

/** RFC 8914: the option of an extended DNS error, and the code for a client that may not do what it asks. */
const EXTENDED_ERROR = 15;
const PROHIBITED = 18;

/** The response to an update, with EDNS if the request has it, and with an extended DNS error that says why it is refused. */
export function updateResponse(
  query: WireQuery,
  { rcode, reason }: { readonly rcode: number; readonly reason?: string },
): Buffer {
  const response = questionResponse(query, rcode);
  if (query.udpSize === undefined) return response;
  const text = Buffer.from(reason ?? '');
  const option =
    reason === undefined ? [] : [uint16(EXTENDED_ERROR), uint16(2 + text.length), uint16(PROHIBITED), text];
  const data = Buffer.concat(option);
  response.writeUInt16BE(1, ADDITIONALS_AT);
  const root = Buffer.alloc(1);
  const flags = Buffer.alloc(4);
  return Buffer.concat([response, root, uint16(TYPE.OPT), uint16(UDP_SIZE), flags, uint16(data.length), data]);
}

function uint16(value: number): Buffer {
  const octets = Buffer.alloc(2);
  octets.writeUInt16BE(value);
  return octets;
}

export function truncatedResponse(query: WireQuery): Buffer {
  const response = questionResponse(query, 0);
  response.writeUInt16BE(response.readUInt16BE(FLAGS_AT) | TRUNCATED, FLAGS_AT);
  return response;
}

export interface ResponseOptions {
  readonly authorities?: readonly Answer[];
  readonly additionals?: readonly Answer[];
  readonly rcode?: number;
  /** A referral to the nameservers in `authorities`, without the AA flag. */
  readonly isReferral?: boolean;
}

/** An authoritative response, with EDNS if the request has it. */
export function authoritativeResponse(
  query: WireQuery,
  answers: readonly Answer[],
  { authorities = [], additionals = [], rcode = 0, isReferral = false }: ResponseOptions = {},
): Buffer {
  const { bytes, questionEnd } = query;
  const copied = bytes.readUInt16BE(FLAGS_AT) & COPIED_FLAGS;
  const flags = copied | (isReferral ? 0 : AUTHORITATIVE_ANSWER) | rcode;
  const records = encode({
    type: 'response',
    id: query.id,
    flags,
    answers: [...answers],
    authorities: [...authorities],
    additionals: [...additionals, ...(query.udpSize === undefined ? [] : [EDNS])],
  });
  records.writeUInt16BE(1, QUESTIONS_AT);
  return Buffer.concat([records.subarray(0, HEADER), bytes.subarray(HEADER, questionEnd), records.subarray(HEADER)]);
}

/** An authoritative response with answers that are encoded already. */
export function packedResponse(query: WireQuery, { count, octets }: PackedAnswers): Buffer {
  const empty = authoritativeResponse(query, []);
  empty.writeUInt16BE(count, ANSWERS_AT);
  return Buffer.concat([empty.subarray(0, query.questionEnd), octets, empty.subarray(query.questionEnd)]);
}
