import { join } from 'node:path';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import { OPERATOR } from '../../../src/domain/access/actor';
import { withEachDatabase } from '../../support/databases/each-database';
import { api, REGISTRANT, registered, type Api } from '../../support/service/service';
import { addressOf, build, startProcess, type ServiceProcess } from '../../support/service/service-process';

const PRELOAD = `./${join('test', 'crash', 'child', 'kill-at-move.cjs')}`;
const isOf = (name: string) => (event: Record<string, unknown>) =>
  (event['data'] as { readonly domain?: { readonly name: string } }).domain?.name === name;
const NEW_OWNER = { ...REGISTRANT, last_name: 'Hopper' };

async function countOf(by: Api, path: string, matches: (item: Record<string, unknown>) => boolean): Promise<number> {
  return ((await by.get(path).expect(200)).body as Record<string, unknown>[]).filter(matches).length;
}

withEachDatabase('a service that is killed while it moves names to another account', (databases) => {
  const running: ServiceProcess[] = [];
  beforeAll(build);
  afterAll(async () => {
    for (const each of running) each.signal('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
  });

  it('has moved all of them with everything that belongs to them, or nothing, and moves them once', async () => {
    const location = await databases.create();
    const settings = {
      PORT: '0',
      DATABASE_URL: location.kind === 'mysql' ? location.url : `sqlite:${location.file}`,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT_PER_MINUTE: '0',
      OPERATION_LEASE_MS: '1000',
      DNS_LISTEN: 'off',
    };
    const operator = await createContainer(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
    const openAccount = async (name: string) => {
      const { id: accountId } = await operator.container.get(CreateAccount).execute({ actor: OPERATOR, name });
      const issued = { accountId, actor: OPERATOR, name: 'REST', scope: 'ADMIN' } as const;
      return { accountId, key: (await operator.container.get(IssueApiKey).execute(issued)).text };
    };
    const accounts = [await openAccount('Former'), await openAccount('New')] as const;
    await operator.close();
    let [from, to] = [{} as Api, {} as Api];
    const start = async () => {
      const service = startProcess(settings, [process.execPath, '--require', PRELOAD, 'dist/main.js']);
      running.push(service);
      const server = await addressOf(service);
      [from, to] = [api({ server }, accounts[0].key), api({ server }, accounts[1].key)];
      return service;
    };
    let service = await start();
    const { body: reverse } = await from.post('/api/zones', { network: '10.8.0.0/24' }).expect(201);
    for (const [index, point] of ['in a name', 'between names', 'before the commit', 'after the commit'].entries()) {
      const name = `killed-move-${index}.com`;
      const id = await registered(from, name);
      const { body: zone } = await from.post('/api/zones', { name: `shop.${name}` }).expect(201);
      const address = { type: 'A', name: 'www', content: `10.8.0.${index + 1}`, ptr: true };
      await from.post(`/api/domains/${id}/dns/records`, address).expect(201);
      const offer = { domain_id: id, account_id: accounts[1].accountId, reason: 'Sold' };
      const { body: move } = await from.post('/api/moves', offer).expect(201);
      const accept = (comment?: string) => to.post(`/api/moves/${move.id}/accept`, { comment, registrant: NEW_OWNER });
      const owned = async (by: Api) => [
        (await by.get(`/api/domains/${id}`)).status === 200,
        (await by.get(`/api/zones/${zone.id}`)).status === 200,
      ];
      const stored = async () => ({
        former: await owned(from),
        new: await owned(to),
        state: (await to.get(`/api/moves/${move.id}`).expect(200)).body.state as string,
        ptrs: await countOf(from, `/api/zones/${reverse.id}/dns/records`, (each) => each['name'] === `${index + 1}`),
        operations: await countOf(to, '/api/operations?limit=100', (each) => each['domain_id'] === id),
        left: await countOf(from, '/api/events?types=domain.moved_out', isOf(name)),
        came: await countOf(to, '/api/events?types=domain.moved_in', isOf(name)),
      });
      const [yes, no] = [
        [true, true],
        [false, false],
      ];
      const nothing = { former: yes, new: no, state: 'open', ptrs: 1, operations: 0, left: 0, came: 0 };
      const everything = { former: no, new: yes, state: 'accepted', ptrs: 0, operations: 1, left: 1, came: 1 };
      expect([point, await stored()]).toEqual([point, nothing]);

      await expect(accept(point)).rejects.toThrow(/socket hang up|ECONNRESET/);
      await service.ended;
      service = await start();

      const isDone = point === 'after the commit';
      expect([point, await stored()]).toEqual([point, isDone ? everything : nothing]);
      await accept().expect(isDone ? 409 : 200);
      expect([point, await stored()]).toEqual([point, everything]);
    }
  });
});
