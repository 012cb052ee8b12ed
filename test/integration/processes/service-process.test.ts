import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import request from 'supertest';
import { freePort } from '../../support/free-port';
import { api, registered } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import { describeOrSkip } from '../../support/describe-or-skip';

const CURL_MISSING = 'curl is not installed';
const curlIsThere = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'curl')));

/** Polls /readyz, because LOG_LEVEL=silent logs no start. */
async function waitUntilReady(address: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${address}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((later) => setTimeout(later, 20));
  }
}

async function stop(service: ServiceProcess): Promise<string> {
  service.signal('SIGTERM');
  const { code, stdout } = await service.ended;
  expect(code).toBe(0);
  return stdout;
}

describe('npm start', () => {
  let folder: string;
  let running: ServiceProcess[];

  beforeAll(build);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-process-'));
    running = [];
  });
  afterEach(async () => {
    for (const service of running) service.signal('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    rmSync(folder, { recursive: true });
  });

  function start(settings: Record<string, string> = {}, command?: readonly string[]): ServiceProcess {
    const service = startProcess(
      { PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}`, ...settings },
      command,
    );
    running.push(service);
    return service;
  }

  describeOrSkip(curlIsThere ? undefined : CURL_MISSING)('on an empty database', () => {
    it.each(['info', 'silent'])(
      'prints its address, an API key and a working curl command at the first start, with LOG_LEVEL=%s',
      async (LOG_LEVEL) => {
        const service = start({ LOG_LEVEL });
        const [, address = '', key = '', curl = ''] = await service.waitForOutput(
          /^Namewright is running at (\S+)\nYour first API key \(ADMIN\), shown only now: (\S+)\nTry it:\n {2}(curl .*)$/m,
        );

        const response = JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8' })) as { results: unknown[] };

        expect(response.results).toHaveLength(10);
        expect(curl).toContain(key);
        expect(curl).toContain(`${address}/api/`);
        const [, email = '', password = ''] = await service.waitForOutput(
          /The dashboard is at \S+\n {2}E-mail {4}(\S+)\n {2}Password {2}(\S+) \(shown only now\)$/m,
        );
        const visitor = request.agent(address);
        const [, token = ''] = /name="_token" value="([^"]+)"/.exec((await visitor.get('/sign-in')).text) ?? [];
        await visitor
          .post('/sign-in')
          .type('form')
          .send({ _token: token, email, password })
          .expect(303)
          .expect('location', '/');
        await service.waitForOutput(/^The registry is a sandbox: names are simulated and cost nothing\./m);
        expect((await stop(service)).match(/API key/g)).toHaveLength(1);
      },
    );
  });

  it.each(['info', 'silent'])(
    'prints neither key nor curl command at the second start, with LOG_LEVEL=%s',
    async (LOG_LEVEL) => {
      const first = start({ LOG_LEVEL });
      const key = await firstKeyOf(first);
      await stop(first);
      const port = await freePort();

      const second = start({ LOG_LEVEL, PORT: String(port) });
      await waitUntilReady(`http://127.0.0.1:${port}`);

      await api({ server: `http://127.0.0.1:${port}` }, key)
        .get('/api/domains')
        .expect(200);
      const stdout = await stop(second);
      expect(stdout).not.toMatch(/curl|API key/);
      expect(stdout).not.toContain(key);
      if (LOG_LEVEL === 'silent') expect(stdout).toBe('');
    },
  );

  it('refuses to start in production without a registry', async () => {
    const { code, stderr } = await start({ NODE_ENV: 'production' }).ended;

    expect(code).toBe(1);
    expect(stderr).toContain('REGISTRIES_FILE is required in production');
  });

  it('creates no account in production, and warns about missing settings', async () => {
    const service = start({ NODE_ENV: 'production', REGISTRY: 'simulated' });
    await addressOf(service);
    const log = await stop(service);

    expect(log.match(/"level":40,/g)).toHaveLength(3);
    expect(log).toMatch(/simulated registry serves in production/);
    expect(log).toMatch(/DEFAULT_NAMESERVERS/);
    expect(log).toMatch(/PUBLIC_URL is not set/);

    const accounts = execFileSync(process.execPath, ['dist/cli.js', 'account', 'list'], {
      env: { DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}` },
      encoding: 'utf8',
    });
    expect(accounts).toBe('');
    expect(service.stdout()).not.toMatch(/curl|API key/);
  });

  it('keeps all changes across SIGTERM and a restart', async () => {
    const first = start();
    const key = await firstKeyOf(first);
    const before = api({ server: await addressOf(first) }, key);
    const id = await registered(before, 'lasting.com');
    await before
      .put(`/api/domains/${id}/nameservers`, { nameservers: ['ns1.example.net', 'ns2.example.net'] })
      .expect(200);
    await before
      .post(`/api/domains/${id}/dns/records`, { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 })
      .expect(201);
    const domain = (await before.get(`/api/domains/${id}`).expect(200)).body as unknown;
    const records = (await before.get(`/api/domains/${id}/dns/records`).expect(200)).body as unknown;
    await stop(first);

    const after = api({ server: await addressOf(start()) }, key);

    expect((await after.get(`/api/domains/${id}`).expect(200)).body).toEqual(domain);
    expect((await after.get(`/api/domains/${id}/dns/records`).expect(200)).body).toEqual(records);
    await after
      .post('/api/domains/quote', { domains: [{ name: 'lasting.com' }] })
      .expect(200)
      .expect((res) => expect(res.body.quotes[0]).toMatchObject({ available: false }));
  });

  it('reports all configuration errors, opens no file and exits with 1', async () => {
    const service = start({
      PORT: 'http',
      LOG_LEVEL: 'loud',
      RATE_LIMIT_PER_MINUTE: '-1',
      SECRET_KEY: 'short',
      TRUST_PROXY: 'perhaps',
      CURRENCY: 'EUR',
    });

    const { code, stdout, stderr } = await service.ended;

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(
      stderr
        .match(/^ {2}[A-Z_]+ /gm)
        ?.map((line) => line.trim())
        .toSorted(),
    ).toEqual(['CURRENCY', 'LOG_LEVEL', 'PORT', 'RATE_LIMIT_PER_MINUTE', 'SECRET_KEY', 'TRUST_PROXY']);
    expect(stderr).not.toContain('    at ');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('opens no database if SECRET_KEY_FILE cannot be read', async () => {
    const service = start({ SECRET_KEY_FILE: join(folder, 'nowhere.key') });

    const { code, stderr } = await service.ended;

    expect(code).toBe(1);
    expect(stderr).toMatch(/^The configuration is invalid:\n {2}SECRET_KEY_FILE cannot be read: \S+ \(ENOENT\)\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('exits with 1 and names the port if it is in use, and creates the first key only at a successful start', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    const { code, stdout, stderr } = await start({ PORT: String(port) }).ended;
    other.close();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Namewright could not start: port ${port} of 127.0.0.1 is taken by another process; set PORT to a free one\n`,
    );
    expect(stdout).not.toContain('API key');
    expect(await firstKeyOf(start())).toMatch(/^nw_live_/);
  });

  it('refuses a SQLite database that another process uses, and opens it after that process is killed', async () => {
    const first = start();
    await addressOf(first);

    const { code, stderr } = await start().ended;
    first.signal('SIGKILL');
    await first.ended;

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Namewright could not start: another process serves ${join(folder, 'namewright.db')}; stop it, or set DATABASE_URL to another file\n`,
    );
    await addressOf(start());
  });

  it('names the unreachable database server, but not user or password', async () => {
    const { code, stderr } = await start({
      DATABASE_URL: 'mysql://user:hunter2@127.0.0.1:1/none',
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    }).ended;

    expect(code).toBe(1);
    expect(stderr).toBe(
      'Namewright could not start: MySQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED): see DATABASE_URL\n',
    );
  });

  it('reads its settings from a file with the command in .env.example', async () => {
    const example = readFileSync('.env.example', 'utf8');
    const [, how = ''] = /`(.*); npm start`/.exec(example) ?? [];
    writeFileSync(
      join(folder, '.env'),
      example
        .replace(/^PORT=.*$/m, 'PORT=0')
        .replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=sqlite:${join(folder, 'from-file.db')}`)
        .replace(/^API_KEY_PREFIX=.*$/m, 'API_KEY_PREFIX=filed'),
    );

    const service = start({}, [
      'sh',
      '-c',
      `cd '${folder}'; ${how}; cd '${resolve('.')}'; exec '${process.execPath}' dist/main.js`,
    ]);

    expect(await firstKeyOf(service)).toMatch(/^filed_live_/);
    expect(existsSync(join(folder, 'from-file.db'))).toBe(true);
  });
});
