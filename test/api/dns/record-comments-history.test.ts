import { setTimeout as sleep } from 'node:timers/promises';
import { AddSecondary } from '../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { SigningRunner } from '../../../src/application/dnssec/steps/signing-runner';
import { SigningReader } from '../../../src/application/ports/dns/signing-repository';
import { ZonePublisher } from '../../../src/application/ports/dns/publishing';
import { onBothDatabases } from '../../support/databases/databases';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { api, registered, type Api } from '../../support/service/service';

interface Notes {
  readonly name: string;
  readonly comment?: string;
  readonly managed_by?: string;
}

onBothDatabases(
  'changes of comments',
  (service) => {
    let client: Api;
    let secondary: StubNameserver;
    let name: string;
    let id: string;
    let dns: string;
    let count = 0;

    beforeAll(async () => {
      client = api(service(), await service().key(await service().account()));
      await service().container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
      secondary = await StubNameserver.start();
      await service()
        .container.get(AddSecondary)
        .execute({ name: 'stub', address: `127.0.0.1:${secondary.port}`, key: 'k', signs: false });
    });

    beforeEach(async () => {
      name = `comment-history-${(count += 1)}.com`;
      id = await registered(client, name);
      dns = `/api/domains/${id}/dns`;
    });

    afterEach(() => jest.restoreAllMocks());
    afterAll(() => secondary.stop());

    const add = async (members: object): Promise<string> =>
      (await client.post(`${dns}/records`, { type: 'A', content: '192.0.2.1', ...members }).expect(201)).body.id;
    const change = (recordId: string, members: object, query = '') =>
      client.put(`${dns}/records/${recordId}${query}`, members).expect(200);
    const status = async () => (await client.get(`${dns}/status`).expect(200)).body;
    const counters = async () => {
      const { version, serial } = await status();
      return { version, serial };
    };
    const notes = async () =>
      (await client.get(`${dns}/records`).expect(200)).body.map(({ name: owner, comment, managed_by: by }: Notes) =>
        [owner, comment ?? null, by ?? null].join(' '),
      );
    const rollBack = (version: number) => client.post(`${dns}/history/${version}/restore`, {}).expect(200);

    it('are taken back by a rollback to each version, which raises no serial if only they change', async () => {
      const www = await add({ name: 'www', comment: 'one', managed_by: 'ci' });
      const mail = await add({ name: 'mail' });
      const first = await counters();
      const expected = [await notes()];
      for (const members of [
        { comment: 'two', managed_by: null },
        { comment: null, managed_by: 'octodns' },
        { comment: null, managed_by: null },
      ]) {
        await change(www, members);
        expected.push(await notes());
      }
      await change(mail, { comment: 'x'.repeat(500) });
      expected.push(await notes());
      expect(new Set(expected.map(String)).size).toBe(5);

      for (const step of [0, 3, 1, 4, 2]) {
        await rollBack(first.version + step);
        expect(await notes()).toEqual(expected[step]);
      }

      expect(await counters()).toEqual({ version: first.version + 9, serial: first.serial });
      const { body: plan } = await client.post(`${dns}/history/${first.version}/restore?dry_run=true`, {}).expect(200);
      expect(plan).toMatchObject({ changed: [{ after: { comment: 'one', managed_by: 'ci' } }] });
    });

    it('come back with a record that was removed or has other data, by a rollback that raises the serial', async () => {
      const www = await add({ name: 'www', comment: 'one', managed_by: 'ci' });
      const mail = await add({ name: 'mail', comment: 'two' });
      const before = await counters();
      const expected = await notes();
      await change(mail, { comment: 'three', ttl: 60 });
      await client.delete(`${dns}/records/${www}`).expect(200);

      await rollBack(before.version);

      expect(await notes()).toEqual(expected);
      expect(await counters()).toEqual({ version: before.version + 3, serial: before.serial + 3 });
    });

    it('are not announced to secondaries, and a request that waits for them returns at once', async () => {
      const www = await add({ name: 'www' });
      const before = await counters();
      secondary.serials.set(name, before.serial);
      const notifySecondaries = jest.spyOn(service().container.get(ZonePublisher), 'notifySecondaries');

      const { headers } = await change(www, { comment: 'web' }, '?wait=published');
      await client.post(`${dns}/records/batch`, { update: [{ id: www, managed_by: 'ci' }] }).expect(200);
      await rollBack(before.version);

      expect(headers['zone-published']).toBe('true');
      expect(await status()).toMatchObject({ version: before.version + 3, serial: before.serial, published: true });
      expect(notifySecondaries).not.toHaveBeenCalled();
      await change(www, { ttl: 60 });
      expect(notifySecondaries).toHaveBeenCalledTimes(1);
      expect(await status()).toMatchObject({ serial: before.serial + 1, published: false });
    });

    it('lead to no signatures in a signed zone', async () => {
      const www = await add({ name: 'www' });
      await client.put(`/api/domains/${id}/dnssec`, { enabled: true }).expect(200);
      const derived = () => service().container.get(SigningReader).derived(id);
      while ((await derived()).length === 0) {
        service().container.get(SigningRunner).wake(id);
        await sleep(20);
      }
      const [before, signed] = [await counters(), await derived()];

      await change(www, { comment: 'web', managed_by: 'ci' });
      await rollBack(before.version);

      expect(await derived()).toEqual(signed);
      expect(await counters()).toEqual({ version: before.version + 2, serial: before.serial });
      await change(www, { comment: 'web', ttl: 60 });
      expect(await derived()).not.toEqual(signed);
    });
  },
  { PUBLISH_WAIT_MS: '60000' },
);
