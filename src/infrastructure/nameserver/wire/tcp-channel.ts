import type { Socket } from 'node:net';
import { OPCODE } from './wire-query';
import type { Responder } from '../responder';
import { ClientGone, type KeyOwner, type ResponseChannel } from './response-channel';

const LENGTH_OCTETS = 2;
/** For a complete request, counted from the previous response. */
const REQUEST_TIMEOUT_MS = 10_000;
/** The same before the first valid signature. */
const UNSIGNED_TIMEOUT_MS = 5_000;
/** Before the first valid signature, only an UPDATE may be longer: a query with TSIG has less than 1,200 octets. */
const MAX_UNSIGNED_QUERY = 4_096;
/** Where the octet with the opcode ends, counted from the length field. */
const OPCODE_END = LENGTH_OCTETS + 3;
/** For the client to read what was sent. */
const DRAIN_TIMEOUT_MS = 30_000;

/** Serves one TCP connection: responds to each request before it reads the next. */
export class TcpChannel implements ResponseChannel {
  readonly transport = 'tcp';
  /** What was received of the next requests. */
  private chunks: Buffer[] = [];
  private octets = 0;
  /** The octets without which the next request cannot be complete. */
  private needed = LENGTH_OCTETS;
  private owner: KeyOwner | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly responder: Pick<Responder, 'respond'>,
  ) {}

  get address(): string {
    return this.socket.remoteAddress ?? '';
  }

  /** Undefined before the first valid signature. */
  get keyOwner(): KeyOwner | undefined {
    return this.owner;
  }

  markAuthenticated(owner: KeyOwner): void {
    this.owner = owner;
  }

  /** Settles when the connection has ended. */
  async serve(): Promise<void> {
    this.socket.setNoDelay(true);
    this.socket.on('error', () => this.socket.destroy());
    const deadline = this.closeWhenIdle();
    try {
      for await (const chunk of this.socket) {
        this.chunks.push(chunk as Buffer);
        this.octets += (chunk as Buffer).length;
        for (let request = this.nextRequest(); request; request = this.nextRequest()) {
          deadline.stop();
          await this.responder.respond(request, this);
          deadline.restart();
        }
      }
    } catch {
      // The connection broke.
    } finally {
      deadline.stop();
      this.socket.destroy();
    }
  }

  async send(message: Buffer): Promise<void> {
    const length = Buffer.alloc(LENGTH_OCTETS);
    length.writeUInt16BE(message.length);
    if (this.socket.destroyed || !this.socket.writable) throw new ClientGone();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => this.socket.destroy(), DRAIN_TIMEOUT_MS);
      const finish = (failed?: boolean | Error | null): void => {
        clearTimeout(timer);
        this.socket.off('close', finish);
        if (failed instanceof Error || this.socket.destroyed) reject(new ClientGone());
        else resolve();
      };
      // Not on `drain`: the connection would be idle, and could be closed, before the end of the response is on its way.
      this.socket.once('close', finish).write(Buffer.concat([length, message]), finish);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** Undefined until a request is complete. @throws ClientGone for a request that is too long */
  private nextRequest(): Buffer | undefined {
    if (this.octets < this.needed) return undefined;
    const [only, ...others] = this.chunks;
    const received = only && others.length === 0 ? only : Buffer.concat(this.chunks);
    const end = LENGTH_OCTETS + received.readUInt16BE(0);
    this.assertLength(received, end);
    const isComplete = received.length >= end;
    this.keep(isComplete ? received.subarray(end) : received);
    if (isComplete) return received.subarray(LENGTH_OCTETS, end);
    this.needed = received.length < OPCODE_END ? Math.min(end, OPCODE_END) : end;
    return undefined;
  }

  private keep(received: Buffer): void {
    this.chunks = received.length === 0 ? [] : [received];
    this.octets = received.length;
    this.needed = LENGTH_OCTETS;
  }

  private assertLength(received: Buffer, end: number): void {
    if (this.owner || end <= MAX_UNSIGNED_QUERY || received.length < OPCODE_END) return;
    const opcode = (received.readUInt8(OPCODE_END - 1) >> 3) & 15;
    if (opcode !== OPCODE.UPDATE) throw new ClientGone();
  }

  /** After a stall of this process, a request that has arrived is read first: `setImmediate` follows the sockets. */
  private closeWhenIdle(): { stop(): void; restart(): void } {
    let timer: NodeJS.Timeout;
    let closing: NodeJS.Immediate | undefined;
    const close = (): void => void (closing = setImmediate(() => this.socket.destroy()));
    const restart = (): void => void (timer = setTimeout(close, this.owner ? REQUEST_TIMEOUT_MS : UNSIGNED_TIMEOUT_MS));
    const stop = (): void => {
      clearTimeout(timer);
      clearImmediate(closing);
    };
    restart();
    return { stop, restart };
  }
}
