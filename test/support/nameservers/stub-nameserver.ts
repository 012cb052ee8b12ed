import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';

const OPCODE = 0x7800;
const NOTIFY = 4 << 11;
const REFUSED = 5;

/** A nameserver that answers with the serials that a test sets, and records NOTIFY messages. */
export class StubNameserver {
  /** Serial by zone name; any other zone is REFUSED. */
  readonly serials = new Map<string, number>();
  readonly notified: string[] = [];
  /** The zones queried or notified while it was silent. */
  readonly ignored: string[] = [];
  isSilent = false;
  private queries = 0;

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<StubNameserver> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new StubNameserver(socket);
    socket.on('message', (bytes, from) => {
      const answer = server.answer(bytes);
      if (answer) socket.send(answer, from.port, from.address);
    });
    return server;
  }

  get port(): number {
    const { port }: AddressInfo = this.socket.address();
    return port;
  }

  /** The number of queries, without NOTIFY. */
  get queryCount(): number {
    return this.queries;
  }

  /** Clears the recorded messages. */
  reset(): void {
    this.notified.length = 0;
    this.queries = 0;
  }

  stop(): void {
    this.socket.close();
  }

  private answer(bytes: Buffer): Buffer | undefined {
    const { id = 0, flags = 0, questions = [] } = decode(bytes);
    const [question] = questions;
    if (!question) return undefined;
    if (this.isSilent) {
      this.ignored.push(question.name);
      return undefined;
    }
    if ((flags & OPCODE) === NOTIFY) {
      this.notified.push(question.name);
      return encode({ type: 'response', id, flags: NOTIFY | AUTHORITATIVE_ANSWER, questions });
    }
    this.queries += 1;
    const serial = this.serials.get(question.name);
    if (serial === undefined) return encode({ type: 'response', id, flags: REFUSED, questions });
    const data = { mname: 'a', rname: 'b', serial, refresh: 1, retry: 1, expire: 1, minimum: 1 };
    return encode({
      type: 'response',
      id,
      flags: AUTHORITATIVE_ANSWER,
      questions,
      answers: [{ type: 'SOA', name: question.name, data }],
    });
  }
}
