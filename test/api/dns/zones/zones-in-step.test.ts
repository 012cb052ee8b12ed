import { setTimeout as sleep } from 'node:timers/promises';
import { ZoneVerifier } from '../../../../src/application/hosting/zone-verifier';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { FixDifference } from '../../../../src/application/registrar/reconciliation/fix-difference';
import { domainIdOfZone } from '../../../../src/domain/dns/zone-id';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { onBothDatabases } from '../../../support/databases/databases';
import { registerAtRegistry } from '../../../support/registries/register-at-registry';
import { runDueWork } from '../../../support/run-due-work';
import { api, registered, type Api } from '../../../support/service/service';

interface Zone {
  readonly id: string;
  readonly name: string;
}

const INSIDE = 'ns1.hosts.in-step.example';
const OUTSIDE = 'ns2.namewright.example';

/** Names of the aliases into parts of a network, and these. Of two that are the same network, either may have them. */
const aliasesIn = (records: readonly string[]) =>
  records
    .flatMap((each) => {
      const [, name, part] = /^(\S+) CNAME \d+\.([^.]+)/.exec(each) ?? [];
      return part ? [`${name} ${part.replace('64-67', '64/30')}`] : [];
    })
    .toSorted();
const smallestParts = (suffix: string) =>
  [64, 65, 66, 67, 68, 69, 70, 71].map((octet) => `${octet}${suffix} ${octet < 68 ? '64/30' : '64/29'}`);

const delegation = (name: string, { id }: Zone) => [INSIDE, OUTSIDE].map((host) => `${name} NS ${host} ${id}`);

onBothDatabases(
  'What zones keep for others of their account',
  (service) => {
    let account: string;
    let client: Api;
    let count = 0;

    beforeAll(async () => {
      account = await service().account();
      client = api(service(), await service().key(account));
    });

    const aName = (tld = 'example') => `step-${(count += 1)}.${tld}`;
    const create = async (given: object): Promise<Zone> => (await client.post('/api/zones', given).expect(201)).body;
    const checkAll = () => runDueWork(service().container.get(ZoneVerifier));
    const recordsOf = async ({ id }: Zone): Promise<readonly string[]> =>
      (await client.get(`/api/zones/${id}/dns/records`).expect(200)).body.map(
        ({ name, type, content, managed_by: by }: Record<string, string>) => `${name} ${type} ${content} ${by ?? '-'}`,
      );
    const add = (zone: Zone, record: object) => client.post(`/api/zones/${zone.id}/dns/records`, record).expect(201);
    const zoneOf = async (name: string): Promise<Zone> =>
      (await client.get(`/api/zones/by-name/${name}`).expect(200)).body;

    it('are delegations to zones below a name that is registered or imported', async () => {
      const [one, other] = [aName('com'), aName('com')];
      const below = await create({ name: `k8s.${one}` });
      const deep = await create({ name: `a.k8s.${one}` });
      const ofOther = await create({ name: `k8s.${other}` });
      await registered(client, one);
      await registerAtRegistry(service(), other);
      expect(await service().container.get(FixDifference).adopt(DomainName.parse(other), account)).toBe(true);

      await checkAll();

      expect(await recordsOf(await zoneOf(one))).toEqual(delegation('k8s', below));
      expect(await recordsOf(below)).toEqual(delegation('a', deep));
      expect(await recordsOf(await zoneOf(other))).toEqual(delegation('k8s', ofOther));
    });

    it('are no delegations where someone made one by hand', async () => {
      const name = aName('com');
      await create({ name: `k8s.${name}` });
      await registered(client, name);
      const above = await zoneOf(name);
      await add(above, { type: 'NS', name: 'k8s', content: 'ns.elsewhere.example' });

      await checkAll();

      expect(await recordsOf(above)).toEqual(['k8s NS ns.elsewhere.example -']);
    });

    it('are the addresses of nameservers in a zone below, as they are there', async () => {
      const above = await create({ name: 'in-step.example' });
      const zone = await create({ name: 'hosts.in-step.example' });
      const glue = async () => (await recordsOf(above)).filter((each) => !each.includes(' NS '));

      const { body } = await add(zone, { type: 'A', name: 'ns1', content: '192.0.2.1' });
      await add(zone, { type: 'AAAA', name: 'ns1', content: '2001:db8::1' });
      await checkAll();
      expect(await glue()).toEqual([`ns1.hosts A 192.0.2.1 ${zone.id}`, `ns1.hosts AAAA 2001:db8::1 ${zone.id}`]);

      await client.put(`/api/zones/${zone.id}/dns/records/${body.id}`, { content: '192.0.2.2' }).expect(200);
      await checkAll();
      expect(await glue()).toEqual([`ns1.hosts AAAA 2001:db8::1 ${zone.id}`, `ns1.hosts A 192.0.2.2 ${zone.id}`]);

      await client.delete(`/api/zones/${zone.id}`).expect(200);
      expect(await recordsOf(above)).toEqual([]);
    });

    it('follow the default nameservers, and so does the zone itself', async () => {
      const above = await create({ name: aName() });
      const zone = await create({ name: `k8s.${above.name}` });
      const former = ['ns1.former.example', 'ns2.former.example'];
      await service()
        .container.get(UnitOfWork)
        .run(async ({ domains }) => {
          const domain = await domains.lockAny(domainIdOfZone(zone.id));
          domain?.delegateTo(former, new Date());
          domain?.schedule(new Date(0));
          if (domain) await domains.save(domain);
        });
      const file = async () => (await client.get(`/api/zones/${zone.id}/dns/zonefile`).expect(200)).text;
      expect(await file()).toContain('ns1.former.example.');

      await checkAll();

      expect(await file()).not.toContain('former');
      expect(await recordsOf(above)).toEqual(delegation('k8s', zone));
    });

    it('are PTR records, until the domain of the addresses is transferred out or deleted', async () => {
      const reverse = await create({ network: '10.9.1.0/24' });
      const [deleted, gone] = [aName('com'), aName('com')];
      const ids = [await registered(client, deleted), await registered(client, gone)];
      for (const [index, id] of ids.entries())
        await client
          .post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: `10.9.1.${index}`, ptr: true })
          .expect(201);
      expect(await recordsOf(reverse)).toHaveLength(2);

      await client.delete(`/api/domains/${ids[0]}`).expect(200);
      await checkAll();
      expect(await recordsOf(reverse)).toEqual([`1 PTR www.${gone}. ptr`]);

      await leave(ids[1] ?? '', gone);
      await checkAll();
      expect(await recordsOf(reverse)).toEqual([]);
    });

    it('are aliases into a part of a /24 network', async () => {
      const network = await create({ network: '10.9.2.0/24' });
      await add(network, { type: 'PTR', name: '65', content: 'host.example.com' });
      const part = { network: '10.9.2.64/30' };

      const refused = await client.post('/api/zones', part).expect(409);
      const zone = await create({ ...part, move_records: true });

      expect(refused.body.error.details).toContain('65 PTR');
      expect(await recordsOf(zone)).toEqual(['65 PTR host.example.com. -']);
      const aliases = ['64', '65', '66', '67'].map((each) => `${each} CNAME ${each}.${zone.name} ${zone.id}`);
      expect(await recordsOf(network)).toEqual(expect.arrayContaining([...aliases, ...delegation('64/30', zone)]));
      const larger = await create({ network: '10.9.2.64/29' });
      expect((await recordsOf(network)).filter((each) => each.endsWith(larger.id))).toHaveLength(2 + 4);
      await checkAll();
      await client.delete(`/api/zones/${zone.id}`).expect(200);
      await checkAll();
      const left = await recordsOf(network);
      expect(left).toHaveLength(2 + 8);
      expect(left.every((each) => each.endsWith(larger.id))).toBe(true);
    });

    it('are aliases into the smallest of the parts that came first, or that a zone between leaves behind', async () => {
      for (const part of ['64/29', '64/30', '64-67']) await create({ name: `${part}.4.8.10.in-addr.arpa` });
      const network = await create({ network: '10.8.4.0/24' });
      expect(aliasesIn(await recordsOf(network))).toEqual(smallestParts(''));

      const above = await create({ name: '8.10.in-addr.arpa' });
      await client.delete(`/api/zones/${network.id}`).expect(200);
      expect(aliasesIn(await recordsOf(above))).toEqual(smallestParts('.4'));
    });

    it('are PTR records of addresses that are older than their reverse zone, in the smallest network', async () => {
      const id = await registered(client, aName('com'));
      const first = await create({ network: '10.9.3.0/24' });
      for (const octet of [1, 129])
        await client
          .post(`/api/domains/${id}/dns/records`, {
            type: 'A',
            name: `h${octet}`,
            content: `10.9.3.${octet}`,
            ptr: true,
          })
          .expect(201);
      await client.delete(`/api/zones/${first.id}`).expect(200);
      const names = async (zone: Zone) => (await recordsOf(zone)).map((each) => each.split(' ').slice(0, 2).join(' '));

      const second = await create({ network: '10.9.3.0/24' });
      expect(await recordsOf(second)).toEqual([]);
      await checkAll();
      expect((await names(second)).toSorted()).toEqual(['1 PTR', '129 PTR']);

      const part = await create({ network: '10.9.3.128/25', move_records: true });
      expect(await names(part)).toEqual(['129 PTR']);
      await client.delete(`/api/zones/${part.id}`).expect(200);
      expect(await names(second)).toEqual(['1 PTR']);
      await checkAll();
      expect((await names(second)).toSorted()).toEqual(['1 PTR', '129 PTR']);
    });

    async function leave(id: string, name: string): Promise<void> {
      const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
      await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
      await client.post('/api/sandbox/transfer-out', { name, auth_code: body.auth_code }).expect(200);
      await client.post('/api/sandbox/advance', { days: 10 }).expect(200);
      while ((await client.get(`/api/domains/${id}`)).body.status !== 'transferred_out') await sleep(5);
    }
  },
  { DEFAULT_NAMESERVERS: `${INSIDE},${OUTSIDE}` },
);
