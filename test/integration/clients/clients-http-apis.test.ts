import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeOrSkip } from '../../support/describe-or-skip';
import { freePort } from '../../support/free-port';
import { missing } from '../../support/nameservers/nameserver';
import { api, hosted, startService, type TestService } from '../../support/service/service';

const run = promisify(execFile);
const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1';

describeOrSkip(missing('lexicon', 'haproxy'))('programs that speak the APIs of other products', () => {
  let service: TestService;
  let key: string;
  let base: string;

  beforeAll(async () => {
    service = await startService({ COMPATIBILITY_APIS: 'powerdns,external-dns' });
    key = await service.key(await service.account(), 'ADMIN');
    base = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
  });

  afterAll(() => service.stop());

  it('lexicon creates, updates and deletes records of a hosted zone through the PowerDNS API', async () => {
    const domain = 'lexicon-pdns.com';
    const client = api(service, key);
    const zone = await hosted(client, domain);
    const records = async () =>
      (await client.get(`${zone}/dns/records`).expect(200)).body.map(
        ({ type, name, content, ttl }: Record<string, unknown>) => [type, name, content, ttl],
      );
    const lexicon = (command: string) =>
      run('lexicon', `powerdns --pdns-server ${base}/compat/powerdns --auth-token ${key} ${command}`.split(' '));

    await lexicon(`create ${domain} A --name www --content 192.0.2.1 --ttl 300`);
    await lexicon(`create ${domain} TXT --name _acme-challenge --content abc --ttl 60`);
    expect(await records()).toEqual([
      ['A', 'www', '192.0.2.1', 300],
      ['TXT', '_acme-challenge', 'abc', 60],
    ]);

    await lexicon(`update ${domain} A --identifier A/www.${domain}.=192.0.2.1 --name www --content 192.0.2.2`);
    await lexicon(`delete ${domain} TXT --name _acme-challenge --content abc`);
    expect(await records()).toEqual([['A', 'www', '192.0.2.2', expect.any(Number)]]);
  });

  it('the HAProxy configuration of the documentation adds the key to the requests of external-dns', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-haproxy-'));
    const [, documented = ''] =
      /```haproxy\n(.*?)```/s.exec(readFileSync(join(__dirname, '../../../docs/clients/external-dns.md'), 'utf8')) ??
      [];
    const port = await freePort();
    const configuration = documented
      .replace('127.0.0.1:8888', `127.0.0.1:${port}`)
      .replace(/server one .*/, `server one ${new URL(base).host}`);
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration);
    const haproxy = spawn('haproxy', ['-f', file], {
      env: { PATH: process.env['PATH'], NAMEWRIGHT_KEY: key },
      stdio: 'ignore',
    });
    try {
      const response = await untilReachable(`http://127.0.0.1:${port}/`, haproxy);

      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(MEDIA_TYPE);
      const created = await fetch(`http://127.0.0.1:${port}/records`, { method: 'POST', body: '{"create":[]}' });
      expect(created.status).toBe(204);
    } finally {
      haproxy.kill();
      if (haproxy.exitCode === null && haproxy.signalCode === null) await once(haproxy, 'exit');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function untilReachable(url: string, server: ChildProcess): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url, { headers: { Accept: MEDIA_TYPE } });
    } catch (error) {
      if (server.exitCode !== null || server.signalCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
