import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../../support/service/service';

const BOUNDARY = 'boundary-of-this-form';
const NAMES = ['files-one.com', 'files-two.com'];

describe('zone files of many names in the dashboard', () => {
  let service: TestService;
  let client: Api;
  let first: DashboardClient;
  let second: DashboardClient;
  let ids: string[];

  beforeAll(async () => {
    service = await startService();
    const accountId = await service.account();
    client = api(service, await service.key(accountId));
    first = await signIn(service, accountId);
    second = await signIn(service, accountId);
    ids = [];
    for (const name of NAMES) ids.push(await registered(client, name));
  });
  afterAll(() => service.stop());

  const send = (path: string, fields: readonly (readonly [disposition: string, value: string])[]) => {
    const parts = [['name="_token"', first.formToken] as const, ...fields].map(
      ([disposition, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`,
    );
    const type = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
    return first.raw(path, type, `${parts.join('')}--${BOUNDARY}--\r\n`);
  };
  /** The page of the review, and the fields of its form. */
  const review = async (files: Readonly<Record<string, string>>) => {
    await first.get('/zone-files').expect(200);
    const uploaded = Object.entries(files).map(([name, text]) => [`name="files"; filename="${name}"`, text] as const);
    const { text: page } = await send('/zone-files/review', [['name="mode"', 'add'], ...uploaded]).expect(200);
    const mark = /name="mark" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const texts = /<textarea name="text" hidden[^>]*>([^<]*)<\/textarea>/.exec(page)?.[1] ?? '';
    return {
      page,
      fields: [
        ['name="mode"', 'add'],
        ['name="mark"', mark],
        ['name="text"; filename="t"', texts],
      ] as const,
    };
  };
  const confirm = async (fields: readonly (readonly [string, string])[]) =>
    String((await send('/zone-files', fields).expect(303)).headers['location']);
  const finished = async (path: string) => {
    while ((await client.get(`/api${path}`).expect(200)).body.finished_at === null) await sleep(20);
    return (await first.get(path).expect(200)).text;
  };
  const hosts = async (id: string | undefined) =>
    ((await client.get(`/api/domains/${id}/dns/records`).expect(200)).body as { name: string }[]).map(
      ({ name }) => name,
    );

  it('are a job with its progress, what failed by name, and undo', async () => {
    const { page, fields } = await review({
      'files-one.com.zone': 'a 300 A 192.0.2.1\n',
      'db.files-two.com': 'a 300 A 192.0.2.2\n',
    });
    expect(page).toContain('Import 2 zones');
    await client
      .post(`/api/domains/${ids[1]}/dns/records`, { type: 'A', name: 'new', content: '192.0.2.9' })
      .expect(201);

    const job = await confirm(fields);

    expect(job).toMatch(/^\/bulk\/blk_/);
    const text = await finished(job);
    expect(text).toContain('1 done, 1 failed, 0 remaining');
    expect(text).toContain('Import zone files');
    expect(text).toContain('The records of the files are added to those that the zones have');
    expect(text).toMatch(/files-two\.com<[\s\S]*version/);
    expect(text).not.toContain(`${job}/retry`);
    expect(await hosts(ids[0])).toEqual(['a']);
    expect(await hosts(ids[1])).toEqual(['new']);

    const { headers } = await first.post(`${job}/undo`).expect(303);
    expect(await finished(String(headers['location']))).toContain('Undo: Import zone files');
    expect(await hosts(ids[0])).toEqual([]);
  });

  it('are shown again if the job cannot be started', async () => {
    const { fields } = await review({ 'files-one.com.zone': 'b 300 A 192.0.2.1\n' });

    const { text } = await send('/zone-files', [...fields.slice(0, 2), ['name="text"; filename="t"', '']]).expect(400);

    expect(text).toContain('Must be 1 to 200 zone files');
  });

  it('are one proposal that shows the changes of each name, if one of them needs a second person', async () => {
    await client.put('/api/approval-rules', { rules: [{ changes: ['records'], types: ['MX'] }] }).expect(200);
    const { fields } = await review({
      'files-one.com.zone': 'c 300 A 192.0.2.1\n',
      'files-two.com.zone': '@ 300 MX 10 mx.example.net.\n',
    });

    const proposal = await confirm(fields);

    expect(proposal).toMatch(/^\/proposals\/prop_/);
    expect(await hosts(ids[0])).toEqual([]);
    const { text } = await second.get(proposal).expect(200);
    expect(text).toContain('Import the zone files of 2 names');
    expect(text).toMatch(/files-one\.com<\/summary>[\s\S]*c 300 A 192\.0\.2\.1/);
    expect(text).toMatch(/files-two\.com<\/summary>[\s\S]*MX 10 mx\.example\.net\./);
    await second.post(`${proposal}/accept`).expect(303);
    const [{ id: job }] = (await client.get('/api/bulk').expect(200)).body as [{ id: string }];
    expect(await finished(`/bulk/${job}`)).toContain('2 done, 0 failed');
    expect(await hosts(ids[0])).toEqual(['c']);
  });
});
