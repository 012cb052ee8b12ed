import { setTimeout as sleep } from 'node:timers/promises';
import { onBothDatabases } from '../../../support/databases/databases';
import { api, registered, type Api } from '../../../support/service/service';

interface Report {
  readonly id: string;
  readonly failures: readonly { readonly name: string; readonly error: { readonly code: string; details: string } }[];
  readonly [field: string]: unknown;
}

const NAMES = ['files-one.com', 'files-two.com', 'files-three.com'];
const recordOf = (host: string, address = '192.0.2.1') => `${host} 300 IN A ${address}\n`;
/** Of more than a million characters. */
const LONG_RECORDS = Array.from(
  { length: 450 },
  (_, index) => `t${index} 300 TXT ${`"${'x'.repeat(250)}" `.repeat(10)}\n`,
);
/** More than TEXT of MySQL holds. */
const LONG = Array.from({ length: 2_000 }, (_, index) => recordOf(`host-with-a-long-name-${index}`)).join('');

onBothDatabases('zone files of many names', (service) => {
  let client: Api;
  let ids: string[];

  const finished = async (id: string, by = client): Promise<Report> => {
    for (;;) {
      const { body } = await by.get(`/api/bulk/${id}`).expect(200);
      if (body.finished_at !== null) return body as Report;
      await sleep(20);
    }
  };
  const start = (files: readonly object[], by = client, more: object = {}) =>
    by.post('/api/bulk', { action: 'zone_files', zone_files: files, ...more });
  const refused = async (files: readonly object[], more: object = {}) =>
    (await start(files, client, more).expect(400)).body.error.details as string;
  const run = async (files: readonly object[], by = client, more: object = {}) => {
    const { body } = await start(files, by, more).expect(202);
    return finished(body.id as string, by);
  };
  const records = async (id: string | undefined): Promise<readonly string[]> =>
    (
      (await client.get(`/api/domains/${id}/dns/records`).expect(200)).body as {
        readonly name: string;
        readonly type: string;
        readonly content: string;
      }[]
    ).map(({ name, type, content }) => `${name} ${type} ${content}`);
  const versionOf = async (id: string | undefined) =>
    Number((await client.get(`/api/domains/${id}/dns/records?limit=1`).expect(200)).headers['zone-version']);
  const restricted = async (limits: object) =>
    api(
      service(),
      (await client.post('/api/keys', { name: 'limited', scope: 'WRITE', limits }).expect(201)).body.key as string,
    );

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });
  beforeEach(async () => {
    ids = [];
    for (const name of NAMES) ids.push(await registered(client, `${ids.length}-${Date.now().toString(36)}-${name}`));
  });
  const nameOf = async (index: number) => (await client.get(`/api/domains/${ids[index]}`)).body.name as string;

  it('are imported in the background, are undone name by name, and tell what failed by name', async () => {
    const names = [await nameOf(0), await nameOf(1), await nameOf(2)];
    await client.post(`/api/domains/${ids[0]}/dns/records`, { type: 'A', name: 'old', content: '192.0.2.9' });
    const before = await records(ids[0]);
    const job = await start([
      { name: names[0], text: recordOf('www') },
      { name: names[1]?.toUpperCase(), text: LONG, version: await versionOf(ids[1]) },
      { name: names[2], text: 'www 300 IN A not-an-address\n' },
    ]).expect(202);
    expect(job.body).toMatchObject({ action: 'zone_files', status: 'running', total: 3 });

    const report = await finished(job.body.id);

    expect(report).toMatchObject({ done: 2, failed: 1, undoable: true });
    expect(report.failures).toMatchObject([{ name: names[2], error: { details: expect.stringContaining('line 1') } }]);
    expect(await records(ids[0])).toEqual(['www A 192.0.2.1']);
    expect(await records(ids[1])).toHaveLength(2_000);
    expect((await client.post(`/api/bulk/${report.id}/retry`).expect(400)).body.error.details).toContain('zone files');

    await client.post(`/api/domains/${ids[1]}/dns/records`, { type: 'A', name: 'new', content: '192.0.2.9' });
    const { body: undoing } = await client.post(`/api/bulk/${report.id}/undo`).expect(202);
    const undone = await finished(undoing.id);

    expect(undone).toMatchObject({ undoes: report.id, done: 1, failed: 1, failures: [{ name: names[1] }] });
    expect(await records(ids[0])).toEqual(before);
    const { body: events } = await client.get('/api/events?types=bulk.started,bulk.finished&limit=200').expect(200);
    const told = (events as { type: string; data: { bulk_id: string } }[]).filter(
      ({ data }) => data.bulk_id === report.id,
    );
    expect(told.map(({ type, data }) => ({ type, ...data }))).toMatchObject([
      { type: 'bulk.started', kind: 'zone_files', domains: 3 },
      { type: 'bulk.finished', kind: 'zone_files', done: 2, failed: 1 },
    ]);
  });

  it('are added to the records of a zone if the mode is add, and fail if the zone has another version', async () => {
    const names = [await nameOf(0), await nameOf(1)];
    await client.post(`/api/domains/${ids[0]}/dns/records`, { type: 'A', name: 'old', content: '192.0.2.9' });
    const version = await versionOf(ids[1]);

    const report = await run(
      [
        { name: names[0], text: recordOf('www') },
        { name: names[1], text: recordOf('www'), version: version + 1 },
      ],
      client,
      { mode: 'add' },
    );

    expect(report).toMatchObject({ done: 1, failed: 1 });
    expect(report.failures).toMatchObject([{ name: names[1], error: { code: 'PRECONDITION_FAILED' } }]);
    expect((await records(ids[0])).toSorted()).toEqual(['old A 192.0.2.9', 'www A 192.0.2.1']);
    expect(await versionOf(ids[1])).toBe(version);
  });

  it('are refused for names without a zone here, twice the same name, no files, and too much text', async () => {
    const name = await nameOf(0);
    expect(
      await refused([
        { name, text: '' },
        { name: 'elsewhere.com', text: '' },
      ]),
    ).toBe('zone_files[1].name must be the name of a zone of this account');
    expect(
      await refused([
        { name, text: '' },
        { name, text: '' },
      ]),
    ).toContain('zone_files[1].name is in the list twice');
    expect(await refused([])).toContain('zone_files must be 1 to 200 zone files');
    expect(await refused([{ name, text: ';'.repeat(2 * 1_048_576 + 1) }])).toContain('at most 2 MiB together');
    expect(await refused([{ name, text: '' }], { domains: ids })).toContain('domains does not belong to zone_files');
    expect(await refused([{ name, text: '' }], { mode: 'merge' })).toContain('mode');
  });

  it('are imported within the limits of the key, judged for each name and its records', async () => {
    const names = [await nameOf(0), await nameOf(1)];
    const ofOne = await restricted({ domains: [names[0]] });
    const files = names.map((name) => ({ name, text: recordOf('www') }));
    const details = (await start(files, ofOne).expect(400)).body.error.details;
    expect(details).toBe('zone_files[1].name must be the name of a zone of this account');
    const ofSome = await restricted({ types: ['TXT'] });

    const report = await run(files, ofSome, { mode: 'add' });

    expect(report).toMatchObject({ done: 0, failed: 2 });
    expect(await records(ids[0])).toEqual([]);
  });

  it('are one proposal of a key that may only propose, with the changes of each name, and done as it says', async () => {
    const names = [await nameOf(0), await nameOf(1)];
    const agent = await restricted({ propose: true });
    await client.post(`/api/domains/${ids[0]}/dns/records`, { type: 'A', name: 'old', content: '192.0.2.9' });
    const files = names.map((name) => ({ name, text: recordOf('www') }));
    const { body: proposal } = await start(files, agent).expect(202);
    expect(proposal.plan.zones).toMatchObject([
      {
        domain: names[0],
        added: [{ name: 'www', type: 'A', content: '192.0.2.1' }],
        changed: [],
        removed: [{ name: 'old' }],
      },
      { domain: names[1], added: [{ name: 'www' }], changed: [], removed: [] },
    ]);
    expect(await records(ids[1])).toEqual([]);

    const { body } = await client.post(`/api/proposals/${proposal.id}/accept`).expect(200);
    await finished(body.response.body.id);

    expect(body).toMatchObject({ state: 'accepted', response: { status: 202 } });
    for (const id of ids.slice(0, 2)) expect(await records(id)).toEqual(['www A 192.0.2.1']);
  });

  it('are one proposal although its plan is long, and done as the whole of it says', async () => {
    const names = [await nameOf(0), await nameOf(1)];
    const agent = await restricted({ propose: true });
    const files = [
      { name: names[0], text: LONG_RECORDS.join('') },
      { name: names[1], text: recordOf('www') },
    ];
    const { body: proposal } = await start(files, agent).expect(202);
    expect(proposal.plan).toMatchObject({
      whole: expect.anything(),
      zones: [
        { domain: names[0], added_count: 450 },
        { domain: names[1], added: [{ name: 'www' }] },
      ],
    });

    const { body } = await client.post(`/api/proposals/${proposal.id}/accept`).expect(200);

    expect(await finished(body.response.body.id)).toMatchObject({ done: 2, failed: 0 });
    expect((await client.get(`/api/domains/${ids[0]}/dns/records?limit=500`)).body).toHaveLength(450);
  });

  it('are stale if they would change something else now, and are done although another record has changed', async () => {
    const names = [await nameOf(0), await nameOf(1)];
    const agent = await restricted({ propose: true });
    const propose = async (host: string) => {
      const files = names.map((name) => ({ name, text: recordOf(host) }));
      return (await start(files, agent, { mode: 'add' }).expect(202)).body.id as string;
    };
    const add = (name: string) =>
      client
        .post(`/api/domains/${ids[1]}/dns/records`, { type: 'A', name, content: '192.0.2.1', ttl: 300 })
        .expect(201);
    const unrelated = await propose('www');
    await add('other');
    const { body } = await client.post(`/api/proposals/${unrelated}/accept`).expect(200);
    expect(await finished(body.response.body.id)).toMatchObject({ done: 2, failed: 0 });
    const stale = await propose('api');
    await add('api');

    await client.post(`/api/proposals/${stale}/accept`).expect(409);

    const { body: ended } = await client.get(`/api/proposals/${stale}`).expect(200);
    expect(ended).toMatchObject({
      state: 'stale',
      current_plan: { zones: [{ added: [{ name: 'api' }] }, { added: [] }] },
    });
    expect(await records(ids[0])).toEqual(['www A 192.0.2.1']);
  });

  it('are not proposed if one of them would be refused, which is named', async () => {
    const names = [await nameOf(0), await nameOf(1)];
    const agent = await restricted({ propose: true });

    const { body } = await start(
      [
        { name: names[0], text: recordOf('www') },
        { name: names[1], text: 'www A 1.2.3\n' },
      ],
      agent,
    ).expect(400);

    expect(body.error.details).toMatch(new RegExp(`^zone_files\\[1\\] of ${names[1]}: .*line 1`));
  });
});
