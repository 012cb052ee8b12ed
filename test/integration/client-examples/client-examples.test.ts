import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AddSecondary } from '../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { LossyProxy } from '../../support/clients/lossy-proxy';
import { OTHER_LANGUAGES, type ClientLanguage } from '../../support/clients/other-languages';
import { ScriptedService } from '../../support/clients/scripted-service';
import { buildTypeScriptExample } from '../../support/clients/typescript';
import { onBothDatabases } from '../../support/databases/databases';
import { describeOrSkip } from '../../support/describe-or-skip';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { api } from '../../support/service/service';

const LANGUAGES: Readonly<Record<string, ClientLanguage>> = {
  TypeScript: { build: (own) => ({ example: buildTypeScriptExample(own) }) },
  ...OTHER_LANGUAGES,
};

const DOMAIN_LIFE = [
  /^free: \S+$/,
  /^price: 10\.44 USD$/,
  /^registered: \S+$/,
  /^published: true$/,
  /^refused: CNAME_AT_ROOT$/,
  /^renewed: 1 year$/,
  /^event: domain\.requested$/,
  /^event: domain\.renewed$/,
];

const folder = mkdtempSync(join(tmpdir(), 'namewright-clients-'));
const built = new Map<string, ReturnType<ClientLanguage['build']>>();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Once for all tests. */
function programsOf(language: string): ReturnType<ClientLanguage['build']> {
  const known = built.get(language);
  if (known) return known;
  const own = join(folder, language);
  mkdirSync(own);
  const programs = LANGUAGES[language]!.build(own);
  built.set(language, programs);
  return programs;
}

onBothDatabases(
  'the example of the client',
  (service) => {
    let secondary: StubNameserver;

    beforeAll(async () => {
      secondary = await StubNameserver.start();
      await service().container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
      await service()
        .container.get(AddSecondary)
        .execute({ name: 'ns1', address: `127.0.0.1:${secondary.port}`, key: 'k', signs: false });
    });

    afterAll(() => secondary.stop());

    for (const [language, { missing }] of Object.entries(LANGUAGES)) {
      describeOrSkip(missing)(`in ${language}`, () => {
        it('lives through the loss of the first response to each write, and buys nothing twice', async () => {
          const label = `${language.toLowerCase()}-example`;
          // Later than any version of the zone.
          secondary.serials.set(`${label}.com`, 1_000);
          const [program = '', ...args] = programsOf(language).example;
          const proxy = await LossyProxy.start((service().server.address() as AddressInfo).port);
          const key = await service().key(await service().account());

          const { stdout } = await promisify(execFile)(program, [...args, label, 'com'], {
            env: { ...process.env, NAMEWRIGHT_URL: proxy.url, NAMEWRIGHT_API_KEY: key },
          });
          await proxy.stop();

          const lines = stdout.trim().split('\n');
          expect(lines[0]).toBe(`free: ${label}.com`);
          for (const expected of DOMAIN_LIFE) expect(lines).toContainEqual(expect.stringMatching(expected));
          // Search, quote, registration, records, the refused record and renewal.
          expect(proxy.attempts).toEqual([2, 2, 2, 2, 2, 2]);
          const { body } = await api(service(), key).get(`/api/sandbox/ledger?name=${label}.com`);
          expect(body).toMatchObject([{ kind: 'register' }, { kind: 'renew' }]);
        });
      });
    }
  },
  { DNS_LISTEN: '127.0.0.1:0' },
);

const BEHAVIOR = [
  'lost: a',
  'dated: true',
  'own key: true',
  'plan: 7',
  'proposed: /api/proposals/prop_1',
  'refused: DOMAIN_NOT_FOUND 404 req_1 gone',
  'late: REGISTRY_UNAVAILABLE 503 None None',
  'moved: UNKNOWN_RESPONSE 307 None None',
  'proxy: UNKNOWN_RESPONSE 502 None None',
  'slow: no response',
  'gone: no response',
  'list: a.example=active b.example=status_of_a_newer_service',
  'export: www A 192.0.2.1',
  'import: 8',
  'events: evt_1 evt_1 evt_4 evt_4',
];
const SECRET = 'nw_live_A1b2C3d4E5f6.this-is-the-secret';

describe.each(Object.entries(OTHER_LANGUAGES))('the client in %s', (language, { missing }) => {
  describeOrSkip(missing)('with a service that fails', () => {
    let service: ScriptedService;

    beforeEach(async () => {
      service = await ScriptedService.start();
    });

    afterEach(() => service.stop());

    const start = ([program = '', ...args]: readonly string[]) =>
      promisify(execFile)(program, args, {
        env: { ...process.env, NAMEWRIGHT_URL: service.url, NAMEWRIGHT_API_KEY: SECRET },
      });

    it('repeats writes with one key, obeys Retry-After, types errors, pages, follows events, and shows no secret', async () => {
      const { stdout, stderr } = await start(programsOf(language).behavior![0]!);

      expect(stdout.trim().split('\n')).toEqual(BEHAVIOR);
      // The texts of the errors, with their causes and stack traces.
      expect(stderr).toContain('DOMAIN_NOT_FOUND (404): It is DOMAIN_NOT_FOUND: gone [request req_1]');
      expect(stderr).not.toContain('this-is-the-secret');

      const lost = service.requests('/api/domains/lost/tags');
      expect(lost).toHaveLength(5);
      expect(new Set(lost.map(({ idempotencyKey, body }) => `${idempotencyKey} ${body}`)).size).toBe(1);
      expect(lost[0]).toMatchObject({ idempotencyKey: expect.any(String), authorization: `Bearer ${SECRET}` });
      const dated = service.requests('/api/domains/dated').map(({ idempotencyKey }) => idempotencyKey);
      expect(dated).toEqual([expect.any(String), dated[0]]);
      expect(dated[0]).not.toBe(lost[0]!.idempotencyKey);
      expect(service.requests('/api/domains/own-key')).toMatchObject([{ idempotencyKey: 'mine' }]);
      expect(service.requests('/api/domains/plan/dns/records')).toMatchObject([
        { url: '/api/domains/plan/dns/records?dry_run=true' },
      ]);
      expect(service.requests('/api/domains/proposed/tags')).toHaveLength(1);
      expect(stderr).toContain('/api/proposals/prop_1 waits until someone else accepts it');
      for (const [step, attempts] of Object.entries({ refused: 1, late: 1, moved: 1, proxy: 2, slow: 2 }))
        expect([step, service.requests(`/api/domains/${step}`).length]).toEqual([step, attempts]);
      // A redirect would take the key to another host.
      expect(service.requests('/elsewhere')).toEqual([]);
      // Java's HttpClient repeats a read once by itself.
      expect(service.requests('/api/domains/gone').length).toBeGreaterThanOrEqual(2);
      const lists = service.requests('/api/domains').map(({ url }) => new URL(url, service.url).searchParams);
      expect(lists.map((query) => [query.getAll('status'), query.get('limit'), query.get('cursor')])).toEqual([
        [['active,pending'], '1', null],
        [['active,pending'], '1', 'c2'],
      ]);
      expect(service.requests('/api/domains/zone/dns/zonefile')[1]).toMatchObject({
        method: 'PUT',
        contentType: 'text/dns',
        body: 'www A 192.0.2.1\n',
      });
      expect(
        service.requests('/api/events').map(({ url }) => new URL(url, service.url).searchParams.get('after')),
      ).toEqual([null, 'evt_2', 'evt_3']);
    });

    if (language === 'Python')
      it('does the same for asyncio', async () => {
        const { stdout } = await start(programsOf(language).behavior![1]!);

        expect(stdout.trim().split('\n')).toEqual(
          BEHAVIOR.filter((line) => /^(?:lost|proposed|list|events):/.test(line)),
        );
        const keys = service.requests('/api/domains/lost/tags').map(({ idempotencyKey }) => idempotencyKey);
        expect(keys).toEqual(Array.from({ length: 5 }, () => keys[0]));
        expect(keys[0]).toEqual(expect.any(String));
      });
  });
});
