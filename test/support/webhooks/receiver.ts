import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

const noContent: Answer = (response) => response.writeHead(204).end();

/** A receiver of webhooks on this machine. It answers 204 unless a test says otherwise. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  answer: Answer = noContent;
  private readonly waiting: (() => void)[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response: ServerResponse) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        const received = {
          method,
          path,
          headers: headers as Record<string, string>,
          body: Buffer.concat(pieces).toString(),
        };
        this.requests.push(received);
        this.answer(response, received);
        for (const check of this.waiting.splice(0)) check();
      });
    });
  }

  static async start(server = createServer()): Promise<Receiver> {
    const receiver = new Receiver(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/in`;
  }

  /** From now on, with this status and body. */
  answers(status: number, body = '', headers: Record<string, string> = {}): void {
    this.answer = (response) => response.writeHead(status, headers).end(body);
  }

  /** The first request that `matches`, as soon as it has come. */
  async received(matches: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest> {
    for (;;) {
      const found = this.requests.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
