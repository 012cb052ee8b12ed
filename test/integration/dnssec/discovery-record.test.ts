import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PublishDiscovery } from '../../../src/application/dns/domain-connect/publish-discovery';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import type { Denial } from '../../../src/domain/dns/dnssec/zone-signing-state';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { onBothDatabases } from '../../support/databases/databases';
import { describeOrSkip } from '../../support/describe-or-skip';
import { missing } from '../../support/nameservers/nameserver';
import { api, registered, type Api } from '../../support/service/service';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const run = promisify(execFile);
const DISCOVERY = /^_domainconnect\.\S+\s+3600\s+IN\s+TXT\s+"names\.example\.net:8080"$/m;

describeOrSkip(missing('kdig', 'ldns-verify-zone'))('the discovery record of Domain Connect', () => {
  onBothDatabases(
    'in transfers',
    (service) => {
      let client: Api;
      let folder: string;

      beforeAll(async () => {
        client = api(service(), await service().key(await service().account()));
        folder = mkdtempSync(join(tmpdir(), 'namewright-discovery-'));
        const directory = service().container.get<SecondaryDirectory>(SecondaryDirectory);
        await directory.addKey(KEY, new Date());
        const endpoint = { address: '127.0.0.1', port: 9 };
        await directory.add({ name: 'ns1', endpoint, keyName: KEY.name, signs: false, createdAt: new Date() });
      });
      afterAll(() => rmSync(folder, { recursive: true, force: true }));

      const publish = () => service().container.get(PublishDiscovery).execute();
      const transfer = async (name: string, type = 'AXFR'): Promise<string> => {
        const { address = '', port = 0 } = service().dns ?? {};
        const secret = `hmac-sha256:ns1:${KEY.secret.toString('base64')}`;
        const { stdout } = await run('kdig', [
          `@${address}`,
          '-p',
          `${port}`,
          '-y',
          secret,
          '+noall',
          '+answer',
          name,
          type,
        ]);
        return stdout.trimEnd();
      };
      const verify = async (zone: string): Promise<void> => {
        const file = join(folder, 'zone');
        writeFileSync(file, zone.split('\n').slice(0, -1).join('\n'));
        await run('ldns-verify-zone', [file]);
      };
      const sign = async (id: string, denial: Denial): Promise<void> => {
        const signer = service().container.get<ZoneSigner>(ZoneSigner);
        const key = await signer.createKey();
        await service()
          .container.get(UnitOfWork)
          .run((stores) => signer.start(stores, id, { denial, key }));
      };
      const put = (id: string, enabled: boolean) =>
        client.put(`/api/domains/${id}/domain-connect`, { enabled }).expect(200);
      const own = { type: 'TXT', name: '_domainconnect', content: 'elsewhere.example' };

      it('comes and goes with the switch of the zone, raises the serial, and is not among the records', async () => {
        const id = await registered(client, 'unsigned.com');
        const before = await transfer('unsigned.com');
        await publish();
        const { body: on } = await client.get(`/api/domains/${id}/domain-connect`).expect(200);
        const found = await transfer('unsigned.com');
        const difference = await transfer('unsigned.com', `IXFR=${serialIn(before)}`);
        const { body: off } = await put(id, false);
        const without = await transfer('unsigned.com');
        await publish();

        expect(before).not.toMatch(DISCOVERY);
        expect([on, off]).toEqual([
          { enabled: true, discovery: 'names.example.net:8080' },
          { enabled: false, discovery: null },
        ]);
        expect([found, difference]).toEqual([expect.stringMatching(DISCOVERY), expect.stringMatching(DISCOVERY)]);
        expect(without).not.toMatch(DISCOVERY);
        expect(serialIn(found)).toBeGreaterThan(serialIn(before));
        expect(serialIn(without)).toBeGreaterThan(serialIn(found));
        expect(serialIn(await transfer('unsigned.com'))).toBe(serialIn(without));
        expect((await client.get(`/api/domains/${id}/dns/records`).expect(200)).body).toEqual([]);
      });

      it('makes way for own records at its name, also in differences', async () => {
        const id = await registered(client, 'own-record.com');
        await publish();
        const found = serialIn(await transfer('own-record.com'));
        const { body: record } = await client.post(`/api/domains/${id}/dns/records`, own).expect(201);
        const added = await transfer('own-record.com', `IXFR=${found}`);
        const owned = await transfer('own-record.com');
        await client.delete(`/api/domains/${id}/dns/records/${record.id}`).expect(200);
        const removed = await transfer('own-record.com', `IXFR=${serialIn(owned)}`);

        expect(owned).not.toMatch(DISCOVERY);
        expect([added.match(/names\.example\.net/g), added.match(/elsewhere\.example/g)]).toEqual([
          [expect.anything()],
          [expect.anything()],
        ]);
        expect([removed.match(/names\.example\.net/g), removed.match(/elsewhere\.example/g)]).toEqual([
          [expect.anything()],
          [expect.anything()],
        ]);
        expect(await transfer('own-record.com')).toMatch(DISCOVERY);
      });

      it.each(['nsec', 'nsec3'] as const)(
        'is signed with a zone that has %s, however it comes and goes',
        async (denial) => {
          const name = `signed-${denial}.com`;
          const id = await registered(client, name);
          await client
            .post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' })
            .expect(201);
          await sign(id, denial);
          await publish();
          const found = await transfer(name);
          const difference = await transfer(name, `IXFR=${serialIn(found) - 1}`);
          const { body: record } = await client
            .post(`/api/domains/${id}/dns/records`, { ...own, content: 'names.example.net:8080' })
            .expect(201);
          const owned = await transfer(name);
          await client.delete(`/api/domains/${id}/dns/records/${record.id}`).expect(200);
          const again = await transfer(name);
          await put(id, false);
          const without = await transfer(name);

          for (const zone of [found, owned, again, without]) await verify(zone);
          for (const zone of [found, difference, owned, again]) expect(zone).toMatch(DISCOVERY);
          expect(found).toMatch(/^_domainconnect\.\S+\s+3600\s+IN\s+RRSIG\s+TXT /m);
          expect(owned.match(/^_domainconnect\.\S+\s+\d+\s+IN\s+TXT/gm)).toHaveLength(1);
          expect(without).not.toMatch(/^_domainconnect/m);
        },
      );
    },
    { DNS_LISTEN: '127.0.0.1:0', DOMAIN_CONNECT: 'on', PUBLIC_URL: 'http://names.example.net:8080' },
  );
});

function serialIn(zone: string): number {
  return Number(/SOA\s+\S+\s+\S+\s+(\d+)/.exec(zone)?.[1]);
}
