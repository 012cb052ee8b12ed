import { AUTHORITATIVE_ANSWER, encode, encodingLength, type Answer } from 'dns-packet';
import type { WireQuery } from './wire-query';

const HEADER = 12;
const FLAGS_AT = 2;
const QUESTIONS_AT = 4;
const RESPONSE = 0x8000;
const TRUNCATED = 0x0200;
/** Opcode and RD are given back as they came, RFC 1035, section 4.1.1. */
const GIVEN_BACK = 0x7900;
/** What passes everywhere without fragments, RFC 9715. */
export const UDP_SIZE = 1_232;
const EDNS: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_SIZE,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};
/** Octets of a header and of EDNS. */
export const OVERHEAD = encodingLength({ additionals: [EDNS] });

/** An answer to what makes no sense beyond its header. */
export function headerReply(bytes: Buffer, rcode: number): Buffer {
  const reply = Buffer.alloc(HEADER);
  bytes.copy(reply, 0, 0, FLAGS_AT);
  reply.writeUInt16BE(RESPONSE | (bytes.readUInt16BE(FLAGS_AT) & GIVEN_BACK) | rcode, FLAGS_AT);
  return reply;
}

/** An answer without records; the question is given back octet by octet. */
export function questionReply({ bytes, questionEnd }: WireQuery, rcode: number): Buffer {
  const header = headerReply(bytes, rcode);
  header.writeUInt16BE(1, QUESTIONS_AT);
  return Buffer.concat([header, bytes.subarray(HEADER, questionEnd)]);
}

export function truncatedReply(query: WireQuery): Buffer {
  const reply = questionReply(query, 0);
  reply.writeUInt16BE(reply.readUInt16BE(FLAGS_AT) | TRUNCATED, FLAGS_AT);
  return reply;
}

/** An authoritative answer, with EDNS where the question had it. */
export function answerMessage(query: WireQuery, answers: readonly Answer[]): Buffer {
  const { bytes, questionEnd } = query;
  const flags = (bytes.readUInt16BE(FLAGS_AT) & GIVEN_BACK) | AUTHORITATIVE_ANSWER;
  const records = encode({
    type: 'response',
    id: query.id,
    flags,
    answers: [...answers],
    additionals: query.udpSize === undefined ? [] : [EDNS],
  });
  records.writeUInt16BE(1, QUESTIONS_AT);
  return Buffer.concat([records.subarray(0, HEADER), bytes.subarray(HEADER, questionEnd), records.subarray(HEADER)]);
}
