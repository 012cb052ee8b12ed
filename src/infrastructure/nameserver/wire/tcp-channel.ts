import type { Socket } from 'node:net';
import { Gone, type ReplyChannel, type Responder } from '../responder';

const LENGTH_OCTETS = 2;
/** Far more than a signed request takes. */
const MAX_REQUEST = 4_096;
/** To send a request whole, and to begin the next one. */
const REQUEST_WITHIN_MS = 10_000;
/** To take what was sent, before the rest is sent. */
const DRAIN_WITHIN_MS = 30_000;

/** One connection: requests one after the other, each answered before the next is read. */
export class TcpChannel implements ReplyChannel {
  readonly transport = 'tcp';
  private received = Buffer.alloc(0);
  private isTrusted = false;

  constructor(
    private readonly socket: Socket,
    private readonly responder: Responder,
  ) {}

  get trusted(): boolean {
    return this.isTrusted;
  }

  trust(): void {
    this.isTrusted = true;
  }

  /** Settles when the connection has ended. */
  async serve(): Promise<void> {
    this.socket.setNoDelay(true);
    this.socket.on('error', () => this.socket.destroy());
    const deadline = this.closeAfter(REQUEST_WITHIN_MS);
    try {
      for await (const chunk of this.socket) {
        this.received = Buffer.concat([this.received, chunk as Buffer]);
        for (let request = this.nextRequest(); request; request = this.nextRequest()) {
          clearTimeout(deadline.timer);
          await this.responder.respond(request, this);
          deadline.restart();
        }
      }
    } catch {
      // The connection broke: there is nothing left to do.
    } finally {
      clearTimeout(deadline.timer);
      this.socket.destroy();
    }
  }

  async send(message: Buffer): Promise<void> {
    const length = Buffer.alloc(LENGTH_OCTETS);
    length.writeUInt16BE(message.length);
    if (this.socket.destroyed || !this.socket.writable) throw new Gone();
    if (this.socket.write(Buffer.concat([length, message]))) return;
    await this.drained();
  }

  private drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.socket.destroy(), DRAIN_WITHIN_MS);
      const settle = (): void => {
        clearTimeout(timer);
        this.socket.off('drain', settle).off('close', settle);
        if (this.socket.destroyed) reject(new Gone());
        else resolve();
      };
      this.socket.once('drain', settle).once('close', settle);
    });
  }

  /** Undefined as long as none is whole. */
  private nextRequest(): Buffer | undefined {
    if (this.received.length < LENGTH_OCTETS) return undefined;
    const end = LENGTH_OCTETS + this.received.readUInt16BE(0);
    if (end > MAX_REQUEST) {
      this.socket.destroy();
      return undefined;
    }
    if (this.received.length < end) return undefined;
    const request = this.received.subarray(LENGTH_OCTETS, end);
    this.received = this.received.subarray(end);
    return request;
  }

  private closeAfter(ms: number): { timer: NodeJS.Timeout; restart(): void } {
    const start = (): NodeJS.Timeout => setTimeout(() => this.socket.destroy(), ms);
    const deadline = { timer: start(), restart: () => void (deadline.timer = start()) };
    return deadline;
  }
}
