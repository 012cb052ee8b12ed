import request from 'supertest';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

interface Comment {
  readonly account: string;
  readonly content: string;
  readonly modified_at?: number;
}

interface Rrset {
  readonly name: string;
  readonly type: string;
  readonly records: readonly { readonly content: string }[];
  readonly comments: readonly Comment[];
}

const [ONE, TWO, THREE] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
const text = (content: string, account = ''): Comment => ({ account, content });

onBothDatabases(
  'comments in the PowerDNS API',
  (service) => {
    let client: Api;
    let key: string;
    let domain: string;
    let dns: string;
    let count = 0;

    beforeAll(async () => {
      key = await service().key(await service().account());
      client = api(service(), key);
    });

    beforeEach(async () => {
      domain = `pdns-comments-${(count += 1)}.com`;
      dns = `/api/domains/${await registered(client, domain)}/dns`;
    });

    const zone = () => `/compat/powerdns/api/v1/servers/localhost/zones/${domain}.`;
    const patch = (...rrsets: object[]) =>
      request(service().server).patch(zone()).set('X-API-Key', key).send({ rrsets });
    const read = async (name = 'www', type = 'A'): Promise<Rrset | undefined> => {
      const { body } = await request(service().server).get(zone()).set('X-API-Key', key).expect(200);
      const full = name === '@' ? `${domain}.` : `${name}.${domain}.`;
      return body.rrsets.find((set: Rrset) => set.name === full && set.type === type);
    };
    const www = (contents: readonly string[] | undefined, comments?: unknown) => ({
      name: `www.${domain}.`,
      type: 'A',
      changetype: 'REPLACE',
      ...(contents && { ttl: 300, records: contents.map((content) => ({ content, disabled: false })) }),
      ...(comments !== undefined && { comments }),
    });
    const add = (content: string, notes: object) =>
      client.post(`${dns}/records`, { type: 'A', name: 'www', content, ttl: 300, ...notes }).expect(201);
    const ns = (hosts: readonly string[], comments?: readonly Comment[]) => ({
      name: `${domain}.`,
      type: 'NS',
      ttl: 3600,
      changetype: 'REPLACE',
      records: hosts.map((content) => ({ content, disabled: false })),
      ...(comments && { comments }),
    });
    const stored = async () =>
      (await client.get(`${dns}/records`).expect(200)).body.map(
        ({ content, comment, managed_by: managedBy }: Record<string, string>) =>
          [content, comment, managedBy].filter(Boolean).join(' '),
      );
    const commentsOf = async (...of: Parameters<typeof read>) =>
      (await read(...of))?.comments.map(({ content, account }) => text(content, account));
    const counters = async () => {
      const { body } = await client.get(`${dns}/status`).expect(200);
      return { version: body.version, serial: body.serial };
    };

    it('are read as those of the set: one that all records share, or one for each record in their order', async () => {
      const { body: first } = await add(ONE, { comment: 'web', managed_by: 'ci' });
      await add(TWO, { comment: 'web', managed_by: 'ci' });

      const modified = Math.floor(new Date(first.updated_at).getTime() / 1000);
      expect((await read())?.comments).toEqual([{ account: 'ci', content: 'web', modified_at: modified }]);
      await add(THREE, {});
      expect(await commentsOf()).toEqual([text('web', 'ci'), text('web', 'ci'), text('')]);
    });

    it('are written to all records if there is one, otherwise to the records in their order', async () => {
      await patch(www([TWO, ONE], [{ ...text('web', 'octodns'), modified_at: 1 }])).expect(204);
      expect(await stored()).toEqual([`${TWO} web octodns`, `${ONE} web octodns`]);

      await patch(www([ONE, TWO, THREE], [text('one'), text(''), text('three', 'ci')])).expect(204);

      expect(await stored()).toEqual([TWO, `${ONE} one`, `${THREE} three ci`]);
      expect(await commentsOf()).toEqual([text(''), text('one'), text('three', 'ci')]);
    });

    it.each([[['one', 'one', 'three']], [['', 'two', '']], [['all', 'all', 'all']]])(
      'are the same after a set is written as it was read: %j',
      async (contents) => {
        await patch(
          www(
            [ONE, TWO, THREE],
            contents.map((content) => text(content)),
          ),
        ).expect(204);
        const [before, set] = [await counters(), await read()];

        await patch({ ...set, changetype: 'REPLACE' }).expect(204);

        expect(await counters()).toEqual(before);
        expect(await read()).toEqual(set);
      },
    );

    it('stay if a change of the records tells none, also when a record is replaced', async () => {
      await patch(www([ONE, TWO], [text('one'), text('two', 'ci')])).expect(204);

      await patch({ ...www([ONE, TWO]), ttl: 600 }).expect(204);
      expect(await stored()).toEqual([`${ONE} one`, `${TWO} two ci`]);
      await patch(www([ONE, TWO], [text(''), text('two', 'ci')])).expect(204);
      await patch(www([THREE], null)).expect(204);

      expect(await stored()).toEqual([`${THREE} two ci`]);
    });

    it('alone are changed without records, and raise the version but no serial', async () => {
      await patch(www([ONE, TWO])).expect(204);
      const before = await counters();

      await patch(www(undefined, [text('one'), text('two')])).expect(204);
      expect(await stored()).toEqual([`${ONE} one`, `${TWO} two`]);
      await patch(www(undefined, [text('one'), text('two')])).expect(204);
      expect(await counters()).toEqual({ version: before.version + 1, serial: before.serial });
      await patch(www(undefined, [])).expect(204);

      expect(await stored()).toEqual([ONE, TWO]);
      expect(await counters()).toEqual({ version: before.version + 2, serial: before.serial });
    });

    it('are removed with their set, and those of a set that does not exist may be cleared', async () => {
      await patch(www([ONE], [text('web')])).expect(204);

      await patch({ name: `www.${domain}.`, type: 'A', changetype: 'DELETE', comments: [text('web')] }).expect(204);
      await patch(www(undefined, [])).expect(204);

      expect(await read()).toBeUndefined();
      await patch(www([ONE])).expect(204);
      expect(await commentsOf()).toEqual([]);
    });

    it('of the NS set at the apex are those of its records, and not of the nameservers of the domain', async () => {
      const ours = ['ns1.namewright.example.', 'ns2.namewright.example.'];
      const { body } = await patch(ns(ours, [text('ours')])).expect(422);
      expect(body.error).toContain("cannot be stored with the domain's nameservers");

      await patch(ns([...ours, 'ns3.example.net.'], [text('third')])).expect(204);

      expect(await stored()).toEqual(['ns3.example.net third']);
      const set = await read('@', 'NS');
      expect(set?.comments).toMatchObject([text('third')]);
      await patch({ ...set, changetype: 'REPLACE' }).expect(204);
      expect(await stored()).toEqual(['ns3.example.net third']);
    });

    it.each<[string, readonly string[] | undefined, unknown, string]>([
      ['more than the records', [ONE], [text('a'), text('b')], 'must not be more than the records of the set: 1'],
      ['some without a set', undefined, [text('a')], 'must not be more than the records of the set: 0'],
      ['a long one', [ONE], [text('🦆'.repeat(501))], 'content must be one line of at most 500 characters'],
      ['a long account', [ONE], [text('a', 'x'.repeat(65))], 'account must be one line of at most 64 characters'],
      ['one with two lines', [ONE], [text('a\nb')], 'content must be one line'],
      ['one without a content', [ONE], [{ account: '' }], 'a comment must have a content and an account'],
      ['one without an account', [ONE], [{ content: 'a' }], 'a comment must have a content and an account'],
      ['one that is a text', [ONE], ['a'], 'a comment must be an object'],
      ['some in place of records that are null', undefined, null, 'records must be an array'],
    ])('are refused if they are %s, and the zone stays as it was', async (_what, contents, comments, reason) => {
      const other = { ...www([ONE], [text('other')]), name: `other.${domain}.` };

      const { body } = await patch(other, www(contents, comments)).expect(422);

      expect(body.error).toContain(reason);
      expect(body.error).toContain(`www.${domain}. `);
      expect(await stored()).toEqual([]);
    });

    it('are refused for the SOA, which is generated, and for a set that has another REPLACE', async () => {
      const { comments: _none, ...soa } = (await read('@', 'SOA')) as Rrset;
      const set = { ...soa, changetype: 'REPLACE' };

      await patch({ ...set, comments: [] }).expect(204);
      const { body } = await patch({ ...set, comments: [text('start')] }).expect(422);
      expect(body.error).toContain('the SOA is generated: it has no comments');
      const { body: twice } = await patch(www([ONE]), www(undefined, [text('web')])).expect(422);
      expect(twice.error).toContain('changetype REPLACE is given twice for this set');
    });
  },
  { COMPATIBILITY_APIS: 'powerdns' },
);
