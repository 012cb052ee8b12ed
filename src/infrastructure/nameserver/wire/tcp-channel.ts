import type { Socket } from 'node:net';
import { ClientGone, type ResponseChannel, type Responder } from '../responder';

const LENGTH_OCTETS = 2;
/** For a complete request, counted from the previous response. */
const REQUEST_TIMEOUT_MS = 10_000;
/** For the client to read what was sent. */
const DRAIN_TIMEOUT_MS = 30_000;

/** Serves one TCP connection: responds to each request before it reads the next. */
export class TcpChannel implements ResponseChannel {
  readonly transport = 'tcp';
  private received = Buffer.alloc(0);
  private hasValidKey = false;

  constructor(
    private readonly socket: Socket,
    private readonly responder: Responder,
  ) {}

  get address(): string {
    return this.socket.remoteAddress ?? '';
  }

  get isAuthenticated(): boolean {
    return this.hasValidKey;
  }

  markAuthenticated(): void {
    this.hasValidKey = true;
  }

  /** Settles when the connection has ended. */
  async serve(): Promise<void> {
    this.socket.setNoDelay(true);
    this.socket.on('error', () => this.socket.destroy());
    const deadline = this.closeAfter(REQUEST_TIMEOUT_MS);
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
      // The connection broke.
    } finally {
      clearTimeout(deadline.timer);
      this.socket.destroy();
    }
  }

  async send(message: Buffer): Promise<void> {
    const length = Buffer.alloc(LENGTH_OCTETS);
    length.writeUInt16BE(message.length);
    if (this.socket.destroyed || !this.socket.writable) throw new ClientGone();
    if (this.socket.write(Buffer.concat([length, message]))) return;
    await this.waitForDrain();
  }

  private waitForDrain(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.socket.destroy(), DRAIN_TIMEOUT_MS);
      const finish = (): void => {
        clearTimeout(timer);
        this.socket.off('drain', finish).off('close', finish);
        if (this.socket.destroyed) reject(new ClientGone());
        else resolve();
      };
      this.socket.once('drain', finish).once('close', finish);
    });
  }

  /** Undefined until a request is complete. */
  private nextRequest(): Buffer | undefined {
    if (this.received.length < LENGTH_OCTETS) return undefined;
    const end = LENGTH_OCTETS + this.received.readUInt16BE(0);
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
