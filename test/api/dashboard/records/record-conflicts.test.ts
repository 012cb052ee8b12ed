import { api, registered, type Api } from '../../../support/service/service';
import { onBothDatabases } from '../../../support/databases/databases';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';

const BLANK = { ttl: '', content: '', priority: '', weight: '', port: '' };

/** The digest of the record that a form shows. */
const seenBy = (html: string) => /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? '';

onBothDatabases('records that change while they are edited', (service) => {
  let client: Api;
  let dashboard: DashboardClient;
  let path: string;
  let recordsPath: string;

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
    const id = await registered(client, `conflicts-${accountId.slice(-6)}.com`);
    [path, recordsPath] = [`/domains/${id}/records`, `/api/domains/${id}/dns/records`];
  });

  const add = async (record: object): Promise<string> =>
    (await client.post(recordsPath, record).expect(201)).body.id as string;
  const edit = async (recordId: string) => (await dashboard.get(`${path}?edit=${recordId}`).expect(200)).text;
  const save = (recordId: string, fields: Record<string, string>) =>
    dashboard.post(`${path}/${recordId}`, { ...BLANK, ...fields });
  const contentOf = async (recordId: string) =>
    (await client.get(recordsPath).expect(200)).body.find((each: { id: string }) => each.id === recordId).content;

  it('shows what is stored beside what was entered, and saves on the second attempt', async () => {
    const id = await add({ type: 'TXT', name: 'text', content: 'first' });
    const opened = await edit(id);
    await client.put(`${recordsPath}/${id}`, { content: 'theirs' }).expect(200);
    const mine = { type: 'TXT', name: 'text', content: 'mine' };

    const { text } = await save(id, { ...mine, seen: seenBy(opened) }).expect(409);

    expect(text).toContain('The record has changed since this form showed it, and nothing was saved.');
    expect(text).toMatch(/Stored now: TXT text <code>theirs<\/code>/);
    expect(text).toContain('mine');
    expect(await contentOf(id)).toBe('theirs');
    await save(id, { ...mine, seen: seenBy(text) }).expect(303);
    expect(await contentOf(id)).toBe('mine');
  });

  it('still notices a change after the form was shown again for an invalid value', async () => {
    const id = await add({ type: 'A', name: 'www', content: '192.0.2.1' });
    const mine = { type: 'A', name: 'www', seen: seenBy(await edit(id)) };
    const { text: again } = await save(id, { ...mine, content: 'no address' }).expect(400);
    await client.put(`${recordsPath}/${id}`, { content: '192.0.2.2' }).expect(200);

    await save(id, { ...mine, content: '192.0.2.3', seen: seenBy(again) }).expect(409);

    expect(await contentOf(id)).toBe('192.0.2.2');
  });

  it('saves without a question if another record of the zone changed', async () => {
    const id = await add({ type: 'A', name: 'own', content: '192.0.2.1' });
    const opened = await edit(id);
    await add({ type: 'A', name: 'other', content: '192.0.2.9' });

    await save(id, { type: 'A', name: 'own', content: '192.0.2.2', seen: seenBy(opened) }).expect(303);

    expect(await contentOf(id)).toBe('192.0.2.2');
  });
});
