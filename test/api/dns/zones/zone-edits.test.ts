import { onBothDatabases } from '../../../support/databases/databases';
import { api, registered, type Api } from '../../../support/service/service';

interface AnsweredRecord {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

onBothDatabases('many records at once', (service) => {
  let client: Api;
  let dns: string;
  let serial = 0;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  beforeEach(async () => {
    dns = `/api/domains/${await registered(client, `edits-${(serial += 1)}.com`)}/dns`;
  });

  const add = async (draft: object): Promise<AnsweredRecord> =>
    (await client.post(`${dns}/records`, { type: 'A', name: 'www', content: '192.0.2.1', ...draft }).expect(201)).body;
  const listed = async (): Promise<AnsweredRecord[]> => (await client.get(`${dns}/records`).expect(200)).body;
  const contents = async () => (await listed()).map(({ name, content }) => `${name} ${content}`);
  const version = async () => Number((await client.get(`${dns}/records`)).headers['zone-version']);

  describe('a batch', () => {
    it('creates, updates and deletes as one version', async () => {
      const [stays, goes] = [await add({}), await add({ name: 'old' })];
      const before = await version();

      const { body, headers } = await client
        .post(`${dns}/records/batch`, {
          create: [{ type: 'A', name: 'new', content: '192.0.2.3' }],
          update: [{ id: stays.id, content: '192.0.2.9' }],
          delete: [goes.id],
        })
        .expect(200);

      expect(body).toEqual({
        created: [expect.objectContaining({ name: 'new' })],
        updated: [expect.objectContaining({ id: stays.id, content: '192.0.2.9' })],
        deleted: [goes.id],
        version: before + 1,
      });
      expect(headers).toMatchObject({ etag: `"${before + 1}"`, 'zone-version': String(before + 1) });
      expect(await contents()).toEqual(['www 192.0.2.9', 'new 192.0.2.3']);
    });

    it('is validated by its result: a CNAME replaces an A', async () => {
      const address = await add({});

      await client
        .post(`${dns}/records/batch`, {
          create: [{ type: 'CNAME', name: 'www', content: 'host.example.net' }],
          delete: [address.id],
        })
        .expect(200);

      expect(await contents()).toEqual(['www host.example.net']);
    });

    it('lets two records swap their content', async () => {
      const [one, other] = [await add({}), await add({ content: '192.0.2.2' })];

      await client
        .post(`${dns}/records/batch`, {
          update: [
            { id: one.id, content: other.content },
            { id: other.id, content: one.content },
          ],
        })
        .expect(200);

      expect((await listed()).map(({ id, content }) => [id, content])).toEqual([
        [one.id, '192.0.2.2'],
        [other.id, '192.0.2.1'],
      ]);
    });

    it('accepts a list as returned, and 500 items', async () => {
      const create = Array.from({ length: 500 }, (_, index) => ({
        type: 'A',
        name: `n${index}`,
        content: '192.0.2.1',
      }));
      const { body } = await client.post(`${dns}/records/batch`, { create }).expect(200);

      await client.post(`${dns}/records/batch`, { update: body.created }).expect(200);

      expect(await listed()).toHaveLength(500);
    });

    it('names each invalid item by list and index and changes nothing', async () => {
      const kept = await add({});
      const before = await version();

      const { body } = await client
        .post(`${dns}/records/batch`, {
          delete: [kept.id],
          update: [{ id: 'rec_unknown', ttl: 60 }],
          create: [
            { type: 'A', name: 'a', content: '192.0.2.1' },
            { type: 'A', name: 'b', content: 'no address' },
          ],
        })
        .expect(404);

      expect(body.error).toMatchObject({
        code: 'RECORD_NOT_FOUND',
        details: expect.stringMatching(/^update\[0\]: .*; create\[1\]: A content must be/),
      });
      expect([await contents(), await version()]).toEqual([['www 192.0.2.1'], before]);
    });

    it('names conflicting items', async () => {
      await add({});

      const { body } = await client
        .post(`${dns}/records/batch`, {
          create: [
            { type: 'A', name: 'a', content: '192.0.2.1' },
            { type: 'CNAME', name: 'www', content: 'host.example.net' },
          ],
        })
        .expect(409);

      expect(body.error).toMatchObject({
        code: 'RECORD_CONFLICT',
        details: expect.stringMatching(/^create\[1\]: A www .* conflicts: /),
      });
    });

    it.each([
      ['nothing', {}],
      ['an unknown list', { insert: [] }],
      ['a record twice', { delete: ['rec_1', 'rec_1'] }],
      ['a record in two lists', { delete: ['rec_1'], update: [{ id: 'rec_1', ttl: 60 }] }],
      ['an update without id', { update: [{ ttl: 60 }] }],
      ['501 items', { delete: Array.from({ length: 501 }, (_, index) => `rec_${index}`) }],
      [
        '501 items in two lists',
        {
          delete: Array.from({ length: 500 }, (_, index) => `rec_${index}`),
          create: [{ type: 'A', name: 'a', content: '192.0.2.1' }],
        },
      ],
      ['an item that is no record', { create: ['www'] }],
    ])('is rejected if it has %s', async (_what, body) => {
      expect((await client.post(`${dns}/records/batch`, body).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
    });

    it('accepts a body of 4 MiB', async () => {
      const create = Array.from({ length: 120 }, (_, index) => ({
        type: 'TXT',
        name: `t${index}`,
        content: 'x'.repeat(4000),
      }));

      await client.post(`${dns}/records/batch`, { create }).expect(200);
      await client
        .post(`${dns}/records/batch`, JSON.stringify({ create }).padEnd(4 * 1024 * 1024 + 1))
        .set('Content-Type', 'application/json')
        .expect(413);
    });
  });

  describe('a dry run', () => {
    it('returns the plan of each kind of write with its warnings and changes nothing', async () => {
      const record = await add({});
      const before = await version();

      const added = await client
        .post(`${dns}/records?dry_run=true`, {
          type: 'MX',
          name: '@',
          content: `mail.edits-${serial}.com`,
          priority: 10,
        })
        .expect(200);
      const changed = await client
        .put(`${dns}/records/${record.id}?dry_run=true`, { content: '192.0.2.2' })
        .expect(200);
      const removed = await client.delete(`${dns}/records/${record.id}?dry_run=true`).expect(200);
      const edited = await client
        .post(`${dns}/records/batch?dry_run=true`, {
          delete: [record.id],
          create: [{ type: 'A', name: 'www', content: '192.0.2.3' }],
        })
        .expect(200);
      const restored = await client.post(`${dns}/history/${before - 1}/restore?dry_run=true`).expect(200);

      expect(added.body).toEqual({
        dry_run: true,
        version: before,
        added: [{ type: 'MX', name: '@', content: `mail.edits-${serial}.com`, ttl: 3600, priority: 10 }],
        changed: [],
        removed: [],
        warnings: [`MX at @ points to mail.edits-${serial}.com, which has no address in this zone`],
      });
      expect(changed.body).toMatchObject({
        changed: [{ before: { id: record.id, content: '192.0.2.1' }, after: { content: '192.0.2.2' } }],
        warnings: [],
      });
      expect(removed.body).toMatchObject({ removed: [{ id: record.id }] });
      expect(edited.body).toMatchObject({ added: [{ content: '192.0.2.3' }], removed: [{ id: record.id }] });
      expect(restored.body).toMatchObject({ added: [], removed: [{ id: record.id }] });
      expect([await contents(), await version()]).toEqual([['www 192.0.2.1'], before]);
    });

    it('fails as the write would', async () => {
      await add({});

      expect(
        (
          await client
            .post(`${dns}/records?dry_run=true`, { type: 'CNAME', name: 'www', content: 'host.example.net' })
            .expect(409)
        ).body.error.code,
      ).toBe('RECORD_CONFLICT');
      expect(
        (await client.post(`${dns}/records?dry_run=yes`, { type: 'A', name: 'a', content: '192.0.2.1' }).expect(400))
          .body.error.code,
      ).toBe('VALIDATION_ERROR');
    });
  });

  describe('If-Match', () => {
    it('accepts a write at the current version and rejects it at another', async () => {
      const record = await add({});
      const { etag = '' } = (await client.get(`${dns}/records`)).headers;
      const path = `${dns}/records/${record.id}`;

      await client.put(path, { ttl: 300 }).set('If-Match', etag).expect(200);
      for (const attempt of [
        client.put(path, { ttl: 600 }),
        client.delete(path),
        client.post(`${dns}/records`, { type: 'A', name: 'a', content: '192.0.2.1' }),
        client.post(`${dns}/records/batch`, { delete: [record.id] }),
        client.post(`${dns}/history/1/restore`),
        client.put(`${path}?dry_run=true`, { ttl: 600 }),
      ]) {
        expect((await attempt.set('If-Match', etag).expect(412)).body.error.code).toBe('PRECONDITION_FAILED');
      }

      expect(await listed()).toMatchObject([{ id: record.id, ttl: 300 }]);
    });

    it('accepts a list of tags and *; a weak tag never matches', async () => {
      const path = `${dns}/records/${(await add({})).id}`;

      await client
        .put(path, { ttl: 300 })
        .set('If-Match', `"1", "${await version()}"`)
        .expect(200);
      await client.put(path, { ttl: 300 }).set('If-Match', '*').expect(200);
      await client
        .put(path, { ttl: 300 })
        .set('If-Match', `W/"${await version()}"`)
        .expect(412);
      await client.put(path, { ttl: 300 }).set('If-Match', '"never-seen"').expect(412);
      await client
        .put(path, { ttl: 300 })
        .set('If-Match', String(await version()))
        .expect(400);
    });

    it.each<[string, (version: number) => string, number]>([
      ['the version among many', (at) => Array.from({ length: 100 }, (_, index) => `"${at - index}"`).join(','), 200],
      ['101 tags', (at) => Array.from({ length: 101 }, () => `"${at}"`).join(), 400],
      ['the version beside a weak tag and one with a comma', (at) => `W/"x", "a,b" ,"${at}"`, 200],
      ['a tag that has the version within it', (at) => `"a,${at}"`, 412],
      ['empty elements', (at) => `, ,"${at}",,`, 200],
      ['the version with a zero before it: tags are no numbers', (at) => `"0${at}"`, 412],
      ['an empty tag', () => '""', 412],
      ['a weak tag in lower case', (at) => `w/"${at}"`, 400],
      ['the star among tags', (at) => `*, "${at}"`, 400],
      ['tags without a comma', (at) => `"${at}" "${at}"`, 400],
      ['a quote that is not closed', (at) => `"${at}`, 400],
      ['a blank within a tag', (at) => `"${at} "`, 400],
      ['nothing but commas', () => ',', 400],
    ])('evaluates %s as in RFC 9110', async (_which, header, status) => {
      const path = `${dns}/records/${(await add({})).id}`;
      const before = await version();

      await client.put(path, { ttl: 300 }).set('If-Match', header(before)).expect(status);

      expect(await version()).toBe(status === 200 ? before + 1 : before);
    });

    it('never loses an update of two concurrent writers', async () => {
      const path = `${dns}/records/${(await add({ type: 'TXT', content: '0' })).id}`;
      const rounds = 25;
      const writer = async () => {
        for (let done = 0; done < rounds;) {
          const { headers, body } = await client.get(`${dns}/records`).expect(200);
          const content = String(Number(body[0].content) + 1);
          const { status } = await client.put(path, { content }).set('If-Match', headers['etag'] ?? '');
          if (status === 200) done += 1;
          else expect(status).toBe(412);
        }
      };

      await Promise.all([writer(), writer()]);

      expect(await contents()).toEqual([`www ${2 * rounds}`]);
    });
  });

  describe('history', () => {
    it('lists every version, newest first, in pages', async () => {
      const record = await add({});
      await client.put(`${dns}/records/${record.id}`, { ttl: 300 }).expect(200);
      await client.delete(`${dns}/records/${record.id}`).expect(200);
      const newest = await version();

      const { body, headers } = await client.get(`${dns}/history?limit=2`).expect(200);
      const { body: rest } = await client.get(/<([^>]+)>/.exec(headers['link'] ?? '')?.[1] ?? '').expect(200);

      expect(body).toEqual([
        {
          version: newest,
          created_at: expect.any(String),
          by: { kind: 'key', id: expect.any(String) },
          added: 0,
          changed: 0,
          removed: 1,
        },
        {
          version: newest - 1,
          created_at: expect.any(String),
          by: { kind: 'key', id: expect.any(String) },
          added: 0,
          changed: 1,
          removed: 0,
        },
      ]);
      expect(rest[0]).toMatchObject({ version: newest - 2, added: 1 });
      expect(rest[1].version).toBe(newest - 3);
    });

    it('shows the zone at a version and the change that made it', async () => {
      const record = await add({});
      const then = await version();
      await client.delete(`${dns}/records/${record.id}`).expect(200);

      const { body } = await client.get(`${dns}/history/${then}`).expect(200);

      expect(body).toMatchObject({
        version: then,
        added: 1,
        records: [record],
        changes: [{ before: null, after: record }],
      });
    });

    it('rolls back to a version under the same ids, as a new version', async () => {
      const [gone, changed] = [await add({}), await add({ name: 'mail' })];
      const then = await version();
      await client
        .post(`${dns}/records/batch`, {
          delete: [gone.id],
          update: [{ id: changed.id, content: '192.0.2.9' }],
          create: [{ type: 'CNAME', name: 'www', content: 'host.example.net' }],
        })
        .expect(200);

      const { body } = await client.post(`${dns}/history/${then}/restore`).expect(200);

      expect(body).toMatchObject({
        created: [{ id: gone.id }],
        updated: [{ id: changed.id, content: '192.0.2.1' }],
        deleted: [expect.any(String)],
        version: then + 2,
      });
      expect(await contents()).toEqual(['www 192.0.2.1', 'mail 192.0.2.1']);
    });

    it('changes nothing if the zone is already the same', async () => {
      await add({});
      const now = await version();

      expect((await client.post(`${dns}/history/${now}/restore`).expect(200)).body).toEqual({
        created: [],
        updated: [],
        deleted: [],
        version: now,
      });
    });

    it('shows a delegation change with the key that made it', async () => {
      const domain = dns.replace('/dns', '');
      await client.put(`${domain}/nameservers`, { nameservers: ['ns8.example.net', 'ns9.example.net'] }).expect(200);

      expect((await client.get(`${dns}/history?limit=1`).expect(200)).body).toMatchObject([
        { by: { kind: 'key' }, added: 0, changed: 0, removed: 0 },
      ]);
    });

    it.each(['999999', '0'])('has no version %s', async (number) => {
      expect((await client.get(`${dns}/history/${number}`).expect(404)).body.error.code).toBe('VERSION_NOT_FOUND');
      expect((await client.post(`${dns}/history/${number}/restore`).expect(404)).body.error.code).toBe(
        'VERSION_NOT_FOUND',
      );
    });

    it('is not visible to other accounts', async () => {
      const stranger = api(service(), await service().key(await service().account()));

      for (const attempt of [
        stranger.get(`${dns}/history`),
        stranger.get(`${dns}/history/1`),
        stranger.post(`${dns}/history/1/restore`),
        stranger.post(`${dns}/records/batch`, { delete: ['rec_1'] }),
      ]) {
        expect((await attempt.expect(404)).body.error.code).toBe('DOMAIN_NOT_FOUND');
      }
    });

    it('rejects a version that is not a number', async () => {
      expect((await client.get(`${dns}/history/latest`).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
    });
  });
});
