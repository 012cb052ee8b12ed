import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a service and loses the first response to each write, which the service has carried out. */
export class LossyProxy {
  private readonly repeated = new Map<string, number>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async start(port: number): Promise<LossyProxy> {
    const server = createServer();
    const proxy = new LossyProxy(server, port);
    server.on('request', (request, response) => proxy.pass(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** How often each write was sent, by its Idempotency-Key. */
  get attempts(): readonly number[] {
    return [...this.repeated.values()];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    const target = forward({ host: '127.0.0.1', port: this.port, method, path: url, headers }, (answer) => {
      if (method !== 'GET' && this.isFirst(String(headers['idempotency-key']))) {
        answer.resume().on('end', () => response.socket?.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    target.on('error', () => response.socket?.destroy());
    request.pipe(target);
  }

  private isFirst(key: string): boolean {
    const attempts = (this.repeated.get(key) ?? 0) + 1;
    this.repeated.set(key, attempts);
    return attempts === 1;
  }
}
