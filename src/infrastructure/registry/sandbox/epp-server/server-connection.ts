import type { TLSSocket } from 'node:tls';
import type { Log } from '../../../../application/ports/system/log';
import { Mutex } from '../../../persistence/database/mutex';
import { encodeFrame, FrameDecoder, FrameError } from '../../epp/codec/frames';
import type { ServerSession } from './server-session';

export interface ConnectionSettings {
  readonly idleMs: number;
  readonly log: Log;
  /** Sees every document that comes or goes. */
  readonly watch?: ((direction: 'received' | 'sent', document: string) => void) | undefined;
}

/** Documents that wait for their turn; a client that sends more is not listened to until then. */
const MAX_WAITING = 16;
/** How long commands that have arrived may hold up a stop. */
const CLOSING_MS = 3_000;
/** How long a client may take to part. */
const PARTING_MS = 1_000;

/** A client's connection: documents come in however they are cut, and are answered one after another, in their order. */
export class ServerConnection {
  /** Settled once the connection is gone and its last command has been carried out. */
  readonly gone: Promise<void>;
  private readonly decoder = new FrameDecoder();
  private readonly inTurn = new Mutex();
  private waiting = 0;

  constructor(
    private readonly socket: TLSSocket,
    private readonly session: ServerSession,
    private readonly settings: ConnectionSettings,
  ) {
    this.gone = new Promise((resolve) => {
      socket.once('close', () => void this.inTurn.run(async () => session.end()).finally(resolve));
    });
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.setTimeout(settings.idleMs, () => this.part());
    this.enqueue(async () => this.send(await session.greeting()));
  }

  /** Answers what has arrived, as far as that is soon done, and parts. */
  async close(): Promise<void> {
    this.socket.pause();
    const enough = setTimeout(() => this.socket.destroy(), CLOSING_MS);
    this.enqueue(async () => this.part());
    await this.gone;
    clearTimeout(enough);
  }

  /** What was sent still goes out, as long as the client takes it. */
  private part(): void {
    this.socket.end();
    setTimeout(() => this.socket.destroy(), PARTING_MS).unref();
    this.socket.resume();
  }

  private take(chunk: Buffer): void {
    try {
      for (const document of this.decoder.push(chunk)) this.enqueue(() => this.answer(document));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.socket.destroy();
    }
  }

  private enqueue(work: () => Promise<void>): void {
    this.waiting += 1;
    if (this.waiting >= MAX_WAITING) this.socket.pause();
    const turn = this.inTurn.run(work).catch((error: unknown) => {
      this.settings.log.error({ err: error }, 'a connection failed');
      this.socket.destroy();
    });
    void turn.finally(() => {
      this.waiting -= 1;
      if (this.waiting === MAX_WAITING - 1) this.socket.resume();
    });
  }

  private async answer(bytes: Uint8Array): Promise<void> {
    if (!this.socket.writable) return;
    this.settings.watch?.('received', Buffer.from(bytes).toString());
    const { document, ends } = await this.session.answer(bytes);
    if (document !== undefined) await this.send(document);
    if (ends && document === undefined) this.socket.destroy();
    else if (ends) this.part();
  }

  /** Waits for a client that does not read what it is sent. */
  private async send(document: string): Promise<void> {
    this.settings.watch?.('sent', document);
    if (!this.socket.writable || this.socket.write(encodeFrame(document))) return;
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        this.socket.off('drain', goOn).off('close', goOn);
        resolve();
      };
      this.socket.on('drain', goOn).on('close', goOn);
    });
  }
}
