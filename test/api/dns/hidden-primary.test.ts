import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decode, encode, type Answer, type DecodedPacket } from 'dns-packet';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { isSignedResponse } from '../../../src/infrastructure/nameserver/wire/tsig';
import { readTsig } from '../../../src/infrastructure/nameserver/wire/wire-query';
import { onBothDatabases } from '../../support/databases/databases';
import { missing } from '../../support/nameservers/nameserver';
import {
  sendTcp,
  sendUdp,
  frame,
  isCompleteTransfer,
  readMessages,
  rcodeOf,
  requestFor,
  signRequest,
  truncateMac,
  type Question,
} from '../../support/nameservers/primary-client';
import { api, registered, type Api } from '../../support/service/service';
import { describeOrSkip } from '../../support/describe-or-skip';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const STRAY: TsigKey = { name: 'stray', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 2) };
const CATALOG = 'catalog.namewright.invalid';
const [FORMERR, NOTIMP, REFUSED, NOTAUTH] = [1, 4, 5, 9];
const ZONE_TOOLS = missing('kdig', 'named-checkzone', 'kzonecheck');

onBothDatabases(
  'the hidden primary',
  (service) => {
    let client: Api;
    let at: Endpoint;
    let directory: SecondaryDirectory;
    let name: string;
    let domainId: string;
    let records: string;
    let serial = 0;

    beforeAll(async () => {
      client = api(service(), await service().key(await service().account()));
      at = service().dns ?? { address: '', port: 0 };
      directory = service().container.get<SecondaryDirectory>(SecondaryDirectory);
      for (const key of [KEY, STRAY]) await directory.addKey(key, new Date());
      await directory.add({
        name: 'ns1',
        endpoint: { address: '127.0.0.1', port: 9 },
        keyName: KEY.name,
        signs: false,
        createdAt: new Date(),
      });
    });

    beforeEach(async () => {
      name = `pulled-${(serial += 1)}.com`;
      domainId = await registered(client, name);
      records = `/api/domains/${domainId}/dns/records`;
    });

    const ask = async (question: Question, key: TsigKey = KEY): Promise<DecodedPacket> =>
      decode((await sendUdp(at, signRequest(requestFor(question), key))) ?? Buffer.alloc(0));
    const pull = async (question: Question, key: TsigKey = KEY): Promise<readonly DecodedPacket[]> =>
      (await sendTcp(at, signRequest(requestFor(question), key), isCompleteTransfer)).map((message) => decode(message));
    const changesSince = async (from: number, zoneName: string): Promise<readonly Answer[]> =>
      (
        await sendTcp(
          at,
          signRequest(requestFor({ type: 'IXFR', name: zoneName, serial: from }), KEY),
          (messages) => messages.length > 0,
        )
      ).flatMap((message) => decode(message).answers ?? []);
    const transferred = async (zoneName: string): Promise<readonly Answer[]> =>
      (await pull({ type: 'AXFR', name: zoneName })).flatMap(({ answers = [] }) => answers);
    const add = async (...drafts: readonly object[]): Promise<number> =>
      Number((await client.post(`${records}/batch`, { create: drafts }).expect(200)).headers['zone-version']);

    it('answers SOA from the configuration and the delegation, with the zone version as serial', async () => {
      const version = await add({ type: 'A', name: 'www', content: '192.0.2.1' });

      const { answers = [], flag_aa: isAuthoritative } = await ask({ type: 'SOA', name: name.toUpperCase() });

      expect(isAuthoritative).toBe(true);
      expect(answers).toMatchObject([
        {
          name,
          type: 'SOA',
          data: {
            mname: 'ns1.namewright.example',
            rname: `hostmaster.${name}`,
            serial: version,
            refresh: 3600,
            retry: 600,
            expire: 1_209_600,
            minimum: 300,
          },
        },
      ]);
    });

    it('transfers the zone between two SOA records, with one TTL per RRset and the delegation once', async () => {
      await add(
        { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 },
        { type: 'A', name: 'www', content: '192.0.2.2', ttl: 900 },
        { type: 'NS', name: '@', content: 'ns2.namewright.example', ttl: 120 },
        { type: 'NS', name: '@', content: 'ns3.example.net' },
        { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
      );

      const answers = await transferred(name);

      expect(answers.map((answer) => ('ttl' in answer ? `${answer.name} ${answer.ttl} ${answer.type}` : ''))).toEqual([
        `${name} 3600 SOA`,
        `${name} 120 NS`,
        `${name} 120 NS`,
        `${name} 120 NS`,
        `${name} 3600 MX`,
        `www.${name} 300 A`,
        `www.${name} 300 A`,
        `${name} 3600 SOA`,
      ]);
      expect(answers.flatMap((answer) => (answer.type === 'NS' ? [answer.data] : []))).toEqual([
        'ns1.namewright.example',
        'ns2.namewright.example',
        'ns3.example.net',
      ]);
    });

    it('signs each message of a transfer over the previous one', async () => {
      await add(
        ...Array.from({ length: 100 }, (_, index) => ({
          type: 'TXT',
          name: `big${index}`,
          content: 'x'.repeat(4_000),
        })),
      );
      const request = signRequest(requestFor({ type: 'AXFR', name }), KEY);

      const messages = await sendTcp(at, request, isCompleteTransfer);

      expect(messages.length).toBeGreaterThan(3);
      const [first = Buffer.alloc(0)] = messages;
      expect(messages.every((message) => readTsig(message)?.mac.length === 32)).toBe(true);
      expect(isSignedResponse(first, readTsig(first)!, KEY, readTsig(request)!.mac)).toBe(true);
    });

    it('answers IXFR with the SOA if the secondary is current, with what changed since its serial, or with the whole zone', async () => {
      const version = await add({ type: 'A', name: 'www', content: '192.0.2.1' });
      const pulled = (from: number) => changesSince(from, name);

      expect((await pulled(version)).map(({ type }) => type)).toEqual(['SOA']);
      expect((await pulled(version + 1)).map(({ type }) => type)).toEqual(['SOA']);
      const changes = await pulled(version - 1);
      expect(changes.map(({ type }) => type)).toEqual(['SOA', 'SOA', 'SOA', 'A', 'SOA']);
      expect((await pulled(0)).map(({ type }) => type)).toEqual(['SOA', 'NS', 'NS', 'A', 'SOA']);
      expect((await ask({ type: 'IXFR', name, serial: version - 1 })).answers).toMatchObject([{ type: 'SOA' }]);
    });

    it('lists the served zones in the catalog, each under a unique id', async () => {
      const answers = await transferred(CATALOG);

      expect(answers).toContainEqual(
        expect.objectContaining({ type: 'TXT', name: `version.${CATALOG}`, data: [Buffer.from('2')] }),
      );
      expect(answers).toContainEqual(expect.objectContaining({ type: 'NS', name: CATALOG, data: 'invalid' }));
      expect(answers).toContainEqual(
        expect.objectContaining({ type: 'PTR', name: `${domainId}.zones.${CATALOG}`, data: name }),
      );
    });

    it('raises the catalog serial for each new domain, and sends only that domain', async () => {
      const before = serialOf((await ask({ type: 'SOA', name: CATALOG })).answers?.[0]) ?? NaN;

      await registered(client, `another-${name}`);

      expect(serialOf((await ask({ type: 'SOA', name: CATALOG })).answers?.[0])).toBe(before + 1);
      expect(
        (await changesSince(before, CATALOG)).map((answer) => (answer.type === 'PTR' ? answer.data : answer.type)),
      ).toEqual(['SOA', 'SOA', 'SOA', `another-${name}`, 'SOA']);
    });

    it('transfers a consistent snapshot of a zone that is being changed', async () => {
      const start = await add({ type: 'A', name: 'start', content: '192.0.2.1' });
      const writes = Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          client.post(records, { type: 'A', name: `h${index}`, content: '192.0.2.1' }).expect(201),
        ),
      );

      for (let round = 0; round < 10; round += 1) {
        const answers = await transferred(name);
        const addresses = answers.filter(({ type }) => type === 'A');
        expect(addresses).toHaveLength((serialOf(answers[0]) ?? NaN) - start + 1);
        expect(answers.at(-1)).toEqual(answers[0]);
      }
      await writes;
    });

    describe('refuses', () => {
      const old = new Date(Date.now() - 400_000);
      it.each<[string, (question: Question) => Buffer, number]>([
        ['an unknown key', (question) => signRequest(requestFor(question), { ...KEY, name: 'unknown' }), NOTAUTH],
        [
          'another secret',
          (question) => signRequest(requestFor(question), { ...KEY, secret: Buffer.alloc(32, 9) }),
          NOTAUTH,
        ],
        ['an old time', (question) => signRequest(requestFor(question), KEY, old), NOTAUTH],
        ['a truncated signature', (question) => truncateMac(signRequest(requestFor(question), KEY), 16), NOTAUTH],
        [
          'a signature cut below what may be',
          (question) => truncateMac(signRequest(requestFor(question), KEY), 8),
          FORMERR,
        ],
        ['a key that is no secondary’s', (question) => signRequest(requestFor(question), STRAY), REFUSED],
        ['what makes no sense', (question) => Buffer.concat([requestFor(question), Buffer.from([0])]), FORMERR],
      ])('%s', async (_who, request, rcode) => {
        for (const type of ['SOA', 'AXFR', 'IXFR'] as const) {
          const [byStream] = await sendTcp(at, request({ type, name, serial: 0 }), (messages) => messages.length > 0);
          const byDatagram = await sendUdp(at, request({ type, name, serial: 0 }));

          for (const answer of [byStream, byDatagram]) {
            const packet = decode(answer ?? Buffer.alloc(0));
            expect({ type, rcode: rcodeOf(packet), answers: packet.answers }).toEqual({ type, rcode, answers: [] });
          }
        }
      });

      it.each(['AXFR', 'IXFR', 'A'] as const)('an unsigned %s query', async (type) => {
        const request = requestFor({ type, name, serial: 0 });
        const [byStream] = await sendTcp(at, request, (messages) => messages.length > 0);

        for (const answer of [byStream, await sendUdp(at, request)])
          expect(rcodeOf(decode(answer ?? Buffer.alloc(0)))).toBe(REFUSED);
      });

      it.each([
        ['any other type', { type: 'A' as const }, {}, REFUSED],
        [
          'any other class',
          { type: 'SOA' as const },
          { questions: [{ type: 'SOA' as const, name: 'x', class: 'CH' as const }] },
          REFUSED,
        ],
        ['any other opcode', { type: 'SOA' as const }, { flags: 4 << 11 }, NOTIMP],
        ['a transfer by UDP', { type: 'AXFR' as const }, {}, REFUSED],
      ])('%s', async (_what, { type }, overrides, rcode) => {
        expect(
          rcodeOf(
            decode((await sendUdp(at, signRequest(requestFor({ type, name }, overrides), KEY))) ?? Buffer.alloc(0)),
          ),
        ).toBe(rcode);
      });

      it('zones that are not served, below or above one that is', async () => {
        for (const stranger of ['example.org', 'com', `www.${name}`, '.'])
          expect(rcodeOf(await ask({ type: 'SOA', name: stranger }))).toBe(REFUSED);
        expect(rcodeOf((await pull({ type: 'AXFR', name: 'example.org' }))[0])).toBe(REFUSED);
      });

      it('a key as soon as it is revoked', async () => {
        const key: TsigKey = {
          name: `brief-${service().dns?.port}`,
          algorithm: 'hmac-sha512',
          secret: Buffer.alloc(64, 3),
        };
        await directory.addKey(key, new Date());
        await directory.add({
          name: 'brief',
          endpoint: { address: '127.0.0.1', port: 9 },
          keyName: key.name,
          signs: false,
          createdAt: new Date(),
        });
        expect(rcodeOf(await ask({ type: 'SOA', name }, key))).toBe(0);

        await directory.revokeKey(key.name, new Date());

        expect(rcodeOf(await ask({ type: 'SOA', name }, key))).toBe(NOTAUTH);
        await directory.remove('brief');
      });
    });

    it('ignores messages with the QR bit set', async () => {
      expect(
        await sendUdp(at, encode({ type: 'response', id: 1, questions: [{ type: 'SOA', name }] }), 200),
      ).toBeUndefined();
    });

    it('answers several queries on one connection in order', async () => {
      const socket = connect(at.port, at.address);
      const requests = ['SOA', 'AXFR', 'SOA'].map((type) =>
        frame(signRequest(requestFor({ type: type as 'SOA', name }), KEY)),
      );
      socket.write(Buffer.concat(requests));

      const messages = await readMessages(socket, (all) => all.length === 3);

      expect(messages.map((message) => decode(message).answers?.length)).toEqual([1, 4, 1]);
    });

    it('answers a query that arrives octet by octet', async () => {
      const socket = connect(at.port, at.address);
      socket.setNoDelay(true);
      for (const octet of frame(signRequest(requestFor({ type: 'SOA', name }), KEY)))
        socket.write(Buffer.from([octet]));

      expect(await readMessages(socket, (all) => all.length === 1)).toHaveLength(1);
    });

    it('closes the connection if a message does not arrive as a whole', async () => {
      const socket = connect(at.port, at.address);
      socket.write(Buffer.from([0xff, 0xff, 0]));

      expect(await readMessages(socket, () => false)).toEqual([]);
    });

    it('serves a secondary while many unauthenticated connections are open', async () => {
      const strangers = Array.from({ length: 100 }, () => connect(at.port, at.address).on('error', () => undefined));
      await Promise.all(strangers.map((socket) => once(socket, 'connect')));

      expect(await transferred(name)).toHaveLength(4);
      for (const socket of strangers) socket.destroy();
    });

    describeOrSkip(ZONE_TOOLS)('transferred by kdig', () => {
      it('passes named-checkzone and kzonecheck', async () => {
        await add(
          { type: 'A', name: '@', content: '192.0.2.1' },
          { type: 'AAAA', name: '*', content: '2001:db8::1' },
          { type: 'CNAME', name: 'blog', content: 'host.example.net' },
          { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
          { type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=none; "quoted"' },
          { type: 'NS', name: 'sub', content: 'ns1.example.net' },
          { type: 'SRV', name: '_sip._tcp', content: 'sip.example.net', priority: 5, port: 5060 },
          { type: 'CAA', name: '@', content: '0 issue "ca.example.net"' },
        );
        const folder = mkdtempSync(join(tmpdir(), 'namewright-zone-'));
        const file = join(folder, 'zone');

        const { stdout } = await promisify(execFile)('kdig', [
          `@${at.address}`,
          '-p',
          String(at.port),
          '-y',
          `hmac-sha256:ns1:${KEY.secret.toString('base64')}`,
          '+noall',
          '+answer',
          name,
          'AXFR',
        ]);
        writeFileSync(file, stdout);

        expect(execFileSync('named-checkzone', ['-i', 'none', name, file], { encoding: 'utf8' })).toMatch(/OK\s*$/);
        expect(() => execFileSync('kzonecheck', ['-o', name, file], { stdio: 'pipe' })).not.toThrow();
        rmSync(folder, { recursive: true });
      });
    });
  },
  { DNS_LISTEN: '127.0.0.1:0', DNS_UNSIGNED_PER_SECOND: '10000' },
);

function serialOf(answer: Answer | undefined): number | undefined {
  return answer?.type === 'SOA' ? answer.data.serial : undefined;
}
