import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { ZoneHistory } from '../../../../src/application/ports/dns/zone-queries';
import { onBothDatabases } from '../../../support/databases/databases';
import { api, registered, type Api } from '../../../support/service/service';

const BLANK = { ttl: '', priority: '', weight: '', port: '', caa_flags: '0', caa_tag: 'issue', caa_value: '' };

onBothDatabases('the last change of a record', (service) => {
  let client: Api;
  let dashboard: DashboardClient;
  let domain: string;
  let count = 0;

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
  });

  beforeEach(async () => {
    domain = `/domains/${await registered(client, `record-changes-${(count += 1)}.com`)}`;
  });

  const add = async (name: string): Promise<string> =>
    (await client.post(`/api${domain}/dns/records`, { type: 'A', name, content: '192.0.2.1' }).expect(201)).body.id;
  const edit = (id: string, name: string, content: string) =>
    dashboard.post(`${domain}/records/${id}`, { ...BLANK, type: 'A', name, content }).expect(303);
  /** The text of the row of a record. */
  const rowOf = async (id: string): Promise<string> => {
    const { text } = await dashboard.get(`${domain}/records`).expect(200);
    return (new RegExp(`<tr[^>]* id="${id}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? '').replaceAll(/<[^>]+>/g, '');
  };
  const changedBy = async (id: string) =>
    (await rowOf(id)).replaceAll(/\s+/g, ' ').replace(/Changed \d+ \w+ \d+/, 'Changed');

  it('is shown with who made it: a key, a user, or without that if the history no longer has it', async () => {
    const [www, mail] = [await add('www'), await add('mail')];
    await edit(mail, 'mail', '192.0.2.2');

    expect(await changedBy(www)).toMatch(/Changed: history of A www by API key “[^”]+”/);
    expect(await changedBy(mail)).toMatch(/Changed: history of A mail by person-\d+@example\.com/);
    jest.spyOn(service().container.get(ZoneHistory), 'lastChanges').mockResolvedValueOnce(new Map());
    expect(await changedBy(www)).toMatch(/Changed: history of A www(?! by)/);
  });

  it('is that of a change of the comment, of a batch and of a rollback, too', async () => {
    const www = await add('www');
    const records = `/api${domain}/dns/records`;
    const byUser = /by person-\d+@example\.com/;
    await edit(www, 'www', '192.0.2.2');
    expect(await changedBy(www)).toMatch(byUser);

    await client.put(`${records}/${www}`, { comment: 'web' }).expect(200);
    expect(await changedBy(www)).toMatch(/by API key/);
    await dashboard.post(`${domain}/history/3/roll-back`, { expected: '5' }).expect(303);
    expect(await changedBy(www)).toMatch(byUser);
    await client.post(`${records}/batch`, { create: [], update: [{ id: www, ttl: 60 }], delete: [] }).expect(200);
    expect(await changedBy(www)).toMatch(/by API key/);
  });

  it('undoes one change of a version, keeps the later ones, and names the records that a later change touched', async () => {
    const records = `/api${domain}/dns/records`;
    const [www, mail] = [await add('www'), await add('mail')];
    await client
      .post(`${records}/batch`, {
        create: [{ type: 'A', name: 'new', content: '192.0.2.9' }],
        update: [
          { id: www, content: '192.0.2.50' },
          { id: mail, content: '192.0.2.51' },
        ],
        delete: [],
      })
      .expect(200);
    await client.put(`${records}/${mail}`, { content: '192.0.2.52' }).expect(200);
    const later = await add('later');
    const contents = async () =>
      new Map(
        (await client.get(records).expect(200)).body.map(({ id, content }: Record<string, string>) => [id, content]),
      );

    expect((await dashboard.get(`${domain}/history/5`).expect(200)).text).toContain(`href="${domain}/history/5/undo"`);
    const { text } = await dashboard.get(`${domain}/history/5/undo`).expect(200);
    expect(text).toMatch(/A mail <code>192\.0\.2\.52<\/code> was changed again and stays as it is\./);
    expect(text).toContain('0 added, 1 changed, 1 removed.');
    await dashboard.post(`${domain}/history/5/undo`, { expected: '7' }).expect(303);

    const after = await contents();
    expect([after.get(www), after.get(mail), after.get(later)]).toEqual(['192.0.2.1', '192.0.2.52', '192.0.2.1']);
    expect(after.size).toBe(3);
    const again = (await dashboard.get(`${domain}/history/5/undo`).expect(200)).text;
    expect(again).toContain('No changes');
    expect(again).not.toContain('>Undo this change</button>');
    await dashboard.post(`${domain}/history/3/undo`, { expected: '7' }).expect(303);
    expect((await contents()).size).toBe(3);
  });

  it('leads to the versions that changed the record, which the API lists, too', async () => {
    const [www, mail] = [await add('www'), await add('mail')];
    await edit(www, 'www', '192.0.2.2');
    const { text } = await dashboard.get(`${domain}/records`).expect(200);
    expect(text).toContain(`href="${domain}/history?record=${www}"`);

    const { text: history } = await dashboard.get(`${domain}/history?record=${www}`).expect(200);
    const versions = [...history.matchAll(/href="[^"]*\/history\/(\d+)"/g)].map(([, version]) => version);
    const { body } = await client.get(`/api${domain}/dns/history?record=${www}`).expect(200);
    const { body: other, headers } = await client.get(`/api${domain}/dns/history?record=${mail}&limit=1`).expect(200);

    expect(versions).toEqual(['5', '3']);
    expect(history).not.toContain('mail 3600 A');
    expect(history).toContain('Show all versions of the zone');
    expect(body.map(({ version, added, changed }: Record<string, number>) => [version, added, changed])).toEqual([
      [5, 0, 1],
      [3, 1, 0],
    ]);
    expect(other).toMatchObject([{ version: 4, added: 1 }]);
    expect(headers['link']).toBeUndefined();
    await dashboard
      .get(`${domain}/history?record=nonsense`)
      .expect(200)
      .expect(/This list ignores “record” in the URL/);
  });
});
