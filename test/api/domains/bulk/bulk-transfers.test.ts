import { setTimeout as sleep } from 'node:timers/promises';
import { onBothDatabases } from '../../../support/databases/databases';
import { signIn } from '../../../support/dashboard/dashboard-client';
import { api, registered, REGISTRANT, type Api } from '../../../support/service/service';

const order = (transfers: readonly object[]) => ({
  action: 'transfer',
  transfers,
  contacts: { registrant: REGISTRANT },
  auto_renew: false,
});

onBothDatabases('bulk transfers', (service) => {
  let client: Api;
  let accountId: string;

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });

  const elsewhere = async (name: string): Promise<string> =>
    (await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body.auth_code;
  const finished = async (id: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { body } = await client.get(`/api/bulk/${id}`).expect(200);
      if (body.finished_at !== null) return body as Record<string, unknown>;
      await sleep(50);
    }
  };
  const stateOf = async (name: string): Promise<Record<string, unknown> | undefined> =>
    (await client.get('/api/transfers').expect(200)).body.find((each: { name: string }) => each.name === name);

  it('request each name with its auth code, and report those that fail, without the codes', async () => {
    const code = await elsewhere('first-in.com');
    const transfers = [
      { name: 'first-in.com', auth_code: code, years: 1, max_price: { amount: 10.44, currency: 'USD' } },
      { name: 'free-name.com', auth_code: 'S3cret-of-none' },
      { name: 'wrong-code.com', auth_code: 'S3cret-wrong' },
    ];
    await elsewhere('wrong-code.com');

    const { body: started } = await client.post('/api/bulk', order(transfers)).expect(202);
    expect(started).toMatchObject({ action: 'transfer', total: 3, waiting: 3 });
    const report = await finished(started.id);

    expect(report).toMatchObject({ done: 1, failed: 2, undoable: false });
    expect(report['failures']).toEqual(
      ['free-name.com', 'wrong-code.com'].map((name) =>
        expect.objectContaining({
          name,
          domain_id: '',
          operation_id: '',
          transfer_id: expect.stringMatching(/^tr_/),
          error: expect.objectContaining({ code: 'REGISTRY_REJECTED' }),
        }),
      ),
    );
    expect(await stateOf('first-in.com')).toMatchObject({ state: 'pending', auto_renew: false, price: 10.44 });
    await client.post(`/api/bulk/${started.id}/retry`).expect(400);
    await client.post(`/api/bulk/${started.id}/undo`).expect(400);
    const shown = await Promise.all(
      ['/api/events', '/api/audit-log', '/api/transfers'].map((path) => client.get(path)),
    );
    const everything = JSON.stringify([report, ...shown.map(({ body }) => body as unknown)]);
    expect(everything).toContain('bulk.finished');
    expect(everything).not.toMatch(/S3cret/);
    expect(everything).not.toContain(code);
  });

  it('are refused before anything is stored if a name, a code or the registrant is invalid', async () => {
    const { body } = await client
      .post('/api/bulk', order([{ name: 'no name', auth_code: 'x' }, { name: 'no-code.com' }]))
      .expect(400);
    expect(body.error.details).toMatch(/transfers\[0\]\.name .*transfers\[1\]\.auth_code /s);
    await client.post('/api/bulk', { ...order([{ name: 'a.com', auth_code: 'x' }]), domains: ['dom_1'] }).expect(400);
    await client.post('/api/bulk', order([])).expect(400);
    await client.post('/api/bulk', order([[{ name: 'a.com', auth_code: 'x' }]])).expect(400);
    await client.post('/api/bulk', order(Array.from({ length: 501 }, (_, i) => ({ name: `n${i}.com` })))).expect(400);
    await client.post('/api/bulk', { action: 'transfer', transfers: [{ name: 'a.com', auth_code: 'x' }] }).expect(400);
  });

  it('are reviewed in the dashboard with their total and errors by line, ordered once, and corrected', async () => {
    await registered(client, 'contact-of.com');
    const dashboard = await signIn(service(), accountId);
    const [one, two] = [await elsewhere('paste-one.com'), await elsewhere('paste-two.com')];
    const lines = `domain,auth code\npaste-one.com,${one}\npaste-two.com,"${two}"\nunknown-paste.com,S3cret\npaste-one.com,x`;
    const page = (await dashboard.get('/transfers/several').expect(200)).text;
    const contact = /<option value="(dom_[^"]+)"/.exec(page)?.[1] ?? '';
    const submitted = { auth_codes: lines, contact, auto_renew: 'on' };

    const review = (await dashboard.post('/transfers/several/review', submitted).expect(200)).text;

    expect(review).toContain('Transfer 2 domains for $20.88');
    expect(review).toMatch(/>4<.*unknown-paste\.com.*is not registered.*>5<.*has the name of line 2 again/s);
    for (const secret of [one, two, 'S3cret']) expect(review).not.toContain(secret);
    const sealed = /name="sealed" value="([^"]+)"/.exec(review)?.[1] ?? '';
    const confirm = { sealed, price: '2088', currency: 'USD' };
    await dashboard.post('/transfers/several', { ...confirm, price: '1' }).expect(303);
    const { headers } = await dashboard.post('/transfers/several', confirm).expect(303);
    expect(headers['location']).toMatch(/^\/bulk\/blk_/);
    const again = await dashboard.post('/transfers/several', confirm).expect(303);
    expect(again.headers['location']).toBe('/bulk');
    const jobId = String(headers['location']).slice('/bulk/'.length);
    expect(await finished(jobId)).toMatchObject({ done: 2, failed: 0 });
    expect((await dashboard.get(`/bulk/${jobId}`).expect(200)).text).toMatch(
      /href="\/transfers\/tr_[^"]+">paste-one\.com/,
    );

    const invalid = await dashboard.post('/transfers/several/review', { auth_codes: lines, contact: '' }).expect(400);
    expect(invalid.text).toContain('Paste the names and auth codes again');
    expect(invalid.text).not.toContain(one);
    const none = await dashboard.post('/transfers/several/review', { ...submitted, auth_codes: '' }).expect(400);
    expect(none.text).toContain('Must be 1 to 500 lines');

    const { body: failing } = await client
      .post('/api/bulk', order([{ name: 'again-please.com', auth_code: 'S3cret' }]))
      .expect(202);
    await finished(failing.id);
    expect((await dashboard.get(`/bulk/${failing.id}`).expect(200)).text).toContain(`failed=${failing.id}`);
    const corrected = (await dashboard.get(`/transfers/several?failed=${failing.id}`).expect(200)).text;
    expect(corrected).toMatch(/<textarea[^>]*>again-please\.com,<\/textarea>/);
  });
});
