import type { TLSSocket } from 'node:tls';
import type { Log } from '../../../../application/ports/system';
import { Mutex } from './mutex';
import { encodeFrame, FrameDecoder, FrameError } from '../../epp/codec/frames';
import type { ServerSession } from './server-session';

interface ConnectionSettings {
  readonly idleMs: number;
  readonly log: Log;
  /** Called with each received and sent document. */
  readonly watch?: ((direction: 'received' | 'sent', document: string) => void) | undefined;
}

/** Queued documents above which the socket is paused. */
const MAX_WAITING = 16;
/** How long received commands may delay a shutdown. */
const CLOSING_MS = 3_000;
/** How long a client may take to close its side. */
const LINGER_MS = 1_000;

/** A client's connection. Handles documents one at a time, in order. */
export class ServerConnection {
  /** Resolves after the connection has closed and its last command has completed. */
  readonly closed: Promise<void>;
  private readonly decoder = new FrameDecoder();
  private readonly inTurn = new Mutex();
  private waiting = 0;

  constructor(
    private readonly socket: TLSSocket,
    private readonly session: ServerSession,
    private readonly settings: ConnectionSettings,
  ) {
    this.closed = new Promise((resolve) => {
      socket.once('close', () => void this.inTurn.run(async () => session.end()).finally(resolve));
    });
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.setTimeout(settings.idleMs, () => this.hangUp());
    this.enqueue(async () => this.send(await session.greeting()));
  }

  /** Responds to received commands for up to `CLOSING_MS`, then closes. */
  async close(): Promise<void> {
    this.socket.pause();
    const timer = setTimeout(() => this.socket.destroy(), CLOSING_MS);
    this.enqueue(async () => this.hangUp());
    await this.closed;
    clearTimeout(timer);
  }

  /** Sends buffered data for up to `LINGER_MS`. */
  private hangUp(): void {
    this.socket.end();
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
    this.socket.resume();
  }

  private receive(chunk: Buffer): void {
    try {
      for (const document of this.decoder.push(chunk)) this.enqueue(() => this.respond(document));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.socket.destroy();
    }
  }

  private enqueue(work: () => Promise<void>): void {
    this.waiting += 1;
    if (this.waiting >= MAX_WAITING) this.socket.pause();
    const turn = this.inTurn.run(work).catch((error: unknown) => {
      this.settings.log.error({ err: error }, 'EPP connection failed');
      this.socket.destroy();
    });
    void turn.finally(() => {
      this.waiting -= 1;
      if (this.waiting === MAX_WAITING - 1) this.socket.resume();
    });
  }

  private async respond(bytes: Uint8Array): Promise<void> {
    if (!this.socket.writable) return;
    this.settings.watch?.('received', Buffer.from(bytes).toString());
    const { document, closes } = await this.session.handle(bytes);
    if (document !== undefined) await this.send(document);
    if (closes && document === undefined) this.socket.destroy();
    else if (closes) this.hangUp();
  }

  /** Waits for a slow reader, so that responses do not pile up in memory. */
  private async send(document: string): Promise<void> {
    this.settings.watch?.('sent', document);
    if (!this.socket.writable || this.socket.write(encodeFrame(document))) return;
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        this.socket.off('drain', resume).off('close', resume);
        resolve();
      };
      this.socket.on('drain', resume).on('close', resume);
    });
  }
}
