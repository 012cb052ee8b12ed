import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { AUTHORITATIVE_ANSWER, encode, type Answer, type DecodedPacket } from 'dns-packet';
import { ipv6Address } from '../../domain/dns/records/types/basic/addresses';
import type { Endpoint } from '../../domain/dns/secondaries/secondary';
import type { TsigKey } from '../../domain/dns/secondaries/tsig-key';
import { decodeResponse } from './wire/decode-response';
import { TsigSigner } from './wire/tsig';
import { EDNS } from './wire/wire-responses';
import { SERIAL_NAME } from './zone-rrsets';

/** A nameserver's answer to a query for a zone's serial. */
export type SerialResult =
  | { readonly kind: 'serves'; readonly serial: number }
  | { readonly kind: 'unknown_zone' }
  | { readonly kind: 'unreachable' };

interface SerialQuery {
  readonly endpoint: Endpoint;
  readonly zoneName: string;
  /** Read the TXT record and not the SOA, whose serial a signing secondary replaces by its own. */
  readonly fromTxtRecord: boolean;
}

interface PendingQuery {
  readonly question: { readonly name: string; readonly type: 'SOA' | 'TXT' };
  readonly resolve: (packet: DecodedPacket | undefined) => void;
}

const NOTIFY = 4 << 11;
const MESSAGE_IDS = 65_536;
const RCODE_MASK = 15;

/** Sends NOTIFY and serial queries to nameservers over UDP. Once closed, it sends nothing, and every nameserver is unreachable. */
export class NameserverClient {
  private readonly sockets = new Map<'udp4' | 'udp6', Socket>();
  private readonly pending = new Map<string, PendingQuery>();
  private isClosed = false;

  /** @param sourceAddress secondaries accept NOTIFY only from the address that they transfer from */
  constructor(
    private readonly timeoutMs: number,
    private readonly sourceAddress?: string,
  ) {}

  /** Sends a signed NOTIFY (RFC 1996) and does not wait for the response: only the served version proves a transfer. */
  notify({ endpoint, zoneName }: Pick<SerialQuery, 'endpoint' | 'zoneName'>, key: TsigKey, now: Date): void {
    const message = encode({
      type: 'query',
      id: randomInt(MESSAGE_IDS),
      flags: NOTIFY | AUTHORITATIVE_ANSWER,
      questions: [{ type: 'SOA', name: zoneName }],
    });
    this.send(new TsigSigner(key, undefined).sign(message, Math.floor(now.getTime() / 1_000)), endpoint);
  }

  /** Sends one query. Never fails: a timeout is `unreachable`. */
  async querySerial({ endpoint, zoneName, fromTxtRecord }: SerialQuery): Promise<SerialResult> {
    const name = fromTxtRecord ? `${SERIAL_NAME}.${zoneName}` : zoneName;
    const type = fromTxtRecord ? 'TXT' : 'SOA';
    const packet = await this.query({ name, type }, endpoint);
    if (!packet) return { kind: 'unreachable' };
    const answer = packet.answers?.find((record) => record.type === type && record.name.toLowerCase() === name);
    const serial = (packet.flags ?? 0) & RCODE_MASK || !packet.flag_aa ? undefined : serialIn(answer);
    return serial === undefined ? { kind: 'unknown_zone' } : { kind: 'serves', serial };
  }

  close(): void {
    this.isClosed = true;
    for (const { resolve } of this.pending.values()) resolve(undefined);
    for (const socket of this.sockets.values()) socket.close();
    this.sockets.clear();
  }

  private query(question: PendingQuery['question'], endpoint: Endpoint): Promise<DecodedPacket | undefined> {
    if (this.isClosed) return Promise.resolve(undefined);
    const id = this.unusedId(endpoint);
    const key = pendingKey(endpoint, id);
    return new Promise((resolve) => {
      const finish = (packet: DecodedPacket | undefined): void => {
        clearTimeout(timer);
        this.pending.delete(key);
        resolve(packet);
      };
      // In halves: after a pause of this process, a timer fires before the responses that have arrived are read.
      let timer = setTimeout(() => {
        timer = setTimeout(finish, this.timeoutMs / 2, undefined);
      }, this.timeoutMs / 2);
      this.pending.set(key, { question, resolve: finish });
      this.send(encode({ type: 'query', id, questions: [question], additionals: [EDNS] }), endpoint);
    });
  }

  private unusedId(endpoint: Endpoint): number {
    for (;;) {
      const id = randomInt(MESSAGE_IDS);
      if (!this.pending.has(pendingKey(endpoint, id))) return id;
    }
  }

  private send(message: Buffer, { address, port }: Endpoint): void {
    if (this.isClosed) return;
    this.socketFor(address).send(message, port, address, () => undefined);
  }

  private socketFor(address: string): Socket {
    const family = isIPv6(address) ? 'udp6' : 'udp4';
    const existing = this.sockets.get(family);
    if (existing) return existing;
    const socket = createSocket(family);
    socket.on('error', () => undefined);
    socket.on('message', (bytes, from) => this.receive(bytes, from));
    this.sockets.set(family, socket);
    const { sourceAddress } = this;
    if (sourceAddress !== undefined && isIPv6(sourceAddress) === isIPv6(address)) socket.bind(0, sourceAddress);
    return socket;
  }

  private receive(bytes: Buffer, from: Endpoint): void {
    if (bytes.length < 12) return;
    const query = this.pending.get(pendingKey(from, bytes.readUInt16BE(0)));
    if (!query) return;
    const packet = decodeResponse(bytes);
    const [question] = packet?.questions ?? [];
    if (
      packet?.type !== 'response' ||
      question?.type !== query.question.type ||
      question.name.toLowerCase() !== query.question.name
    )
      return;
    query.resolve(packet);
  }
}

/** An operator may have written an IPv6 address otherwise than the operating system. */
function pendingKey({ address, port }: Endpoint, id: number): string {
  const canonical = ipv6Address.canonicalize(address, { zoneName: '', ownerName: '', priority: null });
  return `${canonical ?? address} ${port} ${id}`;
}

function serialIn(answer: Answer | undefined): number | undefined {
  if (answer?.type === 'SOA') return answer.data.serial;
  if (answer?.type !== 'TXT') return undefined;
  const text = String(Array.isArray(answer.data) ? answer.data[0] : answer.data);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
