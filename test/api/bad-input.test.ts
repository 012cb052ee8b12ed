import { Agent } from 'node:http';
import * as fc from 'fast-check';
import { AliasFollower } from '../../src/application/dns/aliases/alias-follower';
import { RefreshSignatures } from '../../src/application/dns/signing/signatures/refresh-signatures';
import { CdsScanner } from '../../src/application/dnssec/cds/cds-scanner';
import { ZoneVerifier } from '../../src/application/hosting/zone-verifier';
import { LifecycleSync } from '../../src/application/lifecycle/lifecycle-sync';
import type { Route } from '../../src/http/api/route';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { API_ROUTES } from '../support/http/api-routes';
import { badRequests } from '../support/http/bad-requests';
import { onBothDatabases } from '../support/databases/databases';
import { sendOctets, sendRaw, type RawResponse } from '../support/http/raw-http';
import { sandboxOf } from '../support/registries/sandbox';
import { seeded } from '../support/seeded';
import { api, registered, type TestService } from '../support/service/service';

const TABLES = ['domains', 'zones', 'dns_records', 'operations'];

/** An account with a domain and a record, as a stranger with its key would attack it, and what is stored of all accounts. */
class Target {
  readonly agent = new Agent({ keepAlive: true });
  private readonly database: Database;
  private known: Record<string, readonly string[]> = {};
  private names = 0;
  key = '';

  constructor(private readonly service: TestService) {
    this.database = new Database(service.config.database, {});
  }

  async open(): Promise<void> {
    await this.database.open();
    // What the background would do after a valid request: a clock that it advances makes domains and signatures due, and the
    // parent of a zone that it creates is asked.
    const { container } = this.service;
    for (const work of [LifecycleSync, RefreshSignatures, ZoneVerifier, CdsScanner, AliasFollower])
      await container.get<{ stop(): Promise<void> }>(work).stop();
    const other = api(this.service, await this.service.key(await this.service.account()));
    this.known['foreign'] = [await registered(other, 'of-another-account.com')];
    this.key = await this.service.key(await this.service.account());
    await this.restore();
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.database.close();
  }

  parameters = (name: string): readonly string[] => this.known[name] ?? ['unknown'];

  /** A live domain with one record and a registry that works, whatever the last request did to them. */
  async restore(): Promise<void> {
    await sandboxOf(this.service).clearFaults();
    const client = api(this.service, this.key);
    const [id] = this.known['id'] ?? [];
    const alive =
      id === undefined
        ? []
        : await this.database.query(`SELECT id FROM domains WHERE id = ? AND status = 'active'`, [id]);
    if (alive.length === 0) {
      this.names += 1;
      const name = `target-${this.names}.com`;
      this.known = {
        ...this.known,
        id: [await registered(client, name), ...(this.known['foreign'] ?? [])],
        name: [name, 'of-another-account.com'],
        recordId: [],
      };
    }
    const domainId = this.known['id']?.[0];
    const [record] = await this.database.query<{ id: string }>('SELECT id FROM dns_records WHERE domain_id = ?', [
      domainId,
    ]);
    const recordId =
      record?.id ??
      (
        await client
          .post(`/api/domains/${domainId}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' })
          .expect(201)
      ).body.id;
    this.known['recordId'] = [recordId];
    while (await this.isBusy()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Whether the service is changing something in the background. */
  private async isBusy(): Promise<boolean> {
    const rows = await Promise.all([
      this.database.query('SELECT id FROM operations WHERE finished_at IS NULL'),
      this.database.query('SELECT id FROM bulk_jobs WHERE finished_at IS NULL'),
      this.database.query(`SELECT domain_id FROM zone_signing WHERE step IN ('sign', 'unsign')`),
    ]);
    return rows.flat().length > 0;
  }

  async stored(): Promise<string> {
    const tables = await Promise.all(TABLES.map((table) => this.database.query(`SELECT * FROM ${table} ORDER BY 1`)));
    return JSON.stringify(tables);
  }
}

function assertEnvelope({ status, headers, text }: RawResponse): void {
  expect(headers['content-type']).toMatch(/^application\/json\b/);
  const body = JSON.parse(text) as { error: Record<string, unknown> };
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toEqual({
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.stringMatching(/./),
    ...('details' in body.error && { details: expect.any(String) }),
  });
  expect(body.error['code']).not.toBe('INTERNAL_ERROR');
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).not.toMatch(/node_modules|\.[jt]s:\d+|QueryFailed|SQLITE_|\bER_/);
}

const REQUEST = 'POST /api/domains HTTP/1.1\r\nHost: localhost\r\n';

onBothDatabases('bad input', (service) => {
  let target: Target;
  beforeAll(async () => {
    target = new Target(service());
    await target.open();
  });
  afterAll(() => target.close());

  it.each(API_ROUTES.map((route) => [route[0].toUpperCase(), route[1], route] as const))(
    'is refused at %s %s in the envelope, never with a 5xx, and changes nothing',
    async (method, _path, route: Route) => {
      let before = await target.stored();
      const requests = fc.constant(undefined).chain(() => badRequests(route, target));

      await fc.assert(
        fc.asyncProperty(requests, async (bad) => {
          const answer = await sendRaw(service().server, bad, target.agent);

          if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
          if (answer.status < 400) {
            if (method === 'GET') return;
            await target.restore();
            before = await target.stored();
            return;
          }
          if (bad.method !== 'HEAD') assertEnvelope(answer);
          service().responseValidator.assertNoErrors();
          expect(await target.stored()).toBe(before);
        }),
        seeded(10),
      );
    },
  );

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['another protocol', Buffer.from('160301020001000001fc0303', 'hex'), 400],
    ['an address with octets that are no ASCII', Buffer.from('GET /api/\u00ff HTTP/1.1\r\n\r\n', 'latin1'), 400],
    ['an unknown method', 'FETCH /api/domains HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['no Host', 'GET /api/domains HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'two Hosts',
      'GET /api/domains HTTP/1.1\r\nHost: localhost\r\nhost: example.com\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['two lengths', `${REQUEST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    ['a length and chunks', `${REQUEST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, 400],
    ['a header without end', `GET /api/domains HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address without end', `GET /api/domains?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    [
      'an unknown expectation',
      'GET /api/domains HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      401,
    ],
    [
      'an address of another server',
      'GET http://example.com/api/domains HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      401,
    ],
    [
      'a target that cannot be parsed',
      'GET http://[::1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 404],
  ])('gets the error envelope if it is %s', async (_what, octets, status) => {
    const [head = '', text = ''] = (await sendOctets(service().server, octets)).split('\r\n\r\n');

    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    assertEnvelope({ status, headers: { 'content-type': /^content-type: (.*)$/im.exec(head)?.[1] ?? '' }, text });
  });

  it.each([
    [
      'octets that are no UTF-8',
      'application/json',
      Buffer.from([...Buffer.from('{"query":"'), 0xff, ...Buffer.from('"}')]),
      400,
    ],
    ['UTF-7', 'application/json; charset=utf-7', Buffer.from('{"query":"name"}'), 415],
    ['UTF-16', 'application/json; charset="UTF-16"', Buffer.from('{"query":"name"}', 'utf16le'), 415],
    ['UTF-8', 'application/json; charset="UTF-8"', Buffer.from('{"query":"näme"}'), 200],
  ])('is distinguished from valid input in %s', async (_what, type, octets, status) => {
    const head = `POST /api/domains/search HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${target.key}\r\nContent-Type: ${type}\r\nContent-Length: ${octets.length}\r\n\r\n`;

    expect(await sendOctets(service().server, Buffer.concat([Buffer.from(head), octets]))).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    );
  });

  it.each(['/api/domains', '/api/domains/search', '/api/domains/unknown/dns/records/batch'])(
    'nested 5,000 deep to %s is refused, with and without an Idempotency-Key',
    async (path) => {
      const body = '['.repeat(5_000) + ']'.repeat(5_000);
      const headers = { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' };

      for (const more of [{}, { 'idempotency-key': 'nested' }]) {
        const answer = await sendRaw(
          service().server,
          { method: 'POST', path, headers: { ...headers, ...more }, body },
          target.agent,
        );
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('nested deeper than 16 levels');
      }
    },
  );

  it('gets the error envelope if it comes as malformed chunks', async () => {
    const head = `${REQUEST}Authorization: Bearer ${target.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

    const answer = await sendOctets(service().server, `${head}zz\r\n{}\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\{"error":\{"code":"VALIDATION_ERROR"/);
  });
});
