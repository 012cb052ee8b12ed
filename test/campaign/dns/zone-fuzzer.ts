import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { isSignedResponse } from '../../../src/infrastructure/nameserver/wire/tsig';
import { MalformedMessage, OPCODE, readTsig } from '../../../src/infrastructure/nameserver/wire/wire-query';
import type { SeededRandom } from '../../crash/random';
import { frame, sendUdp, signRequest, truncateMac } from '../../support/nameservers/primary-client';
import type { DnsService } from './dns-service';
import { encodeUpdate, randomUpdate } from './update-messages';
import { ZoneModel, type ModelUpdate } from './update-model';

const COMPARE_EVERY = 1_000;
const REPLAYABLE = 200;
const MAX_FAILURES = 20;
const UDP_TIMEOUT_MS = 2_000;
const DELEGATION = ['ns1.namewright.example', 'ns2.namewright.example'];
const RCODES = 'NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED YXDOMAIN YXRRSET NXRRSET NOTAUTH NOTZONE'.split(' ');
export const KINDS = ['valid', 'over UDP', 'mutated', 'wrongly signed', 'repeated', 'random'] as const;
export type Kind = (typeof KINDS)[number];

interface Keys {
  readonly own: TsigKey;
  readonly reading: TsigKey;
  readonly stranger: TsigKey;
}

interface Sent {
  readonly request: Buffer;
  readonly rcode: string;
}

/** One zone, updated over one connection at a time, so that the order of its messages is known. */
export class ZoneFuzzer {
  readonly counts = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]));
  accepted = 0;
  private readonly model = new ZoneModel(DELEGATION);
  private readonly sent: Sent[] = [];
  private connection: Connection;
  private id = 0;

  constructor(
    private readonly service: DnsService,
    private readonly zone: { readonly id: string; readonly name: string },
    private readonly keys: Keys,
    private readonly random: SeededRandom,
    private readonly failures: string[],
  ) {
    this.connection = new Connection(service.dns);
  }

  async run(messages: number, onSent: () => void): Promise<void> {
    for (let count = 1; count <= messages && this.failures.length < MAX_FAILURES; count += 1) {
      const kind = this.drawKind();
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
      await this.send(kind);
      onSent();
      if (count % COMPARE_EVERY === 0 || count === messages) await this.compare();
      if (this.random.next() < 0.002) this.reconnect();
    }
    this.connection.close();
  }

  private drawKind(): Kind {
    const drawn = this.random.next();
    if (drawn < 0.52) return 'valid';
    if (drawn < 0.57) return 'over UDP';
    if (drawn < 0.75) return 'mutated';
    if (drawn < 0.85) return 'wrongly signed';
    return drawn < 0.95 ? 'repeated' : 'random';
  }

  private async send(kind: Kind): Promise<void> {
    const update = randomUpdate(this.random);
    this.id = (this.id + 1) % 65_536;
    const message = encodeUpdate(this.id, this.zone.name, update);
    if (kind === 'repeated') return this.repeat();
    if (kind === 'random') return this.expectNoEffect(kind, this.randomOctets());
    if (kind === 'wrongly signed') return this.expectNoEffect(kind, this.signWrongly(message));
    const request = signRequest(message, this.keys.own);
    if (kind === 'mutated') return this.sendMutated(request, update);
    const response = kind === 'valid' ? await this.exchange(request) : await this.exchangeOverUdp(request);
    this.expect(kind, request, response, this.model.apply(update), update);
  }

  /**
   * A mutation of octets that TSIG does not cover leaves the message valid, and only then has it an effect. A mutation into an
   * unsigned query may be answered: queries for SOA and NS are public.
   */
  private async sendMutated(request: Buffer, update: ModelUpdate): Promise<void> {
    const mutated = Buffer.from(request);
    for (let left = this.random.between(1, 4); left > 0; left -= 1)
      mutated[this.random.between(2, mutated.length - 1)] = this.random.between(0, 255);
    // A response (QR) gets no response.
    mutated.writeUInt8(mutated.readUInt8(2) & 0x7f, 2);
    const response = await this.exchange(mutated);
    if (isUnsignedQuery(mutated)) return;
    if (this.isSigned(request, response) && rcodeOf(response) !== 'NOTAUTH')
      this.expect('mutated', request, response, this.model.apply(update), update);
    else this.expectRefusal('mutated', response, mutated);
  }

  private async repeat(): Promise<void> {
    const known = this.sent[this.random.between(0, this.sent.length - 1)];
    if (!known) return;
    const rcode = rcodeOf(await this.exchange(known.request));
    if (rcode !== known.rcode) this.fail(`a repetition got ${rcode} after ${known.rcode}`);
  }

  private async expectNoEffect(kind: Kind, request: Buffer): Promise<void> {
    this.expectRefusal(kind, await this.exchange(request), request);
  }

  private expectRefusal(kind: Kind, response: Buffer, request: Buffer): void {
    if (rcodeOf(response) === 'NOERROR') this.fail(`a ${kind} message got NOERROR: ${request.toString('hex')}`);
  }

  private expect(kind: Kind, request: Buffer, response: Buffer, wanted: string, update: ModelUpdate): void {
    const rcode = rcodeOf(response);
    if (rcode === 'NOERROR') this.accepted += 1;
    if (rcode !== wanted) this.fail(`a ${kind} message got ${rcode} instead of ${wanted}: ${JSON.stringify(update)}`);
    if (!this.isSigned(request, response)) this.fail(`the response to a ${kind} message is not signed`);
    this.sent.push({ request, rcode });
    if (this.sent.length > REPLAYABLE) this.sent.shift();
  }

  private isSigned(request: Buffer, response: Buffer): boolean {
    const [asked, answered] = [readTsig(request), tsigOf(response)];
    return (
      asked !== undefined && answered !== undefined && isSignedResponse(response, answered, this.keys.own, asked.mac)
    );
  }

  private signWrongly(message: Buffer): Buffer {
    const { own, reading, stranger } = this.keys;
    const long = new Date(Date.now() - this.random.between(301, 100_000) * 1_000);
    return this.random.oneOf([
      () => message,
      () => signRequest(message, { ...own, secret: Buffer.alloc(32, 9) }),
      () => signRequest(message, { ...own, name: 'ab'.repeat(9) }),
      () => signRequest(message, own, long),
      () => truncateMac(signRequest(message, own), 16),
      () => signRequest(message, reading),
      () => signRequest(message, stranger),
    ])();
  }

  private randomOctets(): Buffer {
    const octets = Buffer.from(Array.from({ length: this.random.between(12, 200) }, () => this.random.between(0, 255)));
    octets.writeUInt8(octets.readUInt8(2) & 0x7f, 2);
    return octets;
  }

  private async exchange(request: Buffer): Promise<Buffer> {
    const response = await this.connection.exchange(request);
    if (response) return response;
    this.fail(`the connection ended after ${request.toString('hex')}`);
    this.reconnect();
    return Buffer.alloc(12);
  }

  /** Repeats a datagram that is lost. */
  private async exchangeOverUdp(request: Buffer): Promise<Buffer> {
    for (;;) {
      const response = await sendUdp(this.service.dns, request, UDP_TIMEOUT_MS);
      if (response) return response;
    }
  }

  private reconnect(): void {
    this.connection.close();
    this.connection = new Connection(this.service.dns);
  }

  private async compare(): Promise<void> {
    const records = await this.service.call('GET', `/api/domains/${this.zone.id}/dns/records`);
    const found = (records as unknown as Record<string, string | number | null>[])
      .map(({ name, ttl, type, priority, content }) =>
        [name, ttl, type, ...(priority === null ? [] : [priority]), String(content).replaceAll('"', '')].join(' '),
      )
      .toSorted();
    const wanted = this.model.lines();
    const differing = [
      ...found.filter((line) => !wanted.includes(line)).map((line) => `unexpected ${line}`),
      ...wanted.filter((line) => !found.includes(line)).map((line) => `missing ${line}`),
    ];
    if (differing.length > 0) this.fail(`the zone differs from the model: ${differing.slice(0, 5).join('; ')}`);
  }

  private fail(what: string): void {
    this.failures.push(`${this.zone.name}: ${what}`);
  }
}

/** One TCP connection with one message in flight. */
class Connection {
  private readonly socket: Socket;
  private received = Buffer.alloc(0);
  private resolve: ((response: Buffer | undefined) => void) | undefined;

  constructor({ address, port }: Endpoint) {
    this.socket = connect(port, address).setNoDelay(true);
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.resolve?.(undefined));
    this.socket.on('data', (chunk: Buffer) => this.read(chunk));
  }

  async exchange(request: Buffer): Promise<Buffer | undefined> {
    if (this.socket.connecting) await once(this.socket, 'connect');
    if (this.socket.destroyed) return undefined;
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.socket.write(frame(request));
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    if (this.received.length < 2 || this.received.length < 2 + this.received.readUInt16BE(0)) return;
    const response = this.received.subarray(2);
    this.received = Buffer.alloc(0);
    this.resolve?.(response);
  }
}

function isUnsignedQuery(message: Buffer): boolean {
  return opcodeOf(message) === OPCODE.QUERY && tsigOf(message) === undefined;
}

function opcodeOf(message: Buffer): number {
  return (message.readUInt8(2) >> 3) & 15;
}

/** Undefined if a message cannot be read: a response repeats the question of its request, which can be malformed. */
function tsigOf(message: Buffer): ReturnType<typeof readTsig> {
  try {
    return readTsig(message);
  } catch (error) {
    if (error instanceof RangeError || error instanceof MalformedMessage) return undefined;
    throw error;
  }
}

function rcodeOf(response: Buffer): string {
  const rcode = response.readUInt8(3) & 15;
  return RCODES[rcode] ?? String(rcode);
}
