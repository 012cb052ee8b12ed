import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer, type DecodedPacket } from 'dns-packet';
import type { Endpoint } from '../../domain/dns/secondary';
import type { TsigKey } from '../../domain/dns/tsig-key';
import { TsigSigner } from './wire/tsig';
import { UDP_SIZE } from './wire/wire-replies';
import { VERSION_NAME } from './zone-answers';

/** What a nameserver answers when it is asked for a zone's version. */
export type VersionAnswer =
  | { readonly kind: 'serves'; readonly version: number }
  | { readonly kind: 'unknown_zone' }
  | { readonly kind: 'unreachable' };

export interface Question {
  readonly endpoint: Endpoint;
  readonly zoneName: string;
  /** By the record that a signing nameserver cannot make itself, and not by the serial. */
  readonly byRecord: boolean;
}

interface Waiting {
  readonly question: { readonly name: string; readonly type: 'SOA' | 'TXT' };
  readonly settle: (packet: DecodedPacket | undefined) => void;
}

const NOTIFY = 4 << 11;
const IDS = 65_536;
const RCODE_BITS = 15;
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

/** Talks to nameservers by UDP: tells them of changes, and asks what they serve. */
export class NameserverClient {
  private readonly sockets = new Map<'udp4' | 'udp6', Socket>();
  private readonly waiting = new Map<string, Waiting>();

  /** @param from the address to speak from, where nameservers expect it to be the one that they pull from */
  constructor(
    private readonly answerWithinMs: number,
    private readonly from?: string,
  ) {}

  /** Tells of a change, RFC 1996, signed. Whether it arrives shows only in what the nameserver serves later. */
  notify({ endpoint, zoneName }: Pick<Question, 'endpoint' | 'zoneName'>, key: TsigKey, now: Date): void {
    const message = encode({
      type: 'query',
      id: randomInt(IDS),
      flags: NOTIFY | AUTHORITATIVE_ANSWER,
      questions: [{ type: 'SOA', name: zoneName }],
    });
    this.send(new TsigSigner(key, undefined).sign(message, Math.floor(now.getTime() / 1_000)), endpoint);
  }

  /** Asks once. Never fails. */
  async version({ endpoint, zoneName, byRecord }: Question): Promise<VersionAnswer> {
    const name = byRecord ? `${VERSION_NAME}.${zoneName}` : zoneName;
    const type = byRecord ? 'TXT' : 'SOA';
    const packet = await this.ask({ name, type }, endpoint);
    if (!packet) return { kind: 'unreachable' };
    const answer = packet.answers?.find((record) => record.type === type && record.name.toLowerCase() === name);
    const version = (packet.flags ?? 0) & RCODE_BITS || !packet.flag_aa ? undefined : versionIn(answer);
    return version === undefined ? { kind: 'unknown_zone' } : { kind: 'serves', version };
  }

  close(): void {
    for (const { settle } of this.waiting.values()) settle(undefined);
    for (const socket of this.sockets.values()) socket.close();
    this.sockets.clear();
  }

  private ask(question: Waiting['question'], endpoint: Endpoint): Promise<DecodedPacket | undefined> {
    const id = this.freeId(endpoint);
    const key = waitingKey(endpoint, id);
    return new Promise((resolve) => {
      const settle = (packet: DecodedPacket | undefined): void => {
        clearTimeout(timer);
        this.waiting.delete(key);
        resolve(packet);
      };
      const timer = setTimeout(settle, this.answerWithinMs, undefined);
      this.waiting.set(key, { question, settle });
      this.send(encode({ type: 'query', id, questions: [question], additionals: [EDNS] }), endpoint);
    });
  }

  private freeId(endpoint: Endpoint): number {
    for (;;) {
      const id = randomInt(IDS);
      if (!this.waiting.has(waitingKey(endpoint, id))) return id;
    }
  }

  private send(message: Buffer, { address, port }: Endpoint): void {
    this.socketFor(address).send(message, port, address, () => undefined);
  }

  private socketFor(address: string): Socket {
    const family = isIPv6(address) ? 'udp6' : 'udp4';
    const existing = this.sockets.get(family);
    if (existing) return existing;
    const socket = createSocket(family);
    socket.on('error', () => undefined);
    socket.on('message', (bytes, from) => this.heard(bytes, from));
    this.sockets.set(family, socket);
    if (this.from !== undefined && isIPv6(this.from) === isIPv6(address)) socket.bind(0, this.from);
    return socket;
  }

  private heard(bytes: Buffer, from: Endpoint): void {
    if (bytes.length < 12) return;
    const waiting = this.waiting.get(waitingKey(from, bytes.readUInt16BE(0)));
    if (!waiting) return;
    const packet = decoded(bytes);
    const [asked] = packet?.questions ?? [];
    if (
      packet?.type !== 'response' ||
      asked?.type !== waiting.question.type ||
      asked.name.toLowerCase() !== waiting.question.name
    )
      return;
    waiting.settle(packet);
  }
}

function waitingKey({ address, port }: Endpoint, id: number): string {
  return `${address} ${port} ${id}`;
}

function decoded(bytes: Buffer): DecodedPacket | undefined {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
}

function versionIn(answer: Answer | undefined): number | undefined {
  if (answer?.type === 'SOA') return answer.data.serial;
  if (answer?.type !== 'TXT') return undefined;
  const text = String(Array.isArray(answer.data) ? answer.data[0] : answer.data);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
