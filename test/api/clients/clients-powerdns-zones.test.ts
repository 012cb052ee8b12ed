import request from 'supertest';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

const ZONES = '/compat/powerdns/api/v1/servers/localhost/zones';
const NAMESERVERS = ['ns1.namewright.example.', 'ns2.namewright.example.'];

function rrset(name: string, type: string, ttl: number, contents: readonly string[]): object {
  return { comments: [], name, records: contents.map((content) => ({ content, disabled: false })), ttl, type };
}

onBothDatabases(
  'zones in the PowerDNS API, of names that are not registered here',
  (service) => {
    let key: string;
    let client: Api;

    beforeAll(async () => {
      key = await service().key(await service().account());
      client = api(service(), key);
    });

    const send = (method: 'get' | 'post' | 'delete', path: string) =>
      request(service().server)[method](path).set('X-API-Key', key);
    const pdns = { get: (path: string) => send('get', path), delete: (path: string) => send('delete', path) };
    const create = (body: object) => send('post', ZONES).send({ kind: 'Native', ...body });

    it('are created with their records, and deleted', async () => {
      const name = 'pdns-create.example.';
      const www = rrset(`www.${name}`, 'A', 300, ['192.0.2.1']);
      const { body } = await create({ name, nameservers: NAMESERVERS, rrsets: [www] }).expect(201);

      expect(body).toMatchObject({ id: name, name, kind: 'Master', dnssec: false });
      expect(body.rrsets).toContainEqual(expect.objectContaining(www));
      expect((await pdns.get(`${ZONES}/${name}`).expect(200)).body).toEqual(body);
      expect((await pdns.get(`${ZONES}?zone=${name}`).expect(200)).body).toHaveLength(1);
      await pdns.delete(`${ZONES}/${name}`).expect(204);
      await pdns.get(`${ZONES}/${name}`).expect(404);
    });

    it('have the nameservers that are given beside those of this service', async () => {
      const name = 'pdns-nameservers.example.';
      const { body } = await create({ name, nameservers: ['ns.other.example.'] }).expect(201);

      const ns = (body.rrsets as { type: string; records: { content: string }[] }[]).find(({ type }) => type === 'NS');
      expect(ns?.records.map(({ content }) => content).toSorted()).toEqual(['ns.other.example.', ...NAMESERVERS]);
    });

    it('are signed if DNSSEC is asked for', async () => {
      expect((await create({ name: 'pdns-signed.example.', dnssec: true }).expect(201)).body.dnssec).toBe(true);
    });

    it.each([
      [{ name: 'no-dot.example' }, 'name must have a trailing dot'],
      [{ name: 'secondary.example.', kind: 'Slave' }, 'kind must be Master, Primary or Native'],
      [{ name: 'text.example.', zone: '@ A 192.0.2.1' }, 'zone is not supported'],
      [{ name: 'hosts.example.', nameservers: ['ns1'] }, 'nameservers must be host names'],
      [{ name: 'bad.example.', rrsets: [rrset('bad.example.', 'CNAME', 60, ['a.example.'])] }, 'CNAME cannot be'],
    ])('are not created from %j', async (body, error) => {
      expect((await create(body).expect(422)).body.error).toContain(error);
      await pdns.get(`${ZONES}/${body.name}`).expect(404);
    });

    it('are created once', async () => {
      await create({ name: 'pdns-once.example.' }).expect(201);
      await create({ name: 'pdns-once.example.' }).expect(409);
    });

    it('of domains are not deleted', async () => {
      await registered(client, 'pdns-keep.com');

      expect((await pdns.delete(`${ZONES}/pdns-keep.com.`).expect(422)).body.error).toContain('is registered');
    });
  },
  { COMPATIBILITY_APIS: 'powerdns' },
);
