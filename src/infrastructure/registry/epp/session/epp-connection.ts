import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { encodeFrame, FrameDecoder } from '../codec/frames';
import { parseXml } from '../codec/parse-xml';
import type { XmlElement } from '../codec/xml-element';
import { ConnectionLost } from './connection-errors';
import { ProtocolError } from '../mapping/protocol-error';
import { UnreadableResponse } from './connection-errors';

export interface EppEndpoint {
  readonly host: string;
  readonly port: number;
  /** The name in the server's certificate, if it is not `host`. */
  readonly serverName?: string | undefined;
  /** Trusted certificate authorities, PEM; the system's if absent. */
  readonly ca?: string | undefined;
  /** Client certificate and its private key, PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
  /** The address of this machine that the connection comes from; the system chooses if absent. */
  readonly localAddress?: string | undefined;
}

export interface EppTimeouts {
  /** Until the TLS handshake is complete. */
  readonly connectMs: number;
  readonly greetingMs: number;
  readonly commandMs: number;
}

/** A frame, parsed and as received. */
export interface ReceivedFrame {
  readonly document: XmlElement;
  readonly bytes: Uint8Array;
}

interface PendingResponse {
  readonly resolve: (received: ReceivedFrame) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * A TLS connection to a registry (RFC 5734), with one command in flight at a time. Always verifies the server's certificate.
 * Any error closes the connection, because later responses could no longer be matched to commands.
 */
export class EppConnection {
  private readonly decoder = new FrameDecoder();
  private pending: PendingResponse | undefined;
  /** A greeting received before `greeting()` was called. */
  private earlyGreeting: ReceivedFrame | undefined;
  private hasGreeting = false;
  private closedBy: Error | undefined;

  private constructor(
    private readonly socket: TLSSocket,
    private readonly timeouts: EppTimeouts,
  ) {
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.fail(new ConnectionLost('the connection broke', { cause: error })));
    // Fail on `end`, so that nothing is sent between `end` and `close`.
    for (const event of ['end', 'close'])
      socket.on(event, () => this.fail(new ConnectionLost('the registry closed the connection')));
  }

  /** @throws ConnectionLost */
  static async open(endpoint: EppEndpoint, timeouts: EppTimeouts): Promise<EppConnection> {
    const socket = connect(optionsFor(endpoint));
    socket.setNoDelay(true);
    await waitForTls(socket, timeouts.connectMs);
    return new EppConnection(socket, timeouts);
  }

  /** Until when the server's certificate is valid. */
  get certificateUntil(): Date | undefined {
    const { valid_to: until } = this.socket.getPeerCertificate();
    return until ? new Date(until) : undefined;
  }

  get usable(): boolean {
    return this.closedBy === undefined;
  }

  /** The server's greeting, which it sends after connecting. @throws ConnectionLost */
  async greeting(): Promise<XmlElement> {
    const { document } = this.earlyGreeting ?? (await this.nextFrame(this.timeouts.greetingMs));
    this.earlyGreeting = undefined;
    return document;
  }

  /** Sends a document and returns the response. @throws ConnectionLost, UnreadableResponse; XmlError or FrameError if nothing was sent */
  async exchange(document: string, milliseconds = this.timeouts.commandMs): Promise<ReceivedFrame> {
    const frame = encodeFrame(document);
    if (this.pending) throw new TypeError('only one command may be in flight');
    const response = this.nextFrame(milliseconds);
    if (this.usable) this.socket.write(frame);
    return response;
  }

  close(): void {
    this.fail(new ConnectionLost('the connection was closed'));
  }

  private async nextFrame(milliseconds: number): Promise<ReceivedFrame> {
    if (this.closedBy) throw this.closedBy;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.fail(new ConnectionLost(`no response within ${milliseconds} ms`)),
        milliseconds,
      );
      this.pending = { resolve, reject, timer };
    });
  }

  private receive(chunk: Buffer): void {
    if (this.closedBy) return;
    try {
      for (const bytes of this.decoder.push(chunk)) this.deliver(parseFrame(bytes));
    } catch (error) {
      this.fail(error instanceof UnreadableResponse ? error : new UnreadableResponse(chunk, { cause: error }));
    }
  }

  private deliver(received: ReceivedFrame): void {
    const { pending } = this;
    if (!pending) {
      if (this.hasGreeting) throw new ProtocolError('response without a command');
      this.earlyGreeting = received;
    }
    this.hasGreeting = true;
    this.pending = undefined;
    clearTimeout(pending?.timer);
    pending?.resolve(received);
  }

  private fail(error: Error): void {
    if (this.closedBy) return;
    this.closedBy = error;
    this.socket.destroy();
    clearTimeout(this.pending?.timer);
    this.pending?.reject(error);
    this.pending = undefined;
  }
}

function parseFrame(bytes: Uint8Array): ReceivedFrame {
  try {
    return { document: parseXml(bytes), bytes };
  } catch (error) {
    throw new UnreadableResponse(bytes, { cause: error });
  }
}

function optionsFor({
  host,
  port,
  serverName,
  ca,
  certificate,
  key,
  passphrase,
  localAddress,
}: EppEndpoint): ConnectionOptions {
  const given = { servername: serverName, ca, cert: certificate, key, passphrase, localAddress };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { host, port, minVersion: 'TLSv1.2', rejectUnauthorized: true, ...present };
}

async function waitForTls(socket: TLSSocket, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (error?: Error): void => {
      clearTimeout(timer);
      socket.removeListener('error', failed).removeListener('close', closed);
      if (!error) return resolve();
      socket.on('error', () => undefined).destroy();
      return reject(new ConnectionLost('cannot connect to the registry', { cause: error }));
    };
    const failed = (error: Error): void => finish(error);
    const closed = (): void => finish(new Error('closed during the TLS handshake'));
    const timer = setTimeout(() => finish(new Error(`no TLS connection within ${milliseconds} ms`)), milliseconds);
    socket
      .once('secureConnect', () => finish())
      .on('error', failed)
      .on('close', closed);
  });
}
