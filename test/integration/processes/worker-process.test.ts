import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { api, registered, startService, type TestService } from '../../support/service/service';
import { build, startProcess } from '../../support/service/service-process';
import { describeOrSkip } from '../../support/describe-or-skip';

const WORKER = [process.execPath, 'dist/worker.js'];

describe('npm run worker', () => {
  let folder: string;

  beforeAll(() => {
    build();
    folder = mkdtempSync(join(tmpdir(), 'namewright-worker-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('exits with 1 on SQLite, which allows one process only', async () => {
    const { code, stderr } = await startProcess({ DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}` }, WORKER)
      .ended;

    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL must be MySQL for a separate worker');
  });

  describeOrSkip(MYSQL_MISSING)('on MySQL', () => {
    let mysql: MysqlServer;
    let web: TestService;
    let settings: Record<string, string>;

    beforeAll(async () => {
      mysql = await startMysql();
      settings = {
        DATABASE_URL: await mysql.createDatabase(),
        SECRET_KEY: randomBytes(32).toString('base64'),
        NODE_ENV: 'test',
        LOG_LEVEL: 'info',
      };
      web = await startService({ ...settings, WORKER: 'off', LOG_LEVEL: 'silent' });
    });
    afterAll(async () => {
      await web.stop();
      await mysql.stop();
    });

    it('runs the operations of a web process, serves metrics and probes, and exits with 0 on SIGTERM', async () => {
      const worker = startProcess({ ...settings, METRICS_LISTEN: '0' }, WORKER);
      const [, metrics = ''] = await worker.waitForOutput(/"address":"([^"]+)","msg":"serving metrics"/);
      await worker.waitForOutput(/"working"/);
      const client = api(web, await web.key(await web.account()));

      const id = await registered(client, 'worked.com');
      const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
      const exported = await (await fetch(`http://${metrics}/metrics`)).text();
      const ready = await fetch(`http://${metrics}/readyz`);
      worker.signal('SIGTERM');

      expect(exported).toMatch(/^namewright_operation_runs_total\{kind="register",outcome="succeeded"\} 1$/m);
      expect(exported).toMatch(/^namewright_database_connections\{state="(?:busy|idle)"\} [1-9]/m);
      expect(ready.status).toBe(200);
      expect(body.auth_code).toMatch(/^[0-9a-f]{32}$/);
      expect((await worker.ended).code).toBe(0);
    });
  });
});
