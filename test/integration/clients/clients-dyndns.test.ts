import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../src/domain/access/actor';
import { describeOrSkip } from '../../support/describe-or-skip';
import { missing } from '../../support/nameservers/nameserver';
import { api, hosted, startService, type Api, type TestService } from '../../support/service/service';
import { startTlsProxy, type TlsProxy } from '../../support/service/tls-proxy';

const ZONE = 'dynamic-host.com';

describeOrSkip(missing('ddclient', 'inadyn'))('DynDNS2 clients of a hosted zone behind TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-dyndns-'));
  let service: TestService;
  let proxy: TlsProxy;
  let client: Api;
  let account: string;
  let zone: string;

  beforeAll(async () => {
    service = await startService({ COMPATIBILITY_APIS: 'dyndns', TRUST_PROXY: 'loopback' });
    account = await service.account();
    client = api(service, await service.key(account));
    zone = await hosted(client, ZONE);
    proxy = await startTlsProxy(folder, service.server);
  });

  afterAll(async () => {
    await proxy.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A key for the addresses of some hosts, and nothing else. */
  const routerKey = async (...names: readonly string[]) => {
    const limits = { domains: [ZONE], names, types: ['A', 'AAAA'] };
    const command = { accountId: account, actor: OPERATOR, name: 'router', scope: 'WRITE', limits } as const;
    const { key, text } = await service.container.get(IssueApiKey).execute(command);
    const [, secret = ''] = text.split('.');
    return { keyId: key.toState().keyId, secret };
  };

  const file = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    return path;
  };

  /** Returns what the program prints. */
  const run = async (program: string, ...options: readonly string[]): Promise<string> => {
    const env = { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env['PATH']}`, HOME: folder };
    const { stdout, stderr } = await promisify(execFile)(program, options, { env }).catch((error: unknown) => {
      return error as { stdout: string; stderr: string };
    });
    return stdout + stderr;
  };

  const addresses = async (name: string): Promise<readonly string[]> => {
    const { body } = await client.get(`${zone}/dns/records?name=${name}`).expect(200);
    return (body as { type: string; content: string }[]).map(({ type, content }) => `${type} ${content}`).toSorted();
  };

  const ddclient = async (
    { keyId, secret }: { readonly keyId: string; readonly secret: string },
    address: string,
    ...hosts: readonly string[]
  ): Promise<string> => {
    const config = file(`ddclient-${address.replaceAll(':', '-')}.conf`, [
      'ssl=yes',
      `ssl_ca_file=${proxy.certificateFile}`,
      'protocol=dyndns2',
      `server=${proxy.host}`,
      'use=cmd',
      `cmd='echo ${address}'`,
      `login=${keyId}`,
      `password='${secret}'`,
      hosts.map((host) => `${host}.${ZONE}`).join(','),
    ]);
    const cache = join(folder, 'ddclient.cache');
    return run('ddclient', '-daemon=0', '-force', '-verbose', '-file', config, '-cache', cache);
  };

  it('ddclient sets the IPv4 and the IPv6 address of several hosts, and learns that nothing changed', async () => {
    const key = await routerKey('home', 'nas');

    expect(await ddclient(key, '192.0.2.1', 'home', 'nas')).toMatch(/home[^]*good: IP address set[^]*nas[^]*good: IP/);
    expect(await ddclient(key, '2001:db8::1', 'home', 'nas')).toMatch(/good: IP address set/);
    expect(await ddclient(key, '192.0.2.1', 'home', 'nas')).toContain('nochg');

    expect(await addresses('home')).toEqual(['A 192.0.2.1', 'AAAA 2001:db8::1']);
    expect(await addresses('nas')).toEqual(['A 192.0.2.1', 'AAAA 2001:db8::1']);
  });

  it('ddclient reports a host outside of the limits of its key, and a wrong key', async () => {
    const key = await routerKey('home');

    expect(await ddclient(key, '192.0.2.7', 'mail')).toMatch(/FAILED[^]*nohost/);
    expect(await ddclient({ ...key, secret: 'x' }, '192.0.2.7', 'home')).toMatch(/FAILED[^]*authorization failed/);
    expect(await addresses('mail')).toEqual([]);
  });

  it.each([
    ['192.0.2.9', 'A 192.0.2.9'],
    ['2001:db8::9', 'AAAA 2001:db8::9'],
  ])('inadyn sets the address %s of several hosts', async (address, record) => {
    const { keyId, secret } = await routerKey('door', 'cam');
    const config = file('inadyn.conf', [
      'allow-ipv6 = true',
      `ca-trust-file = "${proxy.certificateFile}"`,
      'custom namewright {',
      `  ddns-server = "${proxy.host}"`,
      '  ddns-path = "/nic/update?hostname=%h&myip=%i"',
      `  username = "${keyId}"`,
      `  password = "${secret}"`,
      `  hostname = { "door.${ZONE}", "cam.${ZONE}" }`,
      `  checkip-command = "echo ${address}"`,
      '}',
    ]);

    const output = await run('inadyn', '-1', '-n', '--no-pidfile', `--cache-dir=${folder}`, '-f', config);

    expect(output).toContain('Updating cache for door');
    expect(await addresses('door')).toContain(record);
    expect(await addresses('cam')).toContain(record);
  });
});
