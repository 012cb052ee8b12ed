import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode, RECURSION_AVAILABLE, type Answer, type DecodedPacket } from 'dns-packet';
import { LoopbackNetwork } from '../dnssec/loopback-network';

export const SERVFAIL = 2;
export const REFUSED = 5;
export const NXDOMAIN = 3;

interface Reply {
  readonly rcode?: number;
  readonly isAuthoritative?: boolean;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
}

/** By question, as `name type`; no records at any other. Undefined: no response. */
type Replies = (question: string) => Reply | undefined;

/**
 * A resolver and nameservers that answer as a test says, each at port 53 of a loopback address, over TCP, and the resolver over UDP.
 * The resolver knows the address of each nameserver, and which zones have which nameservers.
 */
export class StubInternet {
  /** What the resolver answers with instead of records. */
  resolverRcode = 0;
  private readonly network = new LoopbackNetwork();
  private readonly addresses = new Map<string, string>();
  private readonly zones = new Map<string, readonly string[]>();
  private readonly servers: Server[] = [];
  private readonly resolver = createSocket('udp4');

  static async start(): Promise<StubInternet> {
    const internet = new StubInternet();
    internet.resolver.bind(0, '127.0.0.1');
    await once(internet.resolver, 'listening');
    internet.resolver.on('message', (bytes, from) => {
      const query = decode(bytes);
      internet.resolver.send(internet.resolve(query), from.port, from.address);
    });
    return internet;
  }

  /** For DNSSEC_RESOLVER. */
  get resolverAddress(): string {
    return `127.0.0.1:${this.resolver.address().port}`;
  }

  /** A nameserver of that host name. The returned function changes its answers. */
  async nameserver(host: string, replies: Replies): Promise<(replies: Replies) => void> {
    const { address, port } = this.network.next();
    let current = replies;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes: Buffer) => {
        const message = respond(decode(bytes.subarray(2)), (question) => current(question));
        if (message) socket.end(Buffer.concat([lengthOf(message), message]));
      });
    });
    server.listen(port, address);
    await once(server, 'listening');
    this.servers.push(server);
    this.addresses.set(host, address);
    return (changed) => (current = changed);
  }

  /** What the resolver says of a zone. */
  zone(name: string, hosts: readonly string[]): void {
    this.zones.set(name, hosts);
  }

  stop(): void {
    this.resolver.close();
    for (const server of this.servers) server.close();
  }

  private resolve(query: DecodedPacket): Buffer {
    const replies = (question: string): Reply => {
      const [name = '', type] = question.split(' ');
      const address = this.addresses.get(name);
      const hosts = this.zones.get(name) ?? [];
      if (this.resolverRcode !== 0) return { rcode: this.resolverRcode };
      if (type === 'NS') return { answers: hosts.map((data) => ({ type, name, data })) };
      return type === 'A' && address !== undefined ? { answers: [{ type, name, data: address }] } : {};
    };
    return respond(query, replies, RECURSION_AVAILABLE) ?? Buffer.alloc(0);
  }
}

/** What the nameservers of the zone above answer for the NS records of a delegated name. */
export function referral(name: string, hosts: readonly string[]): Reply {
  return { isAuthoritative: false, authorities: hosts.map((data) => ({ type: 'NS', name, data })) };
}

export function texts(name: string, ...values: readonly string[]): Reply {
  return { answers: values.map((data) => ({ type: 'TXT', name, ttl: 60, data })) };
}

function respond({ id = 0, questions = [] }: DecodedPacket, replies: Replies, otherFlags = 0): Buffer | undefined {
  const [question] = questions;
  const reply = replies(`${question?.name.toLowerCase()} ${question?.type}`);
  if (!reply) return undefined;
  const { rcode = 0, isAuthoritative = true, answers = [], authorities = [] } = reply;
  const flags = otherFlags | rcode | (isAuthoritative ? AUTHORITATIVE_ANSWER : 0);
  return encode({ type: 'response', id, flags, questions, answers: [...answers], authorities: [...authorities] });
}

function lengthOf(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return length;
}
