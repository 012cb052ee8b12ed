import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { isIPv6 } from 'node:net';
import { encode, type Answer, type DecodedPacket, type RecordType } from 'dns-packet';
import type { Endpoint } from '../../../domain/dns/secondaries/secondary';
import { decodeResponse } from '../wire/decode-response';
import { EDNS } from '../wire/wire-responses';

/** After a stall of this process, a response that has arrived is read first: `setImmediate` follows the sockets. */
const TIMEOUT_MS = 2_000;
const ATTEMPTS = 2;
const MESSAGE_IDS = 65_536;
const HEADER = 12;
const RCODE_MASK = 15;
export const NAME_ERROR = 3;

/** The DO bit. */
const SIGNATURES_WANTED = { flags: 0x8000, flag_do: true };

interface DnsQuestion {
  readonly name: string;
  readonly type: RecordType;
  /** Asks for RRSIG records, too (RFC 3225). */
  readonly withSignatures?: boolean;
  /** Never over UDP, where an attacker can answer in place of the nameserver. */
  readonly overTcp?: boolean;
}

/** An authoritative answer; the records are those of the asked name. */
interface AuthoritativeAnswer {
  readonly answers: readonly Answer[];
  /** The SOA of a negative answer. */
  readonly authorities: readonly Answer[];
}

/** Asks one nameserver over UDP, and over TCP if the answer is truncated. Undefined without an authoritative answer. */
export async function ask(endpoint: Endpoint, question: DnsQuestion): Promise<AuthoritativeAnswer | undefined> {
  const response = await query(endpoint, question);
  if (!isAnswered(response) || !response.flag_aa) return undefined;
  const answers = (response.answers ?? []).filter(({ name }) => name.toLowerCase() === question.name);
  return { answers, authorities: response.authorities ?? [] };
}

/** The whole response of one nameserver, whatever its RCODE. Never fails: undefined without a response. */
export async function query(endpoint: Endpoint, question: DnsQuestion, flags = 0): Promise<DecodedPacket | undefined> {
  if (question.overTcp) return exchange(endpoint, question, flags, overTcp);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const packet = await exchange(endpoint, question, flags, overUdp);
    if (packet) return packet.flag_tc ? exchange(endpoint, question, flags, overTcp) : packet;
  }
  return undefined;
}

/** Whether a resolver says what a name has, or that it does not exist; another one may know if it fails. */
export function isAnswered(response: DecodedPacket | undefined): response is DecodedPacket {
  const rcode = rcodeOf(response);
  return response !== undefined && (rcode === 0 || rcode === NAME_ERROR);
}

export function rcodeOf(packet: DecodedPacket | undefined): number {
  return (packet?.flags ?? 0) & RCODE_MASK;
}

const RCODE_NAMES = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
];

export function rcodeName(rcode: number): string {
  return RCODE_NAMES[rcode] ?? `RCODE ${rcode}`;
}

type Transport = (endpoint: Endpoint, message: Buffer, accept: (bytes: Buffer) => boolean) => Promise<void>;

/** Never fails: undefined without a matching response in time. */
async function exchange(
  endpoint: Endpoint,
  { name, type, withSignatures = false }: DnsQuestion,
  flags: number,
  send: Transport,
): Promise<DecodedPacket | undefined> {
  const id = randomInt(MESSAGE_IDS);
  let response: DecodedPacket | undefined;
  const accept = (bytes: Buffer): boolean => {
    if (bytes.length < HEADER || bytes.readUInt16BE(0) !== id) return false;
    const packet = decodeResponse(bytes);
    const [question] = packet?.questions ?? [];
    if (packet?.type !== 'response' || question?.type !== type) return false;
    if (question.name.toLowerCase() !== name) return false;
    response = packet;
    return true;
  };
  await send(
    endpoint,
    encode({
      type: 'query',
      id,
      flags,
      questions: [{ type, name }],
      additionals: [{ ...EDNS, ...(withSignatures && SIGNATURES_WANTED) }],
    }),
    accept,
  );
  return response;
}

/** From a fresh random port, and only the asked address may answer. */
function overUdp({ address, port }: Endpoint, message: Buffer, accept: (bytes: Buffer) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    let isFinished = false;
    const finish = (): void => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      socket.removeAllListeners('error').on('error', () => undefined);
      socket.close(() => resolve());
    };
    const timer = setTimeout(() => setImmediate(finish), TIMEOUT_MS);
    socket.once('error', finish);
    socket.on('message', (bytes) => {
      if (accept(bytes)) finish();
    });
    socket.connect(port, address, () => socket.send(message));
  });
}

function overTcp({ address, port }: Endpoint, message: Buffer, accept: (bytes: Buffer) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => setImmediate(() => socket.destroy()), TIMEOUT_MS);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.length < 2 ? Infinity : 2 + received.readUInt16BE(0);
      if (received.length < end) return;
      accept(received.subarray(2, end));
      socket.destroy();
    });
    socket.write(Buffer.concat([length, message]));
  });
}
