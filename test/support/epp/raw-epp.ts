import { connect, type TLSSocket } from 'node:tls';
import { encodeFrame, FrameDecoder } from '../../../src/infrastructure/registry/epp/codec/frames';
import { parseXml } from '../../../src/infrastructure/registry/epp/codec/parse-xml';
import { commandDocument, type EppCommand } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { servicesOf, type Services } from '../../../src/infrastructure/registry/epp/mapping/greeting';
import { responseOf, type EppResponse } from '../../../src/infrastructure/registry/epp/mapping/response';
import { login } from '../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import type { SandboxRegistry } from './sandbox-registry';

/** An EPP client that sends arbitrary frames and returns the responses unchecked. */
export class RawEpp {
  private readonly decoder = new FrameDecoder();
  private readonly arrived: (string | undefined)[] = [];
  private readonly waiting: ((document: string | undefined) => void)[] = [];
  private serial = 0;
  private services: Services = { objects: [], extensions: [], language: '' };

  private constructor(private readonly socket: TLSSocket) {
    socket.on('data', (chunk: Buffer) =>
      this.decoder.push(chunk).forEach((document) => this.take(document.toString())),
    );
    socket.on('close', () => this.take(undefined));
    socket.on('error', () => undefined);
  }

  /** Connects and reads the greeting. */
  static async connect({ host, port, certificate }: SandboxRegistry): Promise<RawEpp> {
    const client = new RawEpp(connect({ host, port, ca: certificate.certificate }));
    const greeting = (await client.next()) ?? '';
    const ofRegistries = [...greeting.matchAll(/<extURI>(http[^<]+)</g)].flatMap(([, uri]) => uri ?? []);
    client.services = servicesOf(parseXml(Buffer.from(greeting)), { objects: [], extensions: ofRegistries });
    return client;
  }

  /** Logs in with all services of the greeting. */
  static async loggedIn(registry: SandboxRegistry, as: keyof SandboxRegistry['registrars'] = 'first'): Promise<RawEpp> {
    const client = await RawEpp.connect(registry);
    const { id: clientId, password } = registry.registrars[as];
    const { code, reason } = await client.send(login({ clientId, password, ...client.services, userAgent: 'test' }));
    if (code !== 1000) throw new Error(`login: ${code} ${reason}`);
    return client;
  }

  /** The next document; undefined if the connection is closed instead. */
  async next(): Promise<string | undefined> {
    return this.arrived.length > 0 ? this.arrived.shift() : new Promise((resolve) => this.waiting.push(resolve));
  }

  write(document: string): void {
    this.writeBytes(encodeFrame(document));
  }

  writeBytes(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  stopReading(): void {
    this.socket.pause();
  }

  async send(command: EppCommand): Promise<EppResponse> {
    const answer = await this.sendDocument(commandDocument(command, `raw-${(this.serial += 1)}`));
    if (answer === undefined) throw new Error('the connection was closed');
    return responseOf(parseXml(Buffer.from(answer)));
  }

  async sendDocument(document: string): Promise<string | undefined> {
    this.write(document);
    return this.next();
  }

  async close(): Promise<void> {
    if (this.socket.closed) return;
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.destroy();
    await closed;
  }

  private take(document: string | undefined): void {
    const first = this.waiting.shift();
    if (first) first(document);
    else this.arrived.push(document);
  }
}
