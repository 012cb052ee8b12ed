import { execFileSync } from 'node:child_process';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../support/mariadb';
import { api, registered, type Api } from '../support/service';
import { addressOf, build, startProcess, type ServiceProcess } from '../support/service-process';
import { describeIf } from '../support/skip-aloud';

const ERROR = /^\{"level":(?:50|60),.*$/gm;

describeIf(PRIVATE_MYSQL_MISSING === undefined, PRIVATE_MYSQL_MISSING ?? '')('a web process and a worker that share a MySQL database', () => {
  let mysql: PrivateMysqlServer;
  let web: ServiceProcess;
  let worker: ServiceProcess;
  let address: string;
  let client: Api;

  beforeAll(async () => {
    build();
    mysql = await startPrivateMysql();
  }, 120_000);
  afterAll(() => mysql.stop());

  beforeEach(async () => {
    const settings = { DATABASE_URL: await mysql.createDatabase(), SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), NODE_ENV: 'production', DNS_LISTEN: 'off', PORT: '0' };
    web = startProcess({ ...settings, WORKER: 'off' });
    worker = startProcess(settings, [process.execPath, 'dist/worker.js']);
    address = await addressOf(web);
    await worker.says(/"msg":"working"/);
    const admin = (...args: string[]) => execFileSync(process.execPath, ['dist/cli.js', ...args], { env: settings, encoding: 'utf8' }).trim();
    client = api({ server: address }, admin('key', 'create', '--account', admin('account', 'create', '--name', 'Shared'), '--name', 'key'));
  }, 60_000);
  afterEach(async () => {
    for (const each of [web, worker]) each.signal('SIGKILL');
    await Promise.all([web.ended, worker.ended]);
  });

  const ended = async () => {
    for (const each of [web, worker]) each.signal('SIGTERM');
    return Promise.all([web.ended, worker.ended]);
  };

  it('go on by themselves after it was away, and call nobody for help', async () => {
    await registered(client, 'before.com');

    await mysql.kill();
    await client.get('/api/domains').expect(503);
    await worker.says(/"msg":"due operations could not be looked up"/);
    await mysql.restart();
    while ((await fetch(`${address}/readyz`)).status !== 200) await new Promise((later) => setTimeout(later, 20));

    await registered(client, 'after.com');
    const endings = await ended();
    expect(endings.map(({ code }) => code)).toEqual([0, 0]);
    expect(endings.map(({ stdout, stderr }) => [stdout.match(ERROR), stderr])).toEqual([[null, ''], [null, '']]);
  }, 60_000);

  it('end with 0 while it is away', async () => {
    await registered(client, 'never-mind.com');
    await mysql.kill();

    const endings = await ended();
    await mysql.restart();

    expect(endings.map(({ code, stderr }) => [code, stderr])).toEqual([[0, ''], [0, '']]);
  }, 60_000);

  it('end by themselves while it does not answer, if need be with something left undone', async () => {
    await registered(client, 'never-mind-either.com');
    mysql.freeze();

    const endings = await ended();
    mysql.thaw();

    for (const { code, stderr } of endings) {
      expect([0, 1]).toContain(code);
      expect(stderr).toBe('');
    }
  }, 60_000);
});
