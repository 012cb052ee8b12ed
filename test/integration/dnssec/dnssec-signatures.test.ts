import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RefreshSignatures } from '../../../src/application/dns/signing/signatures/refresh-signatures';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { SigningReader } from '../../../src/application/ports/dns/signing-repository';
import { RecordReader } from '../../../src/application/ports/dns/zone-queries';
import { Leases } from '../../../src/application/ports/storage/replicas';
import { UnitOfWork, type Stores } from '../../../src/application/ports/storage/unit-of-work';
import { BootstrapSignals } from '../../../src/application/hosting/bootstrap-signals';
import { ZoneVerifier } from '../../../src/application/hosting/zone-verifier';
import { domainIdOfZone, zoneIdOf } from '../../../src/domain/dns/zone-id';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import type { Denial } from '../../../src/domain/dns/dnssec/zone-signing-state';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { onBothDatabases } from '../../support/databases/databases';
import { describeOrSkip } from '../../support/describe-or-skip';
import { missing, program } from '../../support/nameservers/nameserver';
import { runDueWork } from '../../support/run-due-work';
import { api, registered, type Api } from '../../support/service/service';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const TOOLS = missing('kdig', 'ldns-verify-zone', 'dnssec-verify', 'kzonecheck');

function serialIn(zone: string): number {
  return Number(/SOA\s+\S+\s+\S+\s+(\d+)/.exec(zone)?.[1]);
}

/** The CDS and CDNSKEY records of a zone file, without their last fields. */
function signals(zone: string): readonly string[] {
  return [...zone.matchAll(/^(\S+)\s+3600\s+IN\s+(CDS|CDNSKEY)\s+(\S+)/gm)].map(([, ...parts]) => parts.join(' '));
}

describeOrSkip(TOOLS)('a zone that the service signs', () => {
  onBothDatabases(
    'transferred to a secondary',
    (service) => {
      let client: Api;
      let accountId: string;
      let folder: string;
      let count = 0;

      beforeAll(async () => {
        accountId = await service().account();
        client = api(service(), await service().key(accountId));
        folder = mkdtempSync(join(tmpdir(), 'namewright-signed-'));
        const directory = service().container.get<SecondaryDirectory>(SecondaryDirectory);
        await directory.addKey(KEY, new Date());
        const endpoint = { address: '127.0.0.1', port: 9 };
        await directory.add({ name: 'ns1', endpoint, keyName: KEY.name, signs: false, createdAt: new Date() });
      });
      afterAll(() => rmSync(folder, { recursive: true, force: true }));

      const signer = () => service().container.get<ZoneSigner>(ZoneSigner);
      const inTransaction = (work: (stores: Stores) => Promise<void>) => service().container.get(UnitOfWork).run(work);
      const signed = async (denial: Denial) => {
        const name = `signed-${(count += 1)}.com`;
        const id = await registered(client, name);
        const key = await signer().createKey();
        await inTransaction((stores) => signer().start(stores, id, { denial, key }));
        return { id, name, key };
      };
      const renew = () => runDueWork(service().container.get(RefreshSignatures));
      const dueIds = () => service().container.get<SigningReader>(SigningReader).due(new Date(), 10);
      const edit = (id: string, change: object) =>
        client.post(`/api/zones/${zoneIdOf(id)}/dns/records/batch`, change).expect(200);
      const transferred = async (name: string): Promise<string> => {
        const { address = '', port = 0 } = service().dns ?? {};
        const secret = `hmac-sha256:ns1:${KEY.secret.toString('base64')}`;
        const request = [`@${address}`, '-p', String(port), '-y', secret, '+noall', '+answer', name, 'AXFR'];
        const { stdout } = await promisify(execFile)('kdig', request, { maxBuffer: 64 * 1024 * 1024 });
        return stdout.trimEnd().split('\n').slice(0, -1).join('\n');
      };
      /** Rejects if a checker objects. @param checksKeys kzonecheck takes CDS records at every name for those of the zone itself */
      const verify = async (name: string, checksKeys = true): Promise<string> => {
        const text = await transferred(name);
        const file = join(folder, name);
        writeFileSync(file, `${text}\n`);
        await Promise.all([
          promisify(execFile)(program('ldns-verify-zone') ?? '', [file]),
          promisify(execFile)(program('dnssec-verify') ?? '', ['-q', '-z', '-o', name, file]),
          promisify(execFile)(program('kzonecheck') ?? '', ['-d', checksKeys ? 'on' : 'off', '-o', name, file]),
        ]);
        return text;
      };

      it.each<Denial>(['nsec', 'nsec3'])('passes three checkers after each of its changes, with %s', async (denial) => {
        const { id, name } = await signed(denial);
        await verify(name);
        const { body } = await edit(id, {
          create: [
            { type: 'A', name: '@', content: '192.0.2.1' },
            { type: 'A', name: 'www', content: '192.0.2.1' },
            { type: 'A', name: 'deep.below.nothing', content: '192.0.2.1' },
            { type: 'TXT', name: '*.wild', content: 'any' },
            { type: 'NS', name: 'sub', content: `ns.sub.${name}` },
            { type: 'A', name: 'ns.sub', content: '192.0.2.2' },
            { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
            // They repeat the delegation, so they follow it.
            { type: 'NS', name: '@', content: 'ns1.namewright.example', ttl: 1800 },
            { type: 'NS', name: '@', content: 'ns2.namewright.example', ttl: 1800 },
          ],
        });
        const text = await verify(name);
        const idOf = (wanted: string) =>
          (body as { created: { id: string; name: string }[] }).created.find((record) => record.name === wanted)?.id;
        await edit(id, { delete: [idOf('deep.below.nothing'), idOf('sub')] });
        await verify(name);

        expect(text).toMatch(/RRSIG\s+MX 13/);
        expect(text).not.toMatch(/ns\.sub\.\S+\s+\d+\s+IN\s+RRSIG/);
        await client
          .put(`/api/domains/${id}/nameservers`, { nameservers: ['ns1.example.net', 'ns2.example.net'] })
          .expect(200);
        expect((await verify(name)).match(/1800\s+IN\s+(NS\s+\S+|RRSIG\s+NS)/g)).toHaveLength(3);
      });

      it('gets new signatures, keys and CDS records with a new serial and the same version', async () => {
        const { id, name, key } = await signed('nsec');
        const reader = service().container.get<RecordReader>(RecordReader);
        const before = await reader.find(id);
        const next = await signer().createKey();

        await inTransaction((stores) => signer().setCds(stores, id, 'keys'));
        await inTransaction((stores) => signer().addKey(stores, id, next));
        await inTransaction((stores) => signer().retireKey(stores, id, key.id));
        const both = await transferred(name);
        await signer().prepare(id, { removedKeyId: key.id });
        await inTransaction((stores) => signer().removeKey(stores, id, key.id));
        const text = await verify(name);

        expect(both.match(/\bDNSKEY\s+257/g)).toHaveLength(2);
        expect([...both.matchAll(/\sCDS\s+(\d+) 13 2 /g)].map(([, tag]) => Number(tag))).toEqual([next.keyTag]);
        expect(text).toContain(`13 2 3600`);
        expect(await reader.find(id)).toEqual({ ...before, serial: (before?.serial ?? 0) + 4 });
      });

      it('renews signatures that are due, and only then', async () => {
        const { id, name } = await signed('nsec3');
        const before = await transferred(name);

        await renew();
        const unchanged = await transferred(name);
        await inTransaction(async ({ zones, signing }) => {
          await zones.lock(id);
          const rows = (await signing.derived(id)).map((row) => ({
            before: row,
            after: { ...row, refreshAt: new Date(0) },
          }));
          await signing.write(id, 1_000, rows, new Date());
        });
        await renew();

        expect(unchanged).toBe(before);
        expect(await verify(name)).not.toBe(before);
        expect(await dueIds()).toEqual([]);
      });

      it('leaves renewal to the process that has the lease', async () => {
        const { id } = await signed('nsec');
        const { container } = service();
        const leases = container.get<Leases>(Leases);
        const hold = async () => (await leases.hold('signatures', 'another process')).owner;
        // First, because the worker of this process renews what is due every ten seconds.
        while ((await hold()) !== 'another process') await sleep(20);
        await inTransaction(async ({ zones, signing }) => {
          await zones.lock(id);
          const changes = (await signing.derived(id)).map((row) => ({
            before: row,
            after: { ...row, refreshAt: new Date(0) },
          }));
          await signing.write(id, 1_000, changes, new Date());
        });

        await hold();
        await container.get(RefreshSignatures).run();
        const left = await dueIds();
        await leases.release('signatures', 'another process');
        await renew();

        expect(left).toEqual([id]);
        expect(await dueIds()).toEqual([]);
      });

      it('is signed again after the versions were raised for a restored backup', async () => {
        const { name } = await signed('nsec');
        const { container } = service();
        const before = serialIn(await transferred(name));

        await container.get<SecondaryDirectory>(SecondaryDirectory).raiseVersions(1_000);
        await renew();

        expect(serialIn(await verify(name))).toBe(before + 1_001);
      });

      it('passes three checkers after an import that is signed before its transaction', async () => {
        const { id, name } = await signed('nsec3');
        await edit(id, { create: [{ type: 'A', name: 'h7', content: '192.0.2.7' }] });
        const hosts = Array.from({ length: 1_100 }, (_, host) => `h${host} 300 IN A 192.0.2.${host % 250}\n`);
        const lines = [...hosts, 'h8.deep.er 300 IN TXT "text"\n', 'h9 300 IN NS ns.example.net.\n'];

        const records = lines.filter((line) => !line.startsWith('h9 300 IN A')).join('');
        await client.put(`/api/domains/${id}/dns/zonefile`, records).set('Content-Type', 'text/dns').expect(200);

        expect(await verify(name)).toContain(`h1099.${name}.`);
      });

      it.each<Denial>(['nsec', 'nsec3'])(
        'has what zones ask their parents for the first time under the names of its nameservers (RFC 9615), with %s',
        async (denial) => {
          const host = async (name: string): Promise<string> =>
            domainIdOfZone((await client.post('/api/zones', { name }).expect(201)).body.id);
          const start = async (id: string) => {
            const key = await signer().createKey();
            await inTransaction((stores) => signer().start(stores, id, { denial, key }));
            return key;
          };
          const [holder, name] = ['namewright.example', `asks-${(count += 1)}.example`];
          const [ofNameservers, child] = [await host(holder), await host(name)];
          await edit(ofNameservers, {
            create: ['ns1', 'ns2'].map((each) => ({ type: 'A', name: each, content: '192.0.2.1' })),
          });
          await start(ofNameservers);
          const { keyTag } = await start(child);
          await inTransaction((stores) => signer().setCds(stores, child, 'first'));
          const dueAt = new Date(Date.now() + 86_400_000);
          const signing = (id: string, step: 'check' | 'add_ds') =>
            ZoneSigning.fromState({ ...ZoneSigning.request(id, denial, new Date()).toState(), step, serial: 1, dueAt });
          await inTransaction(({ zoneSignings }) => zoneSignings.add(signing(ofNameservers, 'check')));
          await inTransaction(({ zoneSignings }) => zoneSignings.add(signing(child, 'add_ds')));
          const keep = () => service().container.get(BootstrapSignals).keep({ id: child, name, accountId });
          const owners = ['ns1', 'ns2'].map((each) => `_dsboot.${name}._signal.${each}.${holder}.`);

          await keep();
          const found = signals(await verify(holder, false)).filter((each) => each.includes(name));
          const deleted = await client.delete(`/api/zones/${zoneIdOf(child)}`);
          await runDueWork(service().container.get(ZoneVerifier));
          const left = signals(await verify(holder, false)).filter((each) => each.includes(name));
          await client.delete(`/api/zones/${zoneIdOf(ofNameservers)}`).expect(200);

          expect(found.toSorted()).toEqual(
            owners.flatMap((owner) => [`${owner} CDNSKEY 257`, `${owner} CDS ${keyTag}`]).toSorted(),
          );
          expect(deleted.status).toBe(200);
          expect(left).toEqual([]);
        },
      );

      it('is transferred without signatures after signing has stopped', async () => {
        const { id, name } = await signed('nsec');

        // As the step does, which reads the serial afterwards.
        await inTransaction(async (stores) => {
          await signer().stop(stores, id);
          await stores.zones.lock(id);
        });

        expect(await transferred(name)).not.toMatch(/RRSIG|DNSKEY|NSEC/);
        expect(await service().container.get<SigningReader>(SigningReader).derived(id)).toEqual([]);
        expect(await signer().find(id)).toBeUndefined();
      });
    },
    { DNS_LISTEN: '127.0.0.1:0' },
  );
});
