import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../../support/databases/mariadb';
import { api, registered, REGISTRANT, type Api } from '../../support/service/service';
import { addressOf, build, CODE_CACHE, startProcess, type ServiceProcess } from '../../support/service/service-process';
import { describeOrSkip } from '../../support/describe-or-skip';

const WORKER = [process.execPath, 'dist/worker.js'];
const ERROR = /^\{"level":(?:50|60),.*$/gm;

describeOrSkip(PRIVATE_MYSQL_MISSING)('a web process and a worker that share a MySQL database', () => {
  let mysql: PrivateMysqlServer;
  let settings: Record<string, string>;
  let web: ServiceProcess;
  let worker: ServiceProcess;
  let address: string;
  let client: Api;

  beforeAll(async () => {
    build();
    mysql = await startPrivateMysql();
  });
  afterAll(() => mysql.stop());

  beforeEach(async () => {
    settings = {
      DATABASE_URL: await mysql.createDatabase(),
      OPERATION_LEASE_MS: '1000',
      // During an outage, the writers repeat their requests at once.
      RATE_LIMIT_PER_MINUTE: '0',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      NODE_ENV: 'production',
      REGISTRY: 'simulated',
      DNS_LISTEN: 'off',
      PORT: '0',
    };
    web = startProcess({ ...settings, WORKER: 'off' });
    worker = startProcess(settings, WORKER);
    address = await addressOf(web);
    await worker.waitForOutput(/"msg":"working"/);
    const admin = (...args: string[]) =>
      execFileSync(process.execPath, [...CODE_CACHE, 'dist/cli.js', ...args], {
        env: settings,
        encoding: 'utf8',
      }).trim();
    client = api(
      { server: address },
      admin(
        'key',
        'create',
        '--account',
        admin('account', 'create', '--name', 'Shared'),
        '--name',
        'key',
        '--scope',
        'ADMIN',
      ),
    );
  });
  afterEach(async () => {
    for (const each of [web, worker]) each.signal('SIGKILL');
    await Promise.all([web.ended, worker.ended]);
  });

  const ended = async () => {
    for (const each of [web, worker]) each.signal('SIGTERM');
    return Promise.all([web.ended, worker.ended]);
  };

  it('resume by themselves after an outage, without an ERROR in the log', async () => {
    await registered(client, 'before.com');

    await mysql.kill();
    await client.get('/api/domains').expect(503);
    await worker.waitForOutput(/"msg":"reading due operations failed and is retried"/);
    await mysql.restart();
    while ((await fetch(`${address}/readyz`)).status !== 200) await pause(20);

    await registered(client, 'after.com');
    const endings = await ended();
    expect(endings.map(({ code }) => code)).toEqual([0, 0]);
    expect(endings.map(({ stdout, stderr }) => [stdout.match(ERROR), stderr])).toEqual([
      [null, ''],
      [null, ''],
    ]);
  });

  it('charge each name once and lose none if any process is killed', async () => {
    const accepted: string[] = [];
    const done = new AbortController();
    const register = async (writer: number): Promise<void> => {
      for (let serial = 0; !done.signal.aborted; serial += 1) {
        const { status, body } = await client.post('/api/domains', {
          name: `chaos-${writer}-${serial}.com`,
          contacts: { registrant: REGISTRANT },
        });
        if (status === 201) accepted.push(body.id as string);
        // On a busy machine, the registry may take longer than a request waits.
        else expect([202, 503]).toContain(status);
      }
    };
    const registering = Promise.all([0, 1, 2, 3].map(register));
    /** Ends at once if a registration got another status. */
    const many = async (count: number) => {
      while (accepted.length < count) await Promise.race([pause(10), registering]);
    };

    await many(10);
    worker.signal('SIGKILL');
    await many(20);
    worker = startProcess(settings, WORKER);
    await many(30);
    await mysql.kill();
    await mysql.restart();
    await many(40);
    done.abort();
    await registering;

    const connection = await createConnection(settings['DATABASE_URL'] ?? '');
    const column = async (sql: string) =>
      ((await connection.query({ sql, rowsAsArray: true }))[0] as unknown as unknown[][]).map(([value]) => value);
    while ((await column('SELECT id FROM operations WHERE finished_at IS NULL')).length > 0) await pause(50);
    const live = await column("SELECT live_name FROM domains WHERE status = 'active' ORDER BY live_name");
    expect(await column("SELECT id FROM domains WHERE status <> 'active'")).toEqual([]);
    expect(await column('SELECT id FROM domains')).toEqual(expect.arrayContaining(accepted));
    expect(await column('SELECT name FROM simreg_registrations ORDER BY name')).toEqual(live);
    expect(await column('SELECT name FROM simreg_charges ORDER BY name')).toEqual(live);
    await connection.end();
  });

  it('exit with 0 during an outage', async () => {
    await registered(client, 'never-mind.com');
    await mysql.kill();

    const endings = await ended();
    await mysql.restart();

    expect(endings.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });

  it('exit by themselves while the database does not respond, even with unfinished work', async () => {
    await registered(client, 'never-mind-either.com');
    mysql.freeze();

    const endings = await ended();
    mysql.thaw();

    for (const { code, stderr } of endings) {
      expect([0, 1]).toContain(code);
      expect(stderr).toBe('');
    }
  });
});
