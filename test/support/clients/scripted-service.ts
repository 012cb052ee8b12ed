import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly idempotencyKey: string | undefined;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

type Reply = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
const text =
  (status: number, type: string, body: string): Reply =>
  (response) =>
    response.writeHead(status, { 'Content-Type': type }).end(body);
const refusal = (code: string, details?: string) => ({ error: { code, message: `It is ${code}`, details } });
const lose: Reply = (response) => response.socket?.destroy();
const loseInTheMiddle: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"id":', () => response.socket?.destroy());
};
const never: Reply = () => {};

const domain = (name: string, status: string) => ({
  id: `dom_${name}`,
  name,
  status,
  expires_at: '2027-01-15T09:30:00.000Z',
  auto_renew: true,
  transfer_locked: false,
  nameservers: [],
  contacts: { registrant: null },
  tags: [],
  created_at: '2026-01-15T09:30:00.000Z',
  member_of_a_newer_service: { any: 'thing' },
});
const record = {
  id: 'rec_1',
  type: 'A',
  name: 'www',
  content: '192.0.2.1',
  ttl: 3600,
  priority: null,
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
};
const event = (position: number) => ({
  id: `evt_${position}`,
  position,
  type: 'domain.moved_by_a_newer_service',
  version: 1,
  timestamp: '2026-01-15T09:30:00.000Z',
  account: 'acc_1',
  actor: 'operator',
  data: {},
});

/** The replies to a method and a path, one after another; the last one stays. */
const REPLIES: Readonly<Record<string, readonly Reply[]>> = {
  'PUT /api/domains/lost/tags': [
    lose,
    json(503, refusal('SERVICE_UNAVAILABLE'), { 'Retry-After': '0' }),
    loseInTheMiddle,
    json(409, refusal('IDEMPOTENCY_KEY_IN_USE'), { 'Retry-After': '0' }),
    json(200, { id: 'lost', name: 'lost.example', tags: ['a'], updated_at: '2026-01-15T09:30:00.000Z' }),
  ],
  'DELETE /api/domains/dated': [
    json(429, refusal('RATE_LIMIT_EXCEEDED'), { 'Retry-After': 'Thu, 15 Jan 2026 09:30:00 GMT' }),
    json(200, { id: 'dated', name: 'dated.example', deleted: true }),
  ],
  'PUT /api/domains/proposed/tags': [json(202, { id: 'prop_1', state: 'open' }, { Location: '/api/proposals/prop_1' })],
  'DELETE /api/domains/own-key': [json(200, { id: 'own-key', name: 'own-key.example', deleted: true })],
  'POST /api/domains/plan/dns/records': [
    json(200, { dry_run: true, version: 7, added: [], changed: [], removed: [], warnings: [] }),
  ],
  'GET /api/domains/refused': [json(404, refusal('DOMAIN_NOT_FOUND', 'gone'), { 'X-Request-Id': 'req_1' })],
  'GET /api/domains/late': [json(503, refusal('REGISTRY_UNAVAILABLE'), { 'Retry-After': '3600' })],
  'GET /api/domains/proxy': [text(502, 'text/html', '<h1>Bad gateway</h1>')],
  'GET /api/domains/moved': [(response) => response.writeHead(307, { Location: '/elsewhere' }).end()],
  'GET /api/domains/slow': [never],
  'GET /api/domains/gone': [lose],
  'GET /api/domains': [
    json(200, [domain('a.example', 'active')], { Link: '</api/domains?limit=1&cursor=c2>; rel="next"' }),
    json(200, [domain('b.example', 'status_of_a_newer_service')]),
  ],
  'GET /api/domains/zone/dns/zonefile': [text(200, 'text/dns', 'www A 192.0.2.1\n')],
  'PUT /api/domains/zone/dns/zonefile': [
    json(200, { created: [record], updated: [], deleted: [], version: 8, notes: [], skipped_types: {} }),
  ],
  'GET /api/events': [
    json(200, [event(1)], { 'Events-Position': 'evt_2' }),
    json(200, [], { 'Events-Position': 'evt_3' }),
    json(200, [event(4)], { 'Events-Position': 'evt_5' }),
  ],
};

/** A service that fails in the ways that a client has to bear, and remembers what it was asked. */
export class ScriptedService {
  private readonly received: ReceivedRequest[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedService> {
    const server = createServer();
    const service = new ScriptedService(server);
    server.on('request', (request, response) => void service.respond(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What was asked under this path. */
  requests(path: string): readonly ReceivedRequest[] {
    return this.received.filter(({ url }) => url.split('?')[0] === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = ''] = url.split('?');
    const replies = REPLIES[`${method} ${path}`] ?? [json(404, refusal('NOT_FOUND'))];
    const reply = replies[Math.min(this.requests(path).length, replies.length - 1)]!;
    this.received.push({
      method,
      url,
      idempotencyKey: headers['idempotency-key'] as string | undefined,
      contentType: headers['content-type'],
      authorization: headers.authorization,
      body: Buffer.concat(chunks).toString(),
    });
    reply(response);
  }
}
