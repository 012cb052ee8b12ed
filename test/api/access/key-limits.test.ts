import { randomBytes } from 'node:crypto';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, REGISTRANT, startService, type Api } from '../../support/service/service';

function detailsOf({ status, body }: { status: number; body: unknown }): unknown[] {
  return [status, (body as { error: { details?: string } }).error.details];
}

/** The part of a dry run that a test compares. */
interface Warned {
  readonly warnings: readonly string[];
}

const SECRET_KEY = randomBytes(32).toString('base64');
const record = (name: string, type: string, content: string) => ({ name, type, content });

const order = (name: string) => ({ name, contacts: { registrant: REGISTRANT } });
const refusalOf = ({ status, body }: { status: number; body: unknown }) =>
  status === 403 ? (body as { error: { details: string } }).error.details.split(':')[0] : status;

onBothDatabases(
  'limits of API keys',
  (service) => {
    let admin: Api;
    let own: string;
    let other: string;
    /** A client with a key that has these limits. */
    const limited = async (limits: object, scope = 'ADMIN'): Promise<Api> => {
      const { body } = await admin.post('/api/keys', { name: 'limited', scope, limits }).expect(201);
      return api(service(), (body as { key: string }).key);
    };

    beforeAll(async () => {
      admin = api(service(), await service().key(await service().account()));
      [own, other] = [await registered(admin, 'own.com'), await registered(admin, 'other.com')];
      await admin.put(`/api/domains/${own}/tags`, { tags: ['mine'] }).expect(200);
      await admin.put(`/api/domains/${other}/tags`, { tags: ['theirs'] }).expect(200);
      for (const id of [own, other])
        for (const each of [
          record('www', 'A', '192.0.2.1'),
          record('www', 'TXT', 'hello'),
          record('@', 'A', '192.0.2.2'),
        ])
          await admin.post(`/api/domains/${id}/dns/records`, each).expect(201);
    });

    it('are created with the key and read by the key itself', async () => {
      const limits = {
        domains: ['own.com'],
        names: ['_acme-challenge', '*.lan'],
        types: ['TXT'],
        actions: ['read', 'write'],
        networks: ['127.0.0.0/8', '::1/128'],
        unused_after: 30,
        spend: { per_order: 20, per_day: 50.5, per_month: 100, currency: 'USD' },
      };
      const { body: created } = await admin
        .post('/api/keys', { name: 'all limits', scope: 'WRITE', expires_at: '2030-01-01T00:00:00.000Z', limits })
        .expect(201);
      const { key, ...shown } = created as { key: string };

      const { body } = await api(service(), key).get('/api/key').expect(200);

      expect(body).toEqual({ ...shown, account: { id: expect.stringMatching(/^acc_/), name: 'Test account' } });
      expect(body).toMatchObject({ name: 'all limits', type: 'api', limits, expires_at: '2030-01-01T00:00:00.000Z' });
    });

    it.each([{ domains: ['own.com'] }, { tags: ['mine'] }])(
      '%j hides other domains from lists, reads and changes',
      async (limits) => {
        const client = await limited(limits);

        expect((await client.get('/api/domains').expect(200)).body).toMatchObject([{ name: 'own.com' }]);
        expect((await client.get('/api/domains?limit=10&name=o').expect(200)).body).toMatchObject([
          { name: 'own.com' },
        ]);
        await client.get(`/api/domains/${own}`).expect(200);
        const hidden = [
          await client.get(`/api/domains/${other}`),
          await client.get('/api/domains/by-name/other.com'),
          await client.get(`/api/domains/${other}/dns/records`),
          await client.get(`/api/domains/${other}/dns/zonefile`),
          await client.get(`/api/domains/${other}/dns/history`),
          await client.get(`/api/domains/${other}/dns/history/1`),
          await client.get(`/api/domains/${other}/dns/status`),
          await client.get(`/api/domains/${other}/operations`),
          await client.post(`/api/domains/${other}/dns/records`, record('new', 'A', '192.0.2.3')),
          await client.put(`/api/domains/${other}/autorenew`, { auto_renew: false }),
          await client.put(`/api/domains/${other}/transfer-lock`, { transfer_locked: false }),
          await client.post(`/api/domains/${other}/renew`, { years: 1 }),
          await client.post(`/api/domains/${other}/auth-code`),
        ];
        expect(hidden.map(({ status, body }) => [status, (body as { error: { code: string } }).error.code])).toEqual(
          hidden.map(() => [404, 'DOMAIN_NOT_FOUND']),
        );
      },
    );

    it('hide other records from lists, zone files and history, and their ids are not found', async () => {
      const client = await limited({ names: ['www'], types: ['A'] });
      const { body: all } = await admin.get(`/api/domains/${own}/dns/records`).expect(200);
      const hidden = (all as { id: string; type: string }[]).find(({ type }) => type === 'TXT')?.id;

      expect((await client.get(`/api/domains/${own}/dns/records`).expect(200)).body).toMatchObject([
        { name: 'www', type: 'A' },
      ]);
      expect((await client.get(`/api/domains/${own}/dns/records?limit=1`).expect(200)).body).toHaveLength(1);
      expect((await client.get(`/api/domains/${own}/dns/zonefile`).expect(200)).text).not.toMatch(/hello|192\.0\.2\.2/);
      expect((await client.get(`/api/domains/${own}/dns/history/4`).expect(200)).body).toMatchObject({
        records: [{ name: 'www', type: 'A' }],
      });
      for (const answer of [
        await client.put(`/api/domains/${own}/dns/records/${hidden}`, { content: 'x' }),
        await client.delete(`/api/domains/${own}/dns/records/${hidden}`),
      ])
        expect(answer.body).toMatchObject({ error: { code: 'RECORD_NOT_FOUND' } });
    });

    it('let a key for records only read neither contacts nor prices nor operations', async () => {
      const client = await limited({ names: ['www'] });
      const wider = await limited({ names: ['www'], actions: ['read', 'settings'] });
      const { body: operations } = await admin.get(`/api/domains/${own}/operations`).expect(200);
      const [{ id }] = operations as [{ id: string }];

      expect((await client.get(`/api/domains/${own}`).expect(200)).body).toMatchObject({
        contacts: { registrant: null },
      });
      expect((await client.get('/api/domains/by-name/own.com').expect(200)).body).toMatchObject({
        contacts: { registrant: null },
      });
      expect((await wider.get(`/api/domains/${own}`).expect(200)).body).toMatchObject({
        contacts: { registrant: { email: REGISTRANT.email } },
      });
      const refused = [
        await client.post('/api/domains/search', { query: 'name', tlds: ['com'] }),
        await client.post('/api/domains/quote', { domains: [{ name: 'name.com' }] }),
        await client.get(`/api/domains/${own}/operations`),
        await client.get(`/api/operations/${id}`),
        await client.get('/api/transfers'),
      ];
      expect(refused.map(detailsOf)).toEqual(refused.map(() => [403, 'limits.names: the key is for records only']));
    });

    it('keep the warnings of a dry run to records that the key may see', async () => {
      const { body } = await admin.get(`/api/domains/${other}/dns/records?name=www&type=A`).expect(200);
      const [{ id }] = body as [{ id: string }];
      await admin.post(`/api/domains/${other}/dns/records`, { ...record('@', 'MX', 'www.other.com'), priority: 10 });
      const client = await limited({ names: ['www'] });
      const warningsFor = async (each: Api) => [
        ...((await each.delete(`/api/domains/${other}/dns/records/${id}?dry_run=true`).expect(200)).body as Warned)
          .warnings,
        ...(
          (
            await each
              .post(`/api/domains/${other}/dns/records?dry_run=true`, {
                ...record('www', 'MX', 'hidden.other.com'),
                priority: 10,
              })
              .expect(200)
          ).body as Warned
        ).warnings,
      ];

      expect(await warningsFor(admin)).toEqual([
        'MX at @ points to www.other.com, which has no address in this zone',
        'MX at www points to hidden.other.com, which has no address in this zone',
      ]);
      expect(await warningsFor(client)).toEqual([]);
    });

    it('show a key for records only the bulk jobs that it began, not those of others', async () => {
      const { body } = await admin
        .post('/api/bulk', { action: 'auto_renewal', auto_renew: true, domains: [own] })
        .expect(202);
      const client = await limited({ names: ['www'] });

      expect((await client.get('/api/bulk').expect(200)).body).toEqual([]);
      expect(refusalOf(await client.get(`/api/bulk/${(body as { id: string }).id}`))).toBe(404);
    });

    it('refuse records and actions outside of them, and name the limit', async () => {
      const client = await limited({ names: ['www'], actions: ['read', 'write'] });
      expect(detailsOf(await client.post(`/api/domains/${own}/dns/records`, record('mail', 'A', '192.0.2.1')))).toEqual(
        [403, 'limits.names: the key is for records named www'],
      );
      expect(detailsOf(await client.post(`/api/domains/${own}/renew`, { years: 1 }))).toEqual([
        403,
        'limits.actions: the key may read, write, not renew',
      ]);
      expect(detailsOf(await client.post('/api/keys', { name: 'more' }))).toEqual([
        403,
        'limits.actions: the key may read, write, not settings',
      ]);
    });

    it.each([{ names: ['_acme-challenge'] }, { types: ['TXT'] }])(
      '%j leave a key nothing of the domain but its records, and say so',
      async (limits) => {
        const client = await limited({ domains: ['own.com'], ...limits }, 'WRITE');
        const path = `/api/domains/${own}`;

        const refused = [
          await client.put(`${path}/nameservers`, { nameservers: ['ns1.example.net', 'ns2.example.net'] }),
          await client.put(`${path}/transfer-lock`, { transfer_locked: false }),
          await client.put(`${path}/tags`, { tags: [] }),
          await client.put(`${path}/dnssec`, { enabled: true }),
          await client.post(`${path}/auth-code`),
          await client.post(`${path}/renew`, { years: 1 }),
          await client.delete(path),
          await client.post('/api/domains', order('more-for-own.com')),
        ];

        expect(refused.map(refusalOf)).toEqual(refused.map(() => 'limits.actions'));
        expect((await client.get('/api/key').expect(200)).body).toMatchObject({
          limits: { ...limits, actions: ['read', 'write'] },
        });
        await client.get(path).expect(200);
        await client
          .post(`${path}/dns/records`, record('_acme-challenge', 'TXT', Object.keys(limits)[0] ?? ''))
          .expect(201);
      },
    );

    it('refuse a key that is limited to tags what would give it more domains', async () => {
      const client = await limited({ tags: ['mine'] });
      const refusal = [403, 'limits.tags: the key is for domains tagged mine'];
      const order = { name: 'more.com', contacts: { registrant: REGISTRANT } };

      expect(detailsOf(await client.put(`/api/domains/${own}/tags`, { tags: ['mine', 'theirs'] }))).toEqual(refusal);
      expect(detailsOf(await client.post('/api/domains', order))).toEqual(refusal);
      expect(detailsOf(await client.post('/api/keys', { name: 'more', limits: { tags: ['theirs'] } }))[0]).toBe(403);
      await client.post('/api/keys', { name: 'same', limits: { tags: ['mine'] } }).expect(201);
    });

    it('refuse requests from other networks', async () => {
      const client = await limited({ networks: ['192.0.2.0/24'] });

      const { body } = await client.get('/api/domains').expect(403);

      expect(body).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
      expect((body as { error: { details: string } }).error.details).toMatch(/^limits\.networks: the key is for 192\./);
    });

    it('bound the keys that a key creates', async () => {
      const client = await limited({ domains: ['own.com'], actions: ['read', 'settings'] });

      await client.post('/api/keys', { name: 'wider', scope: 'READ' }).expect(403);
      await client.post('/api/keys', { name: 'other', limits: { domains: ['other.com'] } }).expect(403);
      await client
        .post('/api/keys', { name: 'narrower', limits: { domains: ['own.com'], actions: ['read'], types: ['A'] } })
        .expect(201);
    });

    it('keep a key with them from getting the stored response of another key', async () => {
      const key = 'shared-idempotency-key';
      const change = { auto_renew: false };
      const client = await limited({ domains: ['own.com'] });
      await admin.put(`/api/domains/${other}/autorenew`, change).set('Idempotency-Key', key).expect(200);

      const { body } = await client.put(`/api/domains/${other}/autorenew`, change).set('Idempotency-Key', key);

      expect(body).toMatchObject({ error: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    });

    it.each([
      { name: 'x', limits: { names: ['a..b'] } },
      { name: 'x', limits: { nothing: [] } },
      { name: 'x', limits: { spend: { per_day: 1.234 } } },
      { name: 'x', limits: { spend: { per_day: 1, currency: 'EUR' } } },
      { name: 'x', expires_at: '2001-01-01T00:00:00.000Z' },
      { name: 'x', scope: 'ROOT' },
    ])('are validated: %j', async (body) => {
      expect((await admin.post('/api/keys', body).expect(400)).body).toMatchObject({
        error: { code: 'VALIDATION_ERROR' },
      });
    });

    describe('of spend', () => {
      let price: number;

      beforeAll(async () => {
        const { body } = await admin.post('/api/domains/quote', { domains: [{ name: 'price.com' }] }).expect(200);
        price = (body as { total: { amount: number } }).total.amount;
      });

      it.each(['per_day', 'per_month'])('let parallel orders spend no more %s', async (period) => {
        const client = await limited({ spend: { [period]: price * 3.5 } });

        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index) => client.post('/api/domains', order(`${period[4]}${index}.com`))),
        );

        expect(answers.map((answer) => String(refusalOf(answer))).toSorted()).toEqual([
          ...Array.from({ length: 3 }, () => '201'),
          ...Array.from({ length: 5 }, () => `limits.spend.${period}`),
        ]);
      });

      it('let parallel orders of two processes on one database spend no more', async () => {
        const { database } = service().config;
        const url = database.kind === 'sqlite' ? `sqlite:${database.file}` : database.url;
        const second = await startService({ DATABASE_URL: url, SECRET_KEY });
        try {
          const { body } = await admin
            .post('/api/keys', { name: 'shared', scope: 'ADMIN', limits: { spend: { per_day: price * 3.5 } } })
            .expect(201);
          const clients = [service(), second].map((each) => api(each, (body as { key: string }).key));

          const answers = await Promise.all(
            clients.flatMap((client, process) =>
              Array.from({ length: 5 }, (_, index) =>
                client.post('/api/domains', order(`both-${process}-${index}.com`)),
              ),
            ),
          );

          expect(answers.map((answer) => String(refusalOf(answer))).toSorted()).toEqual([
            ...Array.from({ length: 3 }, () => '201'),
            ...Array.from({ length: 7 }, () => 'limits.spend.per_day'),
          ]);
        } finally {
          await second.stop();
        }
      });

      it('refuse an order that costs more than one may', async () => {
        const client = await limited({ spend: { per_order: price * 1.5 } });

        await client.post('/api/domains', order('one.com')).expect(201);
        const { body } = await client.post('/api/domains', { ...order('two.com'), years: 2 }).expect(403);

        expect(body).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
        expect((body as { error: { details: string } }).error.details).toMatch(
          /^limits\.spend\.per_order: the order costs [\d.]+ USD; 0\.00 USD of [\d.]+ USD are spent$/,
        );
      });

      it('count renewals, and no order that failed', async () => {
        const client = await limited({ spend: { per_day: price * 100 } });
        const spent = () =>
          service()
            .container.get(UnitOfWork)
            .run(async ({ keySpending }) => keySpending.total(keyId, new Date(0)));
        const { key_id: keyId } = (await client.get('/api/key').expect(200)).body as { key_id: string };
        await client.post(`/api/domains/${own}/renew`, { years: 1 }).expect(200);
        const afterRenewal = await spent();
        await admin.post('/api/sandbox/faults', { kind: 'refuse', target: 'own.com', times: 1 }).expect(200);

        await client
          .post(`/api/domains/${own}/renew`, { years: 1 })
          .expect(({ status }) => expect(status).not.toBe(200));

        expect(afterRenewal).toBeGreaterThan(0);
        expect(await spent()).toBe(afterRenewal);
      });
    });
  },
  { SECRET_KEY },
);
