// Transfers a zone over TCP, and counts its records and octets.
import { connect } from 'node:net';
import { decode, encode } from 'dns-packet';
import { TsigSigner } from '#dist/infrastructure/nameserver/wire/tsig.js';

const SOA = 6;
const HEADER = 12;
const ANSWERS_AT = 6;
const NO_SOA = { mname: '', rname: '', refresh: 0, retry: 0, expire: 0, minimum: 0 };

/**
 * Until the message that ends with the last SOA record, which is counted: `{ records, octets, seconds, serial }`, with the serial of the
 * zone. AXFR, or with a serial IXFR from there.
 */
export async function transferZone(port, key, zone, since) {
  const request = new TsigSigner(key, undefined).sign(
    encode({
      type: 'query',
      id: 1,
      questions: [{ type: since === undefined ? 'AXFR' : 'IXFR', name: zone }],
      authorities: since === undefined ? [] : [{ type: 'SOA', name: zone, data: { ...NO_SOA, serial: since } }],
    }),
    Math.floor(Date.now() / 1_000),
  );
  const began = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.write(Buffer.concat([Buffer.from([request.length >> 8, request.length & 255]), request]));
  let received = Buffer.alloc(0);
  let [records, octets] = [0, 0];
  let serial;
  let isComplete = false;
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    let at = 0;
    while (received.length >= at + 2 && received.length >= at + 2 + received.readUInt16BE(at)) {
      const length = received.readUInt16BE(at);
      const message = received.subarray(at + 2, at + 2 + length);
      const isFirst = records === 0;
      if (isFirst) serial = serialOf(message);
      octets += length;
      records += message.readUInt16BE(ANSWERS_AT);
      isComplete = lastType(message) === SOA && !(isFirst && message.readUInt16BE(ANSWERS_AT) === 1);
      at += 2 + length;
    }
    received = received.subarray(at);
    if (isComplete) break;
  }
  socket.destroy();
  if (!isComplete) throw new Error(`the transfer ended after ${records} records`);
  return { records, octets, seconds: (performance.now() - began) / 1_000, serial };
}

/** The serial of the first answer, if it is an SOA record. */
export function serialOf(message) {
  const [first] = decode(message).answers ?? [];
  return first?.type === 'SOA' ? first.data.serial : undefined;
}

/** The type of the last answer. */
function lastType(message) {
  let at = skipName(message, HEADER) + 4;
  let type = 0;
  for (let left = message.readUInt16BE(ANSWERS_AT); left > 0; left -= 1) {
    at = skipName(message, at);
    type = message.readUInt16BE(at);
    at += 10 + message.readUInt16BE(at + 8);
  }
  return type;
}

function skipName(message, start) {
  let at = start;
  while (message[at] !== 0 && message[at] < 0xc0) at += message[at] + 1;
  return at + (message[at] === 0 ? 1 : 2);
}
