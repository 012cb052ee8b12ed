import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnection } from 'mysql2/promise';
import request from 'supertest';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../../support/databases/mariadb';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { describeOrSkip } from '../../support/describe-or-skip';

function restOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    answer.on('error', () => undefined);
    answer.once('close', () => resolve(text));
  });
}

const UNAVAILABLE = { error: { code: 'SERVICE_UNAVAILABLE', message: 'The service is not available at the moment' } };
const WRITERS = 8;

describeOrSkip(PRIVATE_MYSQL_MISSING)('a service whose database server is down', () => {
  let mysql: PrivateMysqlServer;
  let url: string;
  let service: TestService;
  let key: string;
  let client: Api;
  let id: string;

  beforeAll(async () => {
    mysql = await startPrivateMysql();
    url = await mysql.createDatabase();
    service = await startService({ DATABASE_URL: url });
    key = await service.key(await service.account());
    client = api(service, key);
    id = await registered(client, 'outage.com');
  });
  afterAll(async () => {
    await service.stop();
    await mysql.stop();
  });

  /** Its head has arrived; what follows is read no faster than it is asked for. */
  function startOfAnswer(path: string): Promise<IncomingMessage> {
    const { port } = service.server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      get({ port, path, headers: { authorization: `Bearer ${key}` } }, resolve).once('error', reject);
    });
  }

  async function ready(): Promise<void> {
    while ((await request(service.server).get('/readyz')).status !== 200)
      await new Promise((later) => setTimeout(later, 20));
  }

  async function expectUnavailable(): Promise<void> {
    const calls = [
      client.get(`/api/domains/${id}`),
      client.get('/api/domains'),
      client.get(`/api/domains/${id}/dns/records`),
      client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }),
      client.put(`/api/domains/${id}/nameservers`, { nameservers: ['ns1.example.net', 'ns2.example.net'] }),
      client.post('/api/domains/search', { query: 'outage' }),
      request(service.server).get('/readyz'),
    ];
    for (const answer of await Promise.all(calls)) {
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual(UNAVAILABLE);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    await request(service.server).get('/healthz').expect(200, { status: 'ok' });
  }

  it('responds 503 after the server is killed, and recovers without a restart', async () => {
    const before = (await client.get(`/api/domains/${id}`).expect(200)).body as unknown;

    await mysql.kill();
    await expectUnavailable();
    await mysql.restart();
    await ready();

    expect((await client.get(`/api/domains/${id}`).expect(200)).body).toEqual(before);
    await client
      .put(`/api/domains/${id}/nameservers`, { nameservers: ['ns1.example.org', 'ns2.example.org'] })
      .expect(200);
  });

  it('responds 503 while the server accepts connections but does not respond, and recovers without a restart', async () => {
    mysql.freeze();
    await expectUnavailable();
    mysql.thaw();
    await ready();

    await client.get(`/api/domains/${id}`).expect(200);
  });

  it('aborts a list so that no client takes the cut for its end', async () => {
    const connection = await createConnection(url);
    const [columns] = (await connection.query('SHOW COLUMNS FROM domains')) as unknown as [{ Field: string }[]];
    const copied: Record<string, string> = {
      id: "CONCAT('dom_copy_', seq)",
      name: "CONCAT('copy-', seq, '.com')",
      live_name: "CONCAT('copy-', seq, '.com')",
    };
    const values = columns.map(({ Field }) => copied[Field] ?? Field).join(', ');
    await connection.query(
      `INSERT INTO domains (${columns.map(({ Field }) => Field).join(', ')}) SELECT ${values} FROM domains, seq_1_to_50000 WHERE id = ?`,
      [id],
    );
    await connection.end();
    const answer = await startOfAnswer('/api/domains');

    await mysql.kill();
    const text = await restOf(answer);
    await mysql.restart();

    expect(answer.statusCode).toBe(200);
    expect(answer.complete).toBe(false);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    await ready();
    const cleaning = await createConnection(url);
    await cleaning.query("DELETE FROM domains WHERE id LIKE 'dom\\_copy\\_%'");
    await cleaning.end();
  });

  it('has stored every acknowledged change and none partially, at whatever moment the server died', async () => {
    const zone = await registered(client, 'outage-writes.com');
    const versionOf = async () =>
      Number((await client.get(`/api/domains/${zone}/dns/records?limit=1`).expect(200)).headers['zone-version']);
    const initialVersion = await versionOf();
    const sent: string[] = [];
    const answered: string[] = [];
    const refused: number[] = [];
    const writing = new AbortController();
    const write = async (): Promise<void> => {
      while (!writing.signal.aborted) {
        const content = `number ${sent.length}`;
        sent.push(content);
        const { status, body } = await client.post(`/api/domains/${zone}/dns/records`, {
          type: 'TXT',
          name: `h${sent.length}`,
          content,
        });
        if (status === 201) answered.push(content);
        else {
          expect([status, body]).toEqual([503, UNAVAILABLE]);
          refused.push(status);
        }
      }
    };
    const many = async (count: number) => {
      const goal = answered.length + count;
      while (answered.length < goal) await new Promise((later) => setTimeout(later, 5));
    };

    const writers = Promise.all(Array.from({ length: WRITERS }, write));
    for (const count of [5, 30]) {
      await many(count);
      await mysql.kill();
      await mysql.restart();
    }
    await many(20);
    writing.abort();
    await writers;

    const { body } = await client.get(`/api/domains/${zone}/dns/records`).expect(200);
    const kept = (body as { content: string }[]).map(({ content }) => content);
    expect(refused.length).toBeGreaterThan(0);
    expect(kept).toEqual(expect.arrayContaining(answered));
    expect(sent).toEqual(expect.arrayContaining(kept));
    expect(await versionOf()).toBe(initialVersion + kept.length);
    const connection = await createConnection(url);
    const [[audited]] = (await connection.query(
      "SELECT COUNT(*) AS entries FROM audit_log WHERE domain_id = ? AND action = 'records.added'",
      [zone],
    )) as unknown as [[{ entries: number }]];
    await connection.end();
    expect(audited.entries).toBe(kept.length);
  });
});
