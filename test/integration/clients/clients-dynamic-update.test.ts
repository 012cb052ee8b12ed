import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { RevokeApiKey } from '../../../src/application/access/api-keys/revoke-api-key';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { KeyLimits } from '../../../src/domain/access/key-limits';
import { describeOrSkip } from '../../support/describe-or-skip';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import { missing, type Nameserver } from '../../support/nameservers/nameserver';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { api, hosted, registered, startService, type Api, type TestService } from '../../support/service/service';

const ZONE = 'dynamic-update.com';
const HOSTED_ZONE = 'hosted-update.example';
const MISSING = KNOT_MISSING ?? missing('nsupdate', 'knsupdate', 'kdig');
const TSIG = /^hmac-sha256:[0-9a-f]{18}:\S+$/;

describeOrSkip(MISSING)('dynamic update by programs of others', () => {
  let service: TestService;
  let client: Api;
  let account: string;
  let domainId: string;
  let paths: Readonly<Record<string, string>>;
  let knot: Nameserver;

  beforeAll(async () => {
    service = await startService({ DNS_LISTEN: '127.0.0.1:0', DNS_UPDATE_WAITS: '60,60' });
    account = await service.account();
    client = api(service, await service.key(account));
    knot = await startKnot(createInProcessAdmin(service), 'knot');
    domainId = await registered(client, ZONE);
    paths = { [ZONE]: `/api/domains/${domainId}`, [HOSTED_ZONE]: await hosted(client, HOSTED_ZONE) };
  });

  afterAll(async () => {
    await knot.stop();
    await service.stop();
  });

  const tsigKey = async (
    limits?: KeyLimits,
    { accountId = account, scope = 'WRITE' }: { accountId?: string; scope?: 'READ' | 'WRITE' } = {},
  ): Promise<string> => {
    const { text } = await service.container
      .get(IssueApiKey)
      .executeTsig({ accountId, actor: OPERATOR, name: 'router', scope, limits });
    expect(text).toMatch(TSIG);
    return text;
  };

  /** Returns what the program prints, or an empty text for success. */
  const update = async (
    program: 'nsupdate' | 'knsupdate',
    key: string,
    ...lines: readonly string[]
  ): Promise<string> => {
    const port = String(service.dns?.port);
    const child = spawn(program, ['-y', key, ...(program === 'nsupdate' ? ['-v'] : [])], { stdio: 'pipe' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += String(text)));
    child.stdin.end([`server 127.0.0.1 ${port}`, `zone ${ZONE}`, ...lines, 'send', ''].join('\n'));
    await once(child, 'close');
    return output.replaceAll('> ', '').trim();
  };

  const atKnot = async (name: string, type: string): Promise<readonly string[]> => {
    const { stdout } = await promisify(execFile)('kdig', [
      '@127.0.0.1',
      '-p',
      String(knot.plan.port),
      '+short',
      name,
      type,
    ]);
    return stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .toSorted();
  };

  const ask = async (...args: readonly string[]): Promise<string> => {
    const kdig = promisify(execFile)('kdig', ['@127.0.0.1', '-p', String(service.dns?.port), ...args]);
    return kdig.then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
  };

  const records = async (zone = ZONE): Promise<readonly string[]> => {
    const { body } = await client.get(`${paths[zone]}/dns/records`).expect(200);
    return (body as { name: string; type: string; content: string; ttl: number }[])
      .map(({ name, type, content, ttl }) => `${name} ${ttl} ${type} ${content}`)
      .toSorted();
  };

  it.each([
    ['nsupdate', 'a registered domain', ZONE],
    ['nsupdate', 'a hosted zone', HOSTED_ZONE],
    ['knsupdate', 'a registered domain', ZONE],
  ] as const)(
    '%s adds, replaces and deletes records of %s, which every secondary serves when it ends',
    async (program, _place, zone) => {
      const key = await tsigKey();
      const name = `${program}.${zone}`;

      expect(
        await update(
          program,
          key,
          `zone ${zone}`,
          `update add ${name} 300 A 192.0.2.1`,
          `update add ${name} 300 AAAA 2001:db8::1`,
          `update add ${name} 300 MX 10 mail.example.net.`,
          `update add _sip._tcp.${name} 300 SRV 1 2 5060 sip.example.net.`,
          `update add ${name} 300 CAA 0 issue "ca.example.net"`,
          String.raw`update add ${name} 30 TXT "a b" "c\"d"`,
        ),
      ).toBe('');

      expect(await atKnot(name, 'A')).toEqual(['192.0.2.1']);
      expect(await atKnot(name, 'TXT')).toEqual(['"a b" "c\\"d"']);
      expect((await records(zone)).filter((record) => record.startsWith(program))).toEqual([
        `${program} 300 A 192.0.2.1`,
        `${program} 300 AAAA 2001:db8::1`,
        `${program} 300 CAA 0 issue "ca.example.net"`,
        `${program} 300 MX mail.example.net`,
        `${program} 60 TXT "a b" "c\\"d"`,
      ]);

      expect(
        await update(
          program,
          key,
          `zone ${zone}`,
          `update delete ${name} A 192.0.2.1`,
          `update add ${name} 300 A 192.0.2.2`,
          `update delete ${name} TXT`,
          `update delete absent.${zone}`,
          `update delete _sip._tcp.${name}`,
        ),
      ).toBe('');

      expect(await atKnot(name, 'A')).toEqual(['192.0.2.2']);
      expect(await atKnot(name, 'TXT')).toEqual([]);
    },
  );

  it('changes nothing if a prerequisite fails or a record is outside the zone', async () => {
    const key = await tsigKey();
    const before = await records();

    expect(await update('nsupdate', key, `prereq nxdomain ${ZONE}`, `update add a.${ZONE} 60 A 192.0.2.1`)).toContain(
      'YXDOMAIN',
    );
    expect(
      await update('nsupdate', key, `prereq yxrrset a.${ZONE} A`, `update add a.${ZONE} 60 A 192.0.2.1`),
    ).toContain('NXRRSET');
    expect(
      await update('nsupdate', key, `update add a.${ZONE} 60 A 192.0.2.1`, 'update add a.example.net 60 A 192.0.2.1'),
    ).toContain('NOTZONE');
    expect(await records()).toEqual(before);
  });

  it('obeys the limits of the key, all or nothing', async () => {
    const key = await tsigKey({ domains: [ZONE], names: ['_acme-challenge', '_acme-challenge.**'], types: ['TXT'] });
    const name = `_acme-challenge.${ZONE}`;
    const before = await records();

    expect(await update('knsupdate', key, `update add ${name} 60 A 192.0.2.1`)).toContain('REFUSED');
    expect(
      await update('knsupdate', key, `update add ${name} 60 TXT "x"`, `update add www.${ZONE} 60 TXT "x"`),
    ).toContain('REFUSED');
    expect(await update('knsupdate', key, `update delete nsupdate.${ZONE}`)).toContain('REFUSED');
    expect(await records()).toEqual(before);

    expect(await update('knsupdate', key, `update add ${name} 60 TXT "x"`)).toBe('');
    expect(await atKnot(name, 'TXT')).toEqual(['"x"']);
  });

  it('is NOTAUTH for a key of another account, for another domain, and for a key that may only read', async () => {
    const line = `update add a.${ZONE} 60 A 192.0.2.1`;
    const stranger = await tsigKey(undefined, { accountId: await service.account() });

    expect(await update('nsupdate', stranger, line)).toContain('NOTAUTH');
    expect(await update('nsupdate', await tsigKey({ domains: ['example.net'] }), line)).toContain('NOTAUTH');
    expect(await update('nsupdate', await tsigKey(undefined, { scope: 'READ' }), line)).toContain('NOTAUTH');
  });

  it('refuses a revoked key from the next message on, and does not open the REST API', async () => {
    const key = await tsigKey();
    const [, name = '', secret = ''] = key.split(':');
    const keyId = Buffer.from(name, 'hex').toString('base64url');
    await api(service, `nw_live_${keyId}.${secret.slice(0, 43)}`)
      .get('/api/domains')
      .expect(401);

    await service.container.get(RevokeApiKey).execute({ actor: OPERATOR, keyId });

    expect(await update('nsupdate', key, `update add a.${ZONE} 60 A 192.0.2.1`)).toMatch(/NOTAUTH|BADKEY/);
  });

  it('appears in the activity log with the key as actor', async () => {
    const key = await tsigKey();
    const keyId = Buffer.from(key.split(':')[1] ?? '', 'hex').toString('base64url');

    await update('nsupdate', key, `update add logged.${ZONE} 60 A 192.0.2.1`);

    const [entry] = await service.container.get<AuditReader>(AuditReader).page(account, { domainId }, 1);
    expect(entry).toMatchObject({ action: 'records.added', actor: { kind: 'key', id: keyId } });
  });

  it('finds the zone by unsigned SOA queries, as lego and certbot do', async () => {
    expect(await ask(ZONE, 'SOA')).toMatch(/status: NOERROR[^]*ANSWER SECTION[^]*SOA/);
    expect(await ask(ZONE, 'NS')).toMatch(/status: NOERROR[^]*ANSWER SECTION[^]*NS/);
    expect(await ask(`logged.${ZONE}`, 'SOA')).toMatch(
      /status: NOERROR[^]*AUTHORITY SECTION[^]*dynamic-update\.com\.[^]*SOA/,
    );
    expect(await ask(`_sip.nothing.${ZONE}`, 'SOA')).toMatch(/status: NXDOMAIN[^]*AUTHORITY SECTION/);
    expect(await ask(ZONE, 'A')).toContain('status: REFUSED');
    expect(await ask('example.org', 'SOA')).toContain('status: REFUSED');
  });

  it('reads back by signed queries what it wrote, as Terraform and Ansible do', async () => {
    const key = await tsigKey();
    await update(
      'nsupdate',
      key,
      `update add read-back.${ZONE} 300 A 192.0.2.9`,
      `update add *.wild.${ZONE} 60 TXT "t"`,
    );

    expect(await ask('-y', key, `read-back.${ZONE}`, 'A')).toMatch(/status: NOERROR[^]*300[^]*A[^]*192\.0\.2\.9/);
    expect(await ask('-y', key, `x.wild.${ZONE}`, 'TXT')).toMatch(/status: NOERROR[^]*"t"/);
    expect(await ask('-y', key, `absent.${ZONE}`, 'A')).toContain('status: NXDOMAIN');
    expect(await ask(`read-back.${ZONE}`, 'A')).toContain('status: REFUSED');
    expect(await ask('-y', await tsigKey({ names: ['other'] }), `read-back.${ZONE}`, 'A')).toContain('status: REFUSED');
  });

  it('deletes one of the NS records of a delegation', async () => {
    const key = await tsigKey();
    const child = `child.${ZONE}`;
    await update(
      'nsupdate',
      key,
      `update add ${child} 300 NS ns1.example.net.`,
      `update add ${child} 300 NS ns2.example.net.`,
    );

    expect(await update('nsupdate', key, `update delete ${child} NS ns1.example.net.`)).toBe('');

    expect((await records()).filter((record) => record.startsWith('child '))).toEqual(['child 300 NS ns2.example.net']);
  });

  it('sets the TTL of the NS set at the apex everywhere, and new nameservers have it', async () => {
    const key = await tsigKey();
    const [ns1, ns2] = ['ns1.namewright.example', 'ns2.namewright.example'];
    const changeTtl = (ttl: number) =>
      [ns1, ns2].flatMap((host) => [`update delete ${ZONE} NS ${host}.`, `update add ${ZONE} ${ttl} NS ${host}.`]);
    /** The TTL and the data of the NS records of the apex in an answer, a transfer or a zone file. */
    const apexNs = (text: string) =>
      text
        .split('\n')
        .map((line) => line.split(/\s+/))
        .flatMap(([owner, ttl, , type, data]) =>
          owner === `${ZONE}.` && type === 'NS' ? [`${ttl ?? ''} ${data ?? ''}`] : [],
        )
        .toSorted();
    const everywhere = async () => {
      const { text } = await client.get(`/api/domains/${domainId}/dns/zonefile`).expect(200);
      return [
        apexNs(await ask('+noall', '+answer', ZONE, 'NS')),
        apexNs(await ask('-y', key, ZONE, 'AXFR')),
        apexNs(text),
        apexNs(await ask('-p', String(knot.plan.port), '+noall', '+answer', ZONE, 'NS')),
      ];
    };

    expect(await update('nsupdate', key, ...changeTtl(1800))).toBe('');
    const changed = [`1800 ${ns1}.`, `1800 ${ns2}.`];
    expect(await everywhere()).toEqual([changed, changed, changed, changed]);

    await client.put(`/api/domains/${domainId}/nameservers`, { nameservers: [ns1, 'ns3.example.net'] }).expect(200);
    // Knot serves the new delegation when an update after it ends.
    await update('nsupdate', key, `update add after-nameservers.${ZONE} 300 A 192.0.2.1`);
    const moved = [`1800 ${ns1}.`, '1800 ns3.example.net.'];
    expect(await everywhere()).toEqual([moved, moved, moved, moved]);
    expect((await records()).filter((record) => record.startsWith('@ 1800 NS'))).toHaveLength(2);

    await client.put(`/api/domains/${domainId}/nameservers`, { nameservers: [ns1, ns2] }).expect(200);
    expect(await update('nsupdate', key, ...changeTtl(3600))).toBe('');
    expect((await records()).filter((record) => record.startsWith('@ ') && record.includes(' NS '))).toEqual([]);
  });

  it('transfers the zone to a key that may read it', async () => {
    const reader = await tsigKey(undefined, { scope: 'READ' });
    expect(await ask('-y', reader, ZONE, 'AXFR')).toMatch(/logged\.dynamic-update\.com\.[^]*192\.0\.2\.1/);
    expect(await ask('-y', reader, 'catalog.namewright.invalid', 'AXFR')).toMatch(/REFUSED/);
    expect(await ask('-y', await tsigKey({ domains: ['example.net'] }), ZONE, 'AXFR')).toMatch(/REFUSED/);
    for (const limits of [{ names: ['_acme-challenge'] }, { types: ['TXT'] }])
      expect(await ask('-y', await tsigKey(limits), ZONE, 'AXFR')).toMatch(/REFUSED/);
  });
});
