import type { Response } from 'supertest';
import { onBothDatabases } from '../../support/databases/databases';
import { sandboxOf } from '../../support/registries/sandbox';
import { api, hosted, registered, REGISTRANT, type Api } from '../../support/service/service';

interface ShownEvent {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly domain?: { readonly name: string; readonly zone_id: string };
  };
}

const A = { type: 'A', name: 'www', content: '192.0.2.1' };
const typesOf = (events: readonly ShownEvent[]) => events.map(({ type }) => type);

onBothDatabases('the event feed', (service) => {
  let accountId: string;
  let client: Api;
  let serial = 0;
  const freshName = () => `eventful-${(serial += 1)}.com`;

  beforeEach(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });
  afterEach(() => sandboxOf(service()).clearFaults());

  const read = async (query = '', caller = client): Promise<readonly ShownEvent[]> =>
    (await caller.get(`/api/events?${query}`).expect(200)).body as ShownEvent[];
  const limited = async (limits: object, scope = 'READ'): Promise<Api> => {
    const { body } = await client.post('/api/keys', { name: 'limited', scope, limits }).expect(201);
    return api(service(), (body as { key: string }).key);
  };

  it('has what happened in the account, oldest first, without a gap', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    const { body: record, headers } = await client.post(`/api/domains/${id}/dns/records`, A).expect(201);
    await client.put(`/api/domains/${id}/nameservers`, { nameservers: ['ns1.example.net', 'ns2.example.net'] });

    const events = await read('limit=1000');

    expect(events.map(({ position }) => position)).toEqual(events.map((_event, index) => index + 1));
    expect(typesOf(events)).toEqual([
      'account.created',
      'key.created',
      'domain.requested',
      'domain.registered',
      'operation.succeeded',
      'domain.changed',
      'records.changed',
      'domain.changed',
      'operation.succeeded',
    ]);
    expect(events[5]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{18}$/),
      position: 6,
      type: 'domain.changed',
      version: 1,
      timestamp: expect.stringMatching(/Z$/),
      account: accountId,
      actor: expect.stringMatching(/^key:/),
      data: {
        domain: { id, name, zone_id: id.replace('dom_', 'zone_') },
        changed: ['auto_renew'],
        before: { auto_renew: true },
        after: { auto_renew: false },
      },
    });
    expect(events[6]?.data).toMatchObject({
      version: Number(headers['zone-version']),
      added_count: 1,
      added: [{ id: record.id, ...A }],
    });
    expect(JSON.stringify(events)).not.toContain(REGISTRANT.email);
  });

  it('continues after an event, in pages with a Link', async () => {
    const id = await registered(client, freshName());
    const all = await read();

    const first = await client.get('/api/events?limit=2').expect(200);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    const second = await client.get(next).expect(200);
    const last = await client.get(`/api/events?after=${all.at(-1)?.id}`).expect(200);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);

    expect([first.body, second.body]).toEqual([all.slice(0, 2), all.slice(2, 4)]);
    expect(first.headers['events-position']).toBe(all[1]?.id);
    expect([last.body, last.headers['link'], last.headers['events-position']]).toEqual([[], undefined, all.at(-1)?.id]);
    expect(typesOf(await read(`after=${all.at(-1)?.id}`))).toEqual(['domain.changed']);
  });

  it('filters by types, groups of types and domains, and tells how far it has read', async () => {
    const [one, other] = [freshName(), freshName()];
    const [id] = [await registered(client, one), await registered(client, other)];
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    const all = await read();

    const keys = await client.get('/api/events?types=key.revoked').expect(200);

    expect([keys.body, keys.headers['events-position']]).toEqual([[], all.at(-1)?.id]);
    expect(typesOf(await read('types=key.created,domain.changed'))).toEqual(['key.created', 'domain.changed']);
    expect(new Set(typesOf(await read('types=domain.*')))).toEqual(
      new Set(['domain.requested', 'domain.registered', 'domain.changed']),
    );
    expect((await read(`domain=${other}`)).map(({ data }) => data.domain?.name)).toEqual([other, other, other]);
    expect(await read(`domain=${id}`)).toEqual(await read(`domain=${one}`));
  });

  it('filters by the id of a zone, and by a name that no domain could have', async () => {
    const name = `_tcp.${freshName()}`;
    const path = await hosted(client, name);
    await hosted(client, freshName());

    const events = await read(`domain=${name.toUpperCase()}`);

    const id = path.split('/').at(-1);
    expect(await read(`domain=${id}`)).toEqual(events);
    expect(events.map(({ data }) => data.domain?.zone_id)).toEqual(events.map(() => id));
    const created = events.find(({ type }) => type === 'zone.created');
    expect(created?.data).toMatchObject({ changed: expect.arrayContaining(['status']), after: { status: 'active' } });
    expect(events.map(({ data }) => data.domain?.name)).toEqual(events.map(() => name));
  });

  it('has no page with fewer events than the limit before the last one, however few the filter finds', async () => {
    await registered(client, freshName());
    await read();
    await registered(client, freshName());
    const pages = async (types: string): Promise<readonly number[]> => {
      const lengths: number[] = [];
      for (let path: string | undefined = `/api/events?types=${types}&limit=2`; path !== undefined;) {
        const page: Response = await client.get(path).expect(200);
        lengths.push((page.body as unknown[]).length);
        path = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
      }
      return lengths;
    };

    expect(await pages('domain.expired')).toEqual([0]);
    await registered(client, freshName());
    expect(await pages('domain.registered')).toEqual([2, 1]);
  });

  it('has failed renewals with the reason of the registry', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await sandboxOf(service()).injectFault({ kind: 'refuse', target: name, times: 1 });
    await client.post(`/api/domains/${id}/renew`, { years: 1 }).expect(422);

    const [failed, renewal] = (await read(`domain=${id}`)).slice(-2);

    expect([failed?.type, renewal?.type]).toEqual(['operation.failed', 'domain.renewal_failed']);
    expect(renewal?.data).toMatchObject({
      operation_id: failed?.data['operation_id'],
      error: { code: 'REGISTRY_REJECTED' },
    });
  });

  it('has transfers to other registrars from their request to their end', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    await client.post('/api/sandbox/transfer-out', { name, auth_code: body.auth_code }).expect(200);
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    await client.post(`/api/domains/${id}/transfer-out/approve`).expect(200);

    const events = await read(`domain=${id}&types=domain.*`);

    expect(typesOf(events).slice(-3)).toEqual([
      'domain.auth_code_issued',
      'domain.transfer_out_requested',
      'domain.transfer_out_completed',
    ]);
    expect(events.at(-2)?.data).toMatchObject({ ends_at: expect.stringMatching(/Z$/) });
  });

  it('waits for the next event', async () => {
    const id = await registered(client, freshName());
    const last = (await read()).at(-1)?.id;

    const waiting = read(`after=${last}&wait=30`);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);

    expect(typesOf(await waiting)).toEqual(['domain.changed']);
  });

  it('waits on, past events that the parameters leave out', async () => {
    const id = await registered(client, freshName());
    const last = (await read()).at(-1)?.id;

    const waiting = read(`after=${last}&wait=30&types=records.changed`);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    await client.post(`/api/domains/${id}/dns/records`, A).expect(201);

    expect(typesOf(await waiting)).toEqual(['records.changed']);
  });

  it('begins after all events until now with after=latest, and waits from there', async () => {
    const id = await registered(client, freshName());

    const start = await client.get('/api/events?after=latest').expect(200);
    const [position, link] = [start.headers['events-position'], start.headers['link']];
    expect([start.body, position, link]).toEqual([[], (await read()).at(-1)?.id, undefined]);

    const waiting = read('after=latest&wait=30');
    const state = { isOver: false };
    void waiting.finally(() => (state.isOver = true));
    // It begins at some moment between two of these changes.
    for (let on = false; !state.isOver; on = !on)
      await client.put(`/api/domains/${id}/autorenew`, { auto_renew: on }).expect(200);

    expect(new Set(typesOf(await waiting))).toEqual(new Set(['domain.changed']));
    expect(new Set(typesOf(await read(`after=${position}`)))).toEqual(new Set(['domain.changed']));
  });

  it('returns an empty list when the wait is over', async () => {
    const last = (await read()).at(-1)?.id;

    expect(await read(`after=${last}&wait=1`)).toEqual([]);
  });

  it('refuses an event of another account, and one that is yet to come', async () => {
    const stranger = api(service(), await service().key(await service().account()));
    const [own] = await read('limit=1');
    const [foreign] = await read('limit=1', stranger);
    const future = `${own?.id.slice(0, -1)}z`;

    const responses = await Promise.all(
      [foreign?.id, future].map((after) => client.get(`/api/events?after=${after}`).expect(410)),
    );

    for (const { body } of responses)
      expect(body.error).toEqual({
        code: 'EVENTS_REMOVED',
        message: 'The feed cannot be continued from this event',
        details: `Events after it were removed, or the database was restored from a backup. Read on with after=${own?.id.slice(0, 14)}00000000`,
      });
    await client.get(`/api/events?after=${own?.id.slice(0, 14)}00000000`).expect(200);
  });

  it.each(['after=evt_1', 'types=domain', 'types=', 'domain=a..b', 'limit=0', 'limit=1001', 'wait=31', 'wait=-1'])(
    'refuses %s',
    async (query) => {
      const { body } = await client.get(`/api/events?${query}`).expect(400);

      expect(body.error.code).toBe('VALIDATION_ERROR');
    },
  );

  it('shows a limited key only events about its domains, and no keys and people', async () => {
    const [one, other] = [freshName(), freshName()];
    const id = await registered(client, one);
    await registered(client, other);
    await client.put(`/api/domains/${id}/tags`, { tags: ['shop'] }).expect(200);

    const [byName, byTag, reader] = [
      await limited({ domains: [one] }),
      await limited({ tags: ['shop'] }, 'ADMIN'),
      await limited({}, 'READ'),
    ];

    for (const caller of [byName, byTag]) {
      const names = (await read('', caller)).map(({ data }) => data.domain?.name);
      expect(new Set(names)).toEqual(new Set([one]));
    }
    expect(await read(`domain=${other}`, byName)).toEqual([]);
    expect(typesOf(await read('', reader)).filter((type) => /^(key|person|account)\./.test(type))).toEqual([]);
    expect(typesOf(await read('', reader))).toContain('domain.registered');
  });

  it('does not show records to a key for some records, and nothing to a key for records only', async () => {
    const name = freshName();
    const id = await registered(client, name);
    await client.post(`/api/domains/${id}/dns/records`, A).expect(201);

    const some = await limited({ domains: [name], types: ['TXT'], actions: ['read', 'renew'] }, 'WRITE');
    const only = await limited({ domains: [name], types: ['TXT'] }, 'WRITE');

    expect(typesOf(await read('', some))).not.toContain('records.changed');
    await only.get('/api/events').expect(403);
  });
});
