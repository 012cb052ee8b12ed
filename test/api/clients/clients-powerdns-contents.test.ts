import request from 'supertest';
import { aRecord } from '../../support/data/a-record';
import { POWERDNS_CONTENTS, setsOf } from '../../support/data/powerdns-contents';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

interface Rrset {
  readonly name: string;
  readonly type: string;
  readonly records: readonly { readonly content: string }[];
}

const ACCEPTED = POWERDNS_CONTENTS.flatMap((each, index) =>
  each.read !== null && each.refusedHere === undefined ? [{ each, index }] : [],
);

function zoneOf(domain: string): string {
  return `/compat/powerdns/api/v1/servers/localhost/zones/${domain}.`;
}

function www(domain: string, content: string) {
  const records = [{ content, disabled: false }];
  return { name: `www.${domain}.`, type: 'TXT', ttl: 300, changetype: 'REPLACE', records };
}

onBothDatabases(
  'contents in the PowerDNS API',
  (service) => {
    let client: Api;
    let key: string;

    beforeAll(async () => {
      key = await service().key(await service().account());
      client = api(service(), key);
    });

    const patch = (domain: string, ...rrsets: object[]) =>
      request(service().server).patch(zoneOf(domain)).set('X-API-Key', key).send({ rrsets });
    const rrsetsOf = async (domain: string): Promise<readonly Rrset[]> =>
      (await request(service().server).get(zoneOf(domain)).set('X-API-Key', key).expect(200)).body.rrsets;
    const readBack = async (domain: string, { name, type }: Pick<Rrset, 'name' | 'type'>) =>
      (await rrsetsOf(domain))
        .filter((set) => set.name === name && set.type === type)
        .flatMap(({ records }) => records.map(({ content }) => content));
    const versionOf = async (id: string): Promise<number> =>
      (await client.get(`/api/domains/${id}/dns/status`).expect(200)).body.version;
    it('are refused or read back as PowerDNS does', async () => {
      const domain = 'pdns-contents.com';
      await registered(client, domain);

      const found = [];
      for (const [index, each] of POWERDNS_CONTENTS.entries()) {
        const sets = setsOf(each, index, domain);
        const { status } = await patch(domain, ...sets);
        const [read = null] = status === 204 ? await readBack(domain, sets.at(-1) as (typeof sets)[0]) : [];
        found.push({ ...each, status, read });
      }

      expect(found).toEqual(
        POWERDNS_CONTENTS.map(({ refusedHere, ...each }) => {
          const read = refusedHere === undefined ? each.read : null;
          return {
            ...each,
            ...(refusedHere !== undefined && { refusedHere }),
            status: read === null ? 422 : 204,
            read,
          };
        }),
      );
    });

    it('are written again without a change, and served in the strings that were written', async () => {
      const domain = 'pdns-strings.com';
      const id = await registered(client, domain);
      const sets = ACCEPTED.flatMap(({ each, index }) => setsOf(each, index, domain));
      await patch(domain, ...sets).expect(204);
      const version = await versionOf(id);

      await patch(domain, ...sets).expect(204);
      await patch(domain, ...(await rrsetsOf(domain)).map((set) => ({ ...set, changetype: 'REPLACE' }))).expect(204);

      expect(await versionOf(id)).toBe(version);
      const { body } = await client.get(`/api/domains/${id}/dns/records?type=TXT`).expect(200);
      const served = (body as { name: string; content: string }[]).map(({ name, content }) => [
        name,
        aRecord({ type: 'TXT', content }).rdata(),
      ]);
      expect(new Map(served as [string, string][])).toEqual(
        new Map(ACCEPTED.flatMap(({ each, index }) => (each.type === 'TXT' ? [[`n${index}`, each.served ?? '']] : []))),
      );
    });

    it('are read back in the form of the last write, which makes a version that can be rolled back', async () => {
      const domain = 'pdns-forms.com';
      const id = await registered(client, domain);
      const set = www(domain, String.raw`"a\;b"`);
      await patch(domain, set).expect(204);
      const { body: before } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
      const version = await versionOf(id);

      await patch(domain, www(domain, String.raw`"\097;b"`)).expect(204);

      expect(await readBack(domain, set)).toEqual([String.raw`"\097;b"`]);
      expect(await versionOf(id)).toBe(version + 1);
      const { body: after } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
      expect(after).toEqual([{ ...before[0], content: 'a;b', updated_at: expect.any(String) }]);
      await client.post(`/api/domains/${id}/dns/history/${version}/restore`, {}).expect(200);
      expect(await readBack(domain, set)).toEqual([String.raw`"a\;b"`]);
      await patch(domain, www(domain, '"a;b"')).expect(204);
      expect(await readBack(domain, set)).toEqual(['"a;b"']);
    });

    it('keep their form while other requests leave the data as it is, and lose it with the data', async () => {
      const domain = 'pdns-other-paths.com';
      const id = await registered(client, domain);
      const records = `/api/domains/${id}/dns/records`;
      const zoneFile = `/api/domains/${id}/dns/zonefile`;
      const form = String.raw`"a\;b" "c"`;
      const set = www(domain, form);
      await patch(domain, set).expect(204);
      const [{ id: recordId, content }] = (await client.get(records).expect(200)).body;
      expect(content).toBe('"a;b" "c"');
      const replaceZone = (text: string) =>
        client.put(`${zoneFile}?mode=replace`, text).set('Content-Type', 'text/dns');

      await client.put(`${records}/${recordId}`, { ttl: 600 }).expect(200);
      expect(await readBack(domain, set)).toEqual([form]);
      await client.put(`${records}/${recordId}`, { content }).expect(200);
      expect(await readBack(domain, set)).toEqual([form]);
      await replaceZone((await client.get(zoneFile).expect(200)).text.replace(/600(?=\s+(?:IN\s+)?TXT)/, '900')).expect(
        200,
      );
      expect((await client.get(`${records}/${recordId}`).expect(200)).body).toMatchObject({ content, ttl: 900 });
      expect(await readBack(domain, set)).toEqual([form]);

      await client.put(`${records}/${recordId}`, { content: '"a;b" "d"' }).expect(200);
      expect(await readBack(domain, set)).toEqual(['"a;b" "d"']);
      await patch(domain, set).expect(204);
      await replaceZone((await client.get(zoneFile).expect(200)).text.replace('"c"', '"e"')).expect(200);
      expect(await readBack(domain, set)).toEqual(['"a;b" "e"']);
      await patch(domain, set).expect(204);
      await client.post(`${records}/batch`, { update: [{ id: recordId, name: 'web' }] }).expect(200);
      expect(await readBack(domain, { name: `web.${domain}.`, type: 'TXT' })).toEqual([form]);
    });
  },
  { RECORD_TYPES: 'all', COMPATIBILITY_APIS: 'powerdns', ALIAS_RESOLVER: '127.0.0.1:9' },
);
