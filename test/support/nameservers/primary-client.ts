import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { decode, encode, type DecodedPacket, type Packet, type RecordType } from 'dns-packet';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { TsigSigner } from '../../../src/infrastructure/nameserver/wire/tsig';
import { readTsig } from '../../../src/infrastructure/nameserver/wire/wire-query';

export interface Question {
  readonly type: RecordType;
  readonly name: string;
  readonly serial?: number;
}

/** An unsigned request as a secondary sends it. */
export function requestFor({ type, name, serial }: Question, overrides: Packet = {}): Buffer {
  const soa = { mname: '.', rname: '.', serial, refresh: 0, retry: 0, expire: 0, minimum: 0 };
  return encode({
    type: 'query',
    id: 4_711,
    questions: [{ type, name }],
    authorities: serial === undefined ? [] : [{ type: 'SOA', name, data: soa }],
    ...overrides,
  });
}

export function signRequest(request: Buffer, key: TsigKey, at = new Date()): Buffer {
  return new TsigSigner(key, undefined).sign(request, Math.floor(at.getTime() / 1_000));
}

/** Truncates the MAC of a signed message to `length` octets. */
export function truncateMac(bytes: Buffer, length: number): Buffer {
  const { start, mac } = readTsig(bytes) ?? { start: 0, mac: Buffer.alloc(0) };
  const macAt = bytes.indexOf(mac, start);
  const shorter = Buffer.concat([bytes.subarray(0, macAt + length), bytes.subarray(macAt + mac.length)]);
  shorter.writeUInt16BE(length, macAt - 2);
  const dataAt = macAt - 2 - 8 - Buffer.from('\x0bhmac-sha256\0').length;
  shorter.writeUInt16BE(bytes.readUInt16BE(dataAt - 2) - (mac.length - length), dataAt - 2);
  return shorter;
}

/** Sends a request over UDP. Returns the response, or undefined after a timeout. */
export async function sendUdp(
  { address, port }: Endpoint,
  request: Buffer,
  timeoutMs = 30_000,
): Promise<Buffer | undefined> {
  const socket = createSocket('udp4');
  try {
    socket.send(request, port, address);
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [Buffer];
    return answer;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

/** Adds the two-octet length field of DNS over TCP. */
export function frame(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** Sends a request over TCP. Returns the responses until `isLast` accepts them or the connection ends. */
export async function sendTcp(
  { address, port }: Endpoint,
  request: Buffer,
  isLast: (messages: readonly DecodedPacket[]) => boolean,
): Promise<readonly Buffer[]> {
  const socket = connect(port, address);
  socket.write(frame(request));
  return readMessages(socket, isLast);
}

export async function readMessages(
  socket: Socket,
  isLast: (messages: readonly DecodedPacket[]) => boolean,
): Promise<readonly Buffer[]> {
  const messages: Buffer[] = [];
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        messages.push(received.subarray(2, end));
        received = received.subarray(end);
        if (isLast(messages.map((message) => decode(message)))) return messages;
      }
    }
  } catch {
    // The connection broke: return what arrived.
  } finally {
    socket.destroy();
  }
  return messages;
}

/** Whether a zone transfer is complete: an error, or the second SOA. */
export function isCompleteTransfer(messages: readonly DecodedPacket[]): boolean {
  const answers = messages.flatMap((message) => message.answers ?? []);
  return rcodeOf(messages[0]) !== 0 || answers.filter(({ type }) => type === 'SOA').length === 2;
}

export function rcodeOf(message: DecodedPacket | undefined): number {
  return (message?.flags ?? 0) & 15;
}
