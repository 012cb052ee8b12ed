import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../src/domain/access/actor';
import { describeOrSkip } from '../../support/describe-or-skip';
import { freePort } from '../../support/free-port';
import { missing, program } from '../../support/nameservers/nameserver';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const run = promisify(execFile);
const ZONE = 'update-programs.com';
const PYTHON = '/usr/bin/python3';
/** lexicon knows no other port than 53. */
const LISTEN = `127.${process.pid % 250}.${(process.pid >> 8) % 250}.53:53`;
const MISSING =
  missing('kea-dhcp-ddns', 'lexicon', 'knsupdate', 'kdig') ??
  (process.getuid?.() === 0 ? undefined : 'port 53 is only for root');

/** A DHCP client's identity: RFC 4701, section 3.6. */
const DHCID = '000201636FC0B8271C82825BB1AC5C41CF5351AA69B4FEBD94E8F17CDB95000DA48C40';
const OTHER_DHCID = '000101395F5C1B5C2F6D8E1FD1E5A1B8D0B0C0D0E0F000112233445566778899AABBCC';

describeOrSkip(MISSING)('programs of others that send dynamic updates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-programs-'));
  let service: TestService;
  let client: Api;
  let domainId: string;
  let key: string;
  let keyName: string;
  let secret: string;

  beforeAll(async () => {
    service = await startService({ DNS_LISTEN: LISTEN });
    const account = await service.account();
    client = api(service, await service.key(account));
    domainId = await registered(client, ZONE);
    const { text } = await service.container
      .get(IssueApiKey)
      .executeTsig({ accountId: account, actor: OPERATOR, name: 'programs' });
    key = text;
    [, keyName = '', secret = ''] = text.split(':');
  });

  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = (): string => service.dns?.address ?? '';

  const records = async (): Promise<readonly string[]> => {
    const { body } = await client.get(`/api/domains/${domainId}/dns/records`).expect(200);
    return (body as { name: string; type: string; content: string; ttl: number }[])
      .map(({ name, type, content, ttl }) => `${name} ${ttl} ${type} ${content}`)
      .toSorted();
  };

  const withoutOthers = async (prefix: RegExp): Promise<readonly string[]> =>
    (await records()).filter((record) => prefix.test(record));

  const lexicon = async (...args: readonly string[]): Promise<string> => {
    const auth = ['--auth-token', key, '--ddns-server', address(), '--output', 'JSON'];
    return (await run('lexicon', ['ddns', ...args, ...auth])).stdout;
  };

  it('dnspython gets the response codes of RFC 2136 for every form of prerequisite and update', async () => {
    const script = 'test/fixtures/clients/dnspython_update.py';
    const { stdout } = await run(PYTHON, [script, address(), '53', ZONE, keyName, secret]);

    expect(stdout.trim().split('\n')).toEqual([
      'add NOERROR',
      'add over UDP NOERROR',
      'add what exists NOERROR',
      'add another type NOERROR',
      'add CNAME beside data NOERROR',
      'require name NOERROR',
      'require absent name YXDOMAIN',
      'require missing name NXDOMAIN',
      'require set NOERROR',
      'require missing set NXRRSET',
      'require absent set YXRRSET',
      'require whole set NOERROR',
      'require part of a set NXRRSET',
      'delete record NOERROR',
      'delete absent record NOERROR',
      'delete set NOERROR',
      'replace set NOERROR',
      'delete name NOERROR',
      'delete absent name NOERROR',
      'delete apex NS NOERROR',
      'type without records here REFUSED',
      'name outside the zone NOTZONE',
    ]);
    expect(await withoutOthers(/^[p-s] /)).toEqual(['p 600 A 192.0.2.2', 'q 300 A 192.0.2.9', 'r 300 A 192.0.2.10']);
  });

  it('lexicon creates, lists, changes and deletes records', async () => {
    const name = `lex.${ZONE}`;
    await lexicon('create', ZONE, 'A', '--name', name, '--content', '192.0.2.20', '--ttl', '300');

    const listed = JSON.parse(await lexicon('list', ZONE, 'A')) as { id: string; name: string; content: string }[];
    const record = listed.find((each) => each.name === name);
    expect(record).toMatchObject({ content: '192.0.2.20' });

    const identifier = ['--identifier', record?.id ?? ''];
    await lexicon('update', ZONE, 'A', '--name', name, '--content', '192.0.2.21', ...identifier);
    expect(await withoutOthers(/^lex /)).toEqual(['lex 3600 A 192.0.2.21']);

    await lexicon('delete', ZONE, 'A', '--name', name, '--content', '192.0.2.21');
    expect(await withoutOthers(/^lex /)).toEqual([]);
  });

  it('Kea D2 adds and removes the records of leases, and keeps those of another client, by DHCID', async () => {
    const port = await freePort();
    const file = join(folder, 'kea.json');
    writeFileSync(file, JSON.stringify(keaConfig({ port, keyName, secret, address: address() })));
    const kea = spawn(program('kea-dhcp-ddns') ?? '', ['-c', file], {
      env: { ...process.env, KEA_PIDFILE_DIR: folder, KEA_LOCKFILE_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [kea.stdout, kea.stderr]) stream.on('data', (text: Buffer) => (output += String(text)));
    const until = async (text: string, count = 1): Promise<void> => {
      while (output.split(text).length <= count && kea.exitCode === null && kea.signalCode === null) await sleep(20);
      expect(output).toContain(text);
    };
    try {
      // Kea logs DHCP_DDNS_STARTED before it binds its UDP port.
      await until('DHCP_DDNS_QUEUE_MGR_STARTED');
      await sendNameChange(port, { add: true, ip: '192.0.2.50', dhcid: DHCID });
      await until('DHCP_DDNS_ADD_SUCCEEDED');
      const content = Buffer.from(DHCID, 'hex').toString('base64');
      expect(await withoutOthers(/^lease /)).toEqual(['lease 1200 A 192.0.2.50', `lease 1200 DHCID ${content}`]);

      await sendNameChange(port, { add: true, ip: '192.0.2.66', dhcid: OTHER_DHCID });
      await until('DHCP_DDNS_ADD_FAILED');
      await sendNameChange(port, { add: true, ip: '192.0.2.51', dhcid: DHCID });
      await until('DHCP_DDNS_ADD_SUCCEEDED', 2);
      expect(await withoutOthers(/^lease /)).toEqual(['lease 1200 A 192.0.2.51', `lease 1200 DHCID ${content}`]);

      await sendNameChange(port, { add: false, ip: '192.0.2.51', dhcid: DHCID });
      await until('DHCP_DDNS_REMOVE_SUCCEEDED');
      expect(await withoutOthers(/^lease /)).toEqual([]);
    } finally {
      kea.kill();
      if (kea.exitCode === null && kea.signalCode === null) await once(kea, 'exit');
    }
  });

  it('shows DHCID records in the list, the zone transfer and the zone file, and lets no REST request create or change one', async () => {
    const content = Buffer.from(DHCID, 'hex').toString('base64');
    const lines = [`server ${address()}`, `zone ${ZONE}`, `update add dhcp.${ZONE} 300 DHCID ${content}`, 'send', ''];
    const knsupdate = spawn('knsupdate', ['-y', key], { stdio: ['pipe', 'ignore', 'ignore'] });
    knsupdate.stdin.end(lines.join('\n'));
    await once(knsupdate, 'close');
    const path = `/api/domains/${domainId}/dns`;

    const { body: listed } = await client.get(`${path}/records?type=DHCID`).expect(200);
    expect(listed).toMatchObject([{ type: 'DHCID', name: 'dhcp', content, ttl: 300, priority: null }]);
    const [{ id }] = listed as [{ id: string }];
    const { stdout } = await run('kdig', [`@${address()}`, '-y', key, ZONE, 'AXFR']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`dhcp.${ZONE}. 300 IN DHCID ${content}`);

    const refused = { error: { code: 'INVALID_RECORD_TYPE' } };
    const draft = { type: 'DHCID', name: 'other', content };
    for (const attempt of [client.post(`${path}/records`, draft), client.put(`${path}/records/${id}`, { ttl: 600 })])
      expect((await attempt.expect(400)).body).toMatchObject(refused);

    const before = await records();
    const { text: zoneFile } = await client.get(`${path}/zonefile`).expect(200);
    await client.put(`${path}/zonefile`, zoneFile).set('Content-Type', 'text/dns').expect(200);
    expect(await records()).toEqual(before);
    await client.delete(`${path}/records/${id}`).expect(200);
  });
});

interface KeaSettings {
  readonly port: number;
  readonly keyName: string;
  readonly secret: string;
  readonly address: string;
}

/** As in docs/clients/dynamic-updates.md. */
function keaConfig({ port, keyName, secret, address }: KeaSettings): object {
  const servers = [{ 'ip-address': address, port: 53 }];
  return {
    DhcpDdns: {
      'ip-address': '127.0.0.1',
      port,
      'dns-server-timeout': 60_000,
      'tsig-keys': [{ name: keyName, algorithm: 'HMAC-SHA256', secret }],
      'forward-ddns': { 'ddns-domains': [{ name: `${ZONE}.`, 'key-name': keyName, 'dns-servers': servers }] },
      'reverse-ddns': {},
      loggers: [
        {
          name: 'kea-dhcp-ddns',
          severity: 'DEBUG',
          debuglevel: 50,
          output_options: [{ output: 'stdout', flush: true }],
        },
      ],
    },
  };
}

/** A NameChangeRequest as Kea's DHCP servers send it: JSON after its length in two octets, over UDP. */
async function sendNameChange(
  port: number,
  { add, ip, dhcid }: { readonly add: boolean; readonly ip: string; readonly dhcid: string },
): Promise<void> {
  const request = Buffer.from(
    JSON.stringify({
      'change-type': add ? 0 : 1,
      'forward-change': true,
      'reverse-change': false,
      fqdn: `lease.${ZONE}.`,
      'ip-address': ip,
      dhcid,
      'lease-expires-on': '20301231235959',
      'lease-length': 1_200,
      'use-conflict-resolution': true,
    }),
  );
  const length = Buffer.alloc(2);
  length.writeUInt16BE(request.length);
  const socket = createSocket('udp4');
  await new Promise((resolve) => socket.send(Buffer.concat([length, request]), port, '127.0.0.1', resolve));
  socket.close();
}
