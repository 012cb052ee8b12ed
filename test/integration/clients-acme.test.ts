import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { IssueApiKey } from '../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../src/domain/access/actor';
import { serverCertificate } from '../../src/infrastructure/registry/sandbox/epp-server/server-certificate';
import { describeOrSkip } from '../support/describe-or-skip';
import { freePort } from '../support/free-port';
import { KNOT_MISSING, startKnot } from '../support/nameservers/knot';
import { missing, type Nameserver } from '../support/nameservers/nameserver';
import { createInProcessAdmin } from '../support/nameservers/primary';
import { api, registered, startService, type TestService } from '../support/service/service';

const MISSING = KNOT_MISSING ?? missing('pebble', 'certbot', 'lego');
const run = promisify(execFile);

/** Pebble validates challenges at Knot, a secondary, and at once: nothing waits for propagation. */
describeOrSkip(MISSING)('ACME clients with dynamic updates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-acme-'));
  let service: TestService;
  let knot: Nameserver;
  let pebble: ChildProcess;
  let directory: string;
  let certificateFile: string;
  let account: string;

  beforeAll(async () => {
    service = await startService({
      DNS_LISTEN: '127.0.0.1:0',
      DNS_UPDATE_WAITS: '60,60',
      COMPATIBILITY_APIS: 'powerdns',
      PUBLISH_WAIT_MS: '60000',
    });
    account = await service.account();
    knot = await startKnot(createInProcessAdmin(service), 'knot');
    const port = await freePort();
    directory = `https://localhost:${port}/dir`;
    const { file } = await serverCertificate(folder, new Date());
    certificateFile = file;
    const config = join(folder, 'pebble.json');
    writeFileSync(
      config,
      JSON.stringify({
        pebble: {
          listenAddress: `127.0.0.1:${port}`,
          managementListenAddress: `127.0.0.1:${await freePort()}`,
          certificate: file,
          privateKey: join(folder, 'key.pem'),
          httpPort: await freePort(),
          tlsPort: await freePort(),
        },
      }),
    );
    pebble = spawn('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${knot.plan.port}`], {
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    pebble.stderr?.resume();
    await new Promise<void>((resolve, reject) => {
      pebble.stdout?.on('data', (text: Buffer) => String(text).includes('ACME directory available') && resolve());
      pebble.once('exit', () => reject(new Error('Pebble ended')));
    });
  });

  afterAll(async () => {
    pebble.kill();
    if (pebble.exitCode === null && pebble.signalCode === null) await once(pebble, 'exit');
    await knot.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A key for the challenges of one domain, and nothing else. */
  const challengeKey = async (domain: string): Promise<{ readonly name: string; readonly secret: string }> => {
    const limits = { domains: [domain], names: ['_acme-challenge'], types: ['TXT'] };
    const { text } = await service.container
      .get(IssueApiKey)
      .executeTsig({ accountId: account, actor: OPERATOR, name: 'certificates', limits });
    const [, name = '', secret = ''] = text.split(':');
    return { name, secret };
  };

  const prepare = async (domain: string) => {
    const client = api(service, await service.key(account));
    const id = await registered(client, domain);
    const challenges = async () => (await client.get(`/api/domains/${id}/dns/records`).expect(200)).body as unknown[];
    return { ...(await challengeKey(domain)), challenges };
  };

  it('certbot gets certificates for a wildcard and its domain without a pause, and leaves no record', async () => {
    const domain = 'certbot-client.com';
    const { name, secret, challenges } = await prepare(domain);
    const credentials = join(folder, 'rfc2136.ini');
    writeFileSync(
      credentials,
      [
        'dns_rfc2136_server = 127.0.0.1',
        `dns_rfc2136_port = ${service.dns?.port}`,
        `dns_rfc2136_name = ${name}`,
        `dns_rfc2136_secret = ${secret}`,
        'dns_rfc2136_algorithm = HMAC-SHA256',
      ].join('\n'),
    );
    chmodSync(credentials, 0o600);

    const options = [
      'certonly --non-interactive --agree-tos --email ada@example.com --no-verify-ssl --dns-rfc2136',
      `--server ${directory} --dns-rfc2136-credentials ${credentials} --dns-rfc2136-propagation-seconds 0`,
      `--config-dir ${folder}/config --work-dir ${folder}/work --logs-dir ${folder}/logs`,
      `-d *.${domain} -d ${domain}`,
    ];
    await run('certbot', options.join(' ').split(' '));

    const certificate = new X509Certificate(readFileSync(join(folder, 'config', 'live', domain, 'cert.pem')));
    expect(certificate.subjectAltName).toContain(`DNS:*.${domain}`);
    expect(await challenges()).toEqual([]);
  });

  it('lego gets a certificate for a wildcard without a pause, and leaves no record', async () => {
    const domain = 'lego-client.com';
    const { name, secret, challenges } = await prepare(domain);
    const nameserver = `127.0.0.1:${service.dns?.port}`;

    const options = [
      `--accept-tos --email ada@example.com --server ${directory} --path ${folder}/lego`,
      `--dns rfc2136 --dns.disable-cp --dns.resolvers ${nameserver} --domains *.${domain} run`,
    ];
    await run('lego', options.join(' ').split(' '), {
      env: {
        PATH: process.env['PATH'],
        LEGO_CA_CERTIFICATES: certificateFile,
        RFC2136_NAMESERVER: nameserver,
        RFC2136_TSIG_ALGORITHM: 'hmac-sha256.',
        RFC2136_TSIG_KEY: name,
        RFC2136_TSIG_SECRET: secret,
      },
    });

    const file = join(folder, 'lego', 'certificates', `_.${domain}.crt`);
    expect(new X509Certificate(readFileSync(file)).subjectAltName).toContain(`DNS:*.${domain}`);
    expect(await challenges()).toEqual([]);
  });

  it('lego gets a certificate for a wildcard and its domain through the PowerDNS API, with a key for challenges only', async () => {
    const domain = 'lego-pdns.com';
    const { challenges } = await prepare(domain);
    const { text: key } = await service.container.get(IssueApiKey).execute({
      accountId: account,
      actor: OPERATOR,
      name: 'certificates',
      scope: 'WRITE',
      limits: { domains: [domain], names: ['_acme-challenge'], types: ['TXT'] },
    });

    const options = [
      `--accept-tos --email ada@example.com --server ${directory} --path ${folder}/lego-pdns`,
      `--dns pdns --dns.disable-cp --dns.resolvers 127.0.0.1:${service.dns?.port}`,
      `--domains *.${domain} --domains ${domain} run`,
    ];
    const { port } = service.server.address() as AddressInfo;
    await run('lego', options.join(' ').split(' '), {
      env: {
        PATH: process.env['PATH'],
        LEGO_CA_CERTIFICATES: certificateFile,
        PDNS_API_URL: `http://127.0.0.1:${port}/compat/powerdns`,
        PDNS_API_KEY: key,
      },
    });

    const file = join(folder, 'lego-pdns', 'certificates', `_.${domain}.crt`);
    expect(new X509Certificate(readFileSync(file)).subjectAltName).toContain(`DNS:*.${domain}`);
    expect(await challenges()).toEqual([]);
  });
});
