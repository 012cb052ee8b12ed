import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { encodeFrame, FrameDecoder } from '../codec/frames';
import { parseXml } from '../codec/parse-xml';
import type { XmlElement } from '../codec/xml-element';
import { ConnectionLost } from './connection-lost';
import { ProtocolError } from '../mapping/protocol-error';
import { UnreadableAnswer } from '../unreadable-answer';

export interface EppEndpoint {
  readonly host: string;
  readonly port: number;
  /** The name that the server's certificate must carry, where it is not `host`. */
  readonly serverName?: string | undefined;
  /** PEM; the authorities that the system trusts where absent. */
  readonly ca?: string | undefined;
  /** Our own certificate and its key, PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
}

export interface EppTimeouts {
  /** Until TLS is up. */
  readonly connectMs: number;
  readonly greetingMs: number;
  readonly commandMs: number;
}

/** A document as it was read, and as it came. */
export interface Received {
  readonly document: XmlElement;
  readonly bytes: Uint8Array;
}

interface Expectation {
  readonly resolve: (received: Received) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * One TLS connection to a registry (RFC 5734): documents out and in, one at a time. The server's certificate is always
 * verified. Whatever is amiss ends the connection, since nobody can tell any more which answer belongs to what.
 */
export class EppConnection {
  private readonly decoder = new FrameDecoder();
  private expected: Expectation | undefined;
  /** The greeting may come before anybody waits for it; nothing else may. */
  private early: Received | undefined;
  private greeted = false;
  private end: Error | undefined;

  private constructor(
    private readonly socket: TLSSocket,
    private readonly timeouts: EppTimeouts,
  ) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.fail(new ConnectionLost('the connection broke', { cause: error })));
    // At its end already, so that nothing is sent between that and its close.
    for (const event of ['end', 'close'])
      socket.on(event, () => this.fail(new ConnectionLost('the registry closed the connection')));
  }

  /** @throws ConnectionLost */
  static async open(endpoint: EppEndpoint, timeouts: EppTimeouts): Promise<EppConnection> {
    const socket = connect(optionsFor(endpoint));
    socket.setNoDelay(true);
    await secured(socket, timeouts.connectMs);
    return new EppConnection(socket, timeouts);
  }

  get usable(): boolean {
    return this.end === undefined;
  }

  /** The server speaks first. @throws ConnectionLost */
  async greeting(): Promise<XmlElement> {
    const { document } = this.early ?? (await this.answer(this.timeouts.greetingMs));
    this.early = undefined;
    return document;
  }

  /** Sends a document and answers what comes back. @throws ConnectionLost, UnreadableAnswer; XmlError or FrameError where the document cannot be sent, and then it was not */
  async exchange(document: string, milliseconds = this.timeouts.commandMs): Promise<Received> {
    const frame = encodeFrame(document);
    if (this.expected) throw new TypeError('one command at a time');
    const answer = this.answer(milliseconds);
    if (this.usable) this.socket.write(frame);
    return answer;
  }

  close(): void {
    this.fail(new ConnectionLost('the connection was closed'));
  }

  private async answer(milliseconds: number): Promise<Received> {
    if (this.end) throw this.end;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.fail(new ConnectionLost(`no answer within ${milliseconds} ms`)),
        milliseconds,
      );
      this.expected = { resolve, reject, timer };
    });
  }

  private take(chunk: Buffer): void {
    if (this.end) return;
    try {
      for (const bytes of this.decoder.push(chunk)) this.deliver(read(bytes));
    } catch (error) {
      this.fail(error instanceof UnreadableAnswer ? error : new UnreadableAnswer(chunk, { cause: error }));
    }
  }

  private deliver(received: Received): void {
    const { expected } = this;
    if (!expected) {
      if (this.greeted) throw new ProtocolError('an answer to nothing');
      this.early = received;
    }
    this.greeted = true;
    this.expected = undefined;
    clearTimeout(expected?.timer);
    expected?.resolve(received);
  }

  private fail(error: Error): void {
    if (this.end) return;
    this.end = error;
    this.socket.destroy();
    clearTimeout(this.expected?.timer);
    this.expected?.reject(error);
    this.expected = undefined;
  }
}

function read(bytes: Uint8Array): Received {
  try {
    return { document: parseXml(bytes), bytes };
  } catch (error) {
    throw new UnreadableAnswer(bytes, { cause: error });
  }
}

function optionsFor({ host, port, serverName, ca, certificate, key, passphrase }: EppEndpoint): ConnectionOptions {
  const given = { servername: serverName, ca, cert: certificate, key, passphrase };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { host, port, minVersion: 'TLSv1.2', rejectUnauthorized: true, ...present };
}

async function secured(socket: TLSSocket, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      socket.removeListener('error', failed).removeListener('close', closed);
      if (!error) return resolve();
      socket.on('error', () => undefined).destroy();
      return reject(new ConnectionLost('no connection to the registry', { cause: error }));
    };
    const failed = (error: Error): void => settle(error);
    const closed = (): void => settle(new Error('closed before TLS was up'));
    const timer = setTimeout(() => settle(new Error(`not up within ${milliseconds} ms`)), milliseconds);
    socket
      .once('secureConnect', () => settle())
      .on('error', failed)
      .on('close', closed);
  });
}
