import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withEachDatabase } from '../../support/databases/each-database';
import { api, registered, type Api } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

const PRELOAD = `./${join('test', 'crash', 'child', 'kill-at-acceptance.cjs')}`;
/** Where the process dies, and the state of the proposal then. */
const KILLS = { before: 'open', between: 'accepting', after: 'accepting' } as const;

withEachDatabase('a service that is killed while it accepts proposals', (databases) => {
  const running: ServiceProcess[] = [];
  beforeAll(build);
  afterAll(async () => {
    for (const each of running) each.signal('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
  });

  it('does each accepted write once when it is accepted again, and nothing that is not accepted', async () => {
    const location = await databases.create();
    const settings = {
      PORT: '0',
      DATABASE_URL: location.kind === 'mysql' ? location.url : `sqlite:${location.file}`,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT_PER_MINUTE: '0',
      OPERATION_LEASE_MS: '1000',
      DNS_LISTEN: 'off',
    };
    const start = () => {
      const service = startProcess(settings, [process.execPath, '--require', PRELOAD, 'dist/main.js']);
      running.push(service);
      return service;
    };
    let service = start();
    const key = await firstKeyOf(service);
    let admin: Api = api({ server: await addressOf(service) }, key);
    const limits = { propose: true };
    const { body: made } = await admin.post('/api/keys', { name: 'agent', scope: 'WRITE', limits }).expect(201);
    const name = 'killed-acceptance.com';
    const id = await registered(admin, name);
    const stored = async () => ({
      records: (await admin.get(`/api/domains/${id}/dns/records`).expect(200)).body.length as number,
      charges: (await admin.get(`/api/sandbox/ledger?name=${name}`).expect(200)).body.length as number,
    });
    const acceptUntilDone = async (proposal: string) => {
      for (;;) {
        const { status, body, headers } = await admin.post(`/api/proposals/${proposal}/accept`);
        // The killed process has leases for a while.
        if (status < 500 && headers['retry-after'] === undefined) return body as { state: string };
        await sleep(50);
      }
    };

    const done = { records: 0, charges: 1 };
    for (const [point, state] of Object.entries(KILLS)) {
      const agent = api({ server: await addressOf(service) }, made.key as string);
      const record = { type: 'TXT', name: point, content: point };
      const { body: ofRecord } = await agent.post(`/api/domains/${id}/dns/records`, record).expect(202);
      const { body: ofRenewal } = await agent.post(`/api/domains/${id}/renew`, { years: 1 }).expect(202);
      const killed = point === 'before' ? ofRecord : ofRenewal;
      await expect(admin.post(`/api/proposals/${killed.id}/accept`, { comment: point })).rejects.toThrow(
        /socket hang up|ECONNRESET/,
      );
      await service.ended;

      service = start();
      admin = api({ server: await addressOf(service) }, key);
      expect([point, (await admin.get(`/api/proposals/${killed.id}`).expect(200)).body.state]).toEqual([point, state]);
      expect([point, await stored()]).toEqual([
        point,
        { ...done, charges: done.charges + (point === 'after' ? 1 : 0) },
      ]);

      await Promise.all([acceptUntilDone(killed.id), acceptUntilDone(killed.id)]);
      for (const each of [ofRecord, ofRenewal]) {
        await acceptUntilDone(each.id);
        expect([point, (await admin.get(`/api/proposals/${each.id}`).expect(200)).body.state]).toEqual([
          point,
          'accepted',
        ]);
      }
      done.records += 1;
      done.charges += 1;
      expect([point, await stored()]).toEqual([point, done]);
    }
  });
});
