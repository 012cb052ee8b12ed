import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { json } from 'node:stream/consumers';
import { run } from '../../../clients/cli/src/program/program.ts';

const PRICE = { registration: 12, renewal: 12.5, total: 12.5, currency: 'USD' };
const PLAN = {
  name: 'new.com',
  zone_id: null,
  empty: false,
  records: { added: [], changed: [], removed: [] },
  settings: [],
  operations: [{ kind: 'register', id: null, price: { amount: 12.5, currency: 'USD' } }],
  cost: { amount: 12.5, currency: 'USD' },
  warnings: [],
  versions: { zone: 0, settings: null },
};
const RESPONSES: Readonly<Record<string, object>> = {
  'GET /api/domains/by-name/mine.com': { contacts: { registrant: { name: 'A' } } },
  'POST /api/domains/quote': { quotes: [{ name: 'new.com', years: 1, available: true, price: PRICE }] },
  'POST /api/domains': { id: 'dom_1' },
  'GET /api/domains/by-name/new.com': { id: 'dom_1', expires_at: '2027-01-01T00:00:00.000Z' },
  'POST /api/domains/dom_1/renew': {
    name: 'new.com',
    expires_at: '2028-01-01T00:00:00.000Z',
    renewal: { price: 12.5, currency: 'USD' },
  },
  'POST /api/keys': { key: 'nw_live_new' },
  'GET /api/domains/dom_1': { name: 'new.com', status: 'active', expires_at: '2027-01-01T00:00:00.000Z' },
  'POST /api/transfers?dry_run=true': { dry_run: true, name: 'new.com', years: 1, price: 12.5, currency: 'USD' },
  'POST /api/transfers': { name: 'new.com', state: 'queued' },
  'POST /api/states/plan': { plans: [{ name: 'new.com', etag: '"0"', error: null, applied: false, plan: PLAN }] },
  'PUT /api/domains/by-name/new.com/state': { ...PLAN, operations: [] },
};

describe('an order on the command line', () => {
  let server: Server;
  const sent: { readonly request: string; readonly body: unknown }[] = [];
  beforeAll(async () => {
    server = createServer((req, res) => {
      void (async () => {
        const request = `${req.method} ${req.url}`;
        sent.push({ request, body: req.method === 'GET' ? undefined : await json(req) });
        res.setHeader('Content-Type', 'application/json').end(JSON.stringify(RESPONSES[request] ?? {}));
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const type = async (...words: readonly string[]) => {
    sent.length = 0;
    const { port } = server.address() as AddressInfo;
    const env = { NAMEWRIGHT_URL: `http://127.0.0.1:${port}`, NAMEWRIGHT_API_KEY: 'k' };
    const streams = { input: new PassThrough(), output: new PassThrough(), errors: new PassThrough(), env };
    const code = await run(words, streams);
    return { code, errors: String(streams.errors.read() ?? '') };
  };

  const ORDERS = [
    ['register', 'POST /api/domains', ['--registrant-of', 'mine.com']],
    ['transfer', 'POST /api/transfers', ['--registrant-of', 'mine.com', '--no-auth-code']],
    ['renew', 'POST /api/domains/dom_1/renew', []],
  ] as const;

  it.each(ORDERS)('to %s costs at most the price that was shown', async (command, order, options) => {
    for (const limit of [[], ['--max-price', '20']]) {
      expect(await type(command, 'new.com', '--yes', ...options, ...limit)).toMatchObject({ code: 0 });

      const max = { amount: 12.5, currency: 'USD' };
      expect(sent.find(({ request }) => request === order)?.body).toMatchObject({ max_price: max });
    }
  });

  it('by a state costs at most the price that was shown, although the state allows more', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orders-'));
    const file = join(folder, 'new.com.json');
    writeFileSync(file, JSON.stringify({ register: true, max_price: { amount: 100, currency: 'USD' } }));

    expect(await type('apply', file, '--yes')).toMatchObject({ code: 0 });

    rmSync(folder, { recursive: true });
    const put = sent.find(({ request }) => request === 'PUT /api/domains/by-name/new.com/state');
    expect(put?.body).toEqual({ register: true, max_price: PLAN.cost });
  });

  it('by two states of one name is not sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orders-'));
    for (const file of ['new.com.json', 'NEW.com.yaml']) writeFileSync(join(folder, file), '{"register":true}');

    const { code, errors } = await type('apply', folder, '--yes');

    rmSync(folder, { recursive: true });
    expect([code, errors]).toEqual([1, expect.stringContaining('both change new.com; nothing was changed')]);
    expect(sent.map(({ request }) => request)).toEqual(['POST /api/states/plan', 'POST /api/states/plan']);
  });

  it.each(ORDERS)('to %s is not sent if it costs more than --max-price', async (command, order, options) => {
    for (const [most, message] of [
      ['12.49', 'new.com costs 12.5 USD, more than 12.49'],
      ['a lot', '--max-price is an amount such as 12.50, not a lot'],
    ] as const) {
      const { code, errors } = await type(command, 'new.com', '--yes', ...options, '--max-price', most);

      expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
      expect(sent.map(({ request }) => request)).not.toContain(order);
    }
  });

  it.each([
    [['--propose'], { scope: 'WRITE', limits: { propose: true } }],
    [
      ['--propose', '--domains', 'a.com,b.com'],
      { scope: 'WRITE', limits: { propose: true, domains: ['a.com', 'b.com'] } },
    ],
    [['--propose', '--scope', 'admin'], { scope: 'ADMIN', limits: { propose: true } }],
    [[], { scope: 'READ' }],
  ])('creates a key with %j as the API has it', async (options, body) => {
    expect(await type('keys', 'create', 'agent', ...options)).toMatchObject({ code: 0 });

    expect(sent.at(-1)?.body).toEqual({ name: 'agent', ...body });
  });
});
