import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup } from '../../../src/container/restore-backup';
import { formatDay } from '../../../src/domain/shared/time/calendar';
import { createBackup } from '../../../src/infrastructure/backup/create-backup';
import { ReconcileRegistries } from '../../../src/application/registrar/reconciliation/reconcile-registries';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const HOSTS = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];

describe('a backup that was restored while the registry went on', () => {
  let folder: string;
  let service: TestService | undefined;
  const start = async (): Promise<TestService> => {
    service = await startService({
      DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    return service;
  };
  const stop = async (): Promise<void> => {
    await service?.stop();
    service = undefined;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-drill-'));
  });
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets back a name registered after the backup, a renewal and changed nameservers, with no difference left', async () => {
    const before = await start();
    const accountId = await before.account();
    const key = await before.key(accountId);
    const client = api(before, key);
    const [renewed, moved, equal] = [
      await registered(client, 'renewed.com'),
      await registered(client, 'moved.com'),
      await registered(client, 'equal.com'),
    ];
    await stop();
    copyFileSync(join(folder, 'service.db'), join(folder, 'backup.db'));

    const later = api(await start(), key);
    const { body: renewal } = await later.post(`/api/domains/${renewed}/renew`, { years: 2 }).expect(200);
    await later.put(`/api/domains/${moved}/nameservers`, { nameservers: HOSTS }).expect(200);
    await registered(later, 'new.com');
    await stop();
    for (const name of ['service.db-wal', 'service.db-shm']) rmSync(join(folder, name), { force: true });
    copyFileSync(join(folder, 'backup.db'), join(folder, 'service.db'));

    const restored = await start();
    const reconcile = restored.container.get(ReconcileRegistries);
    const [found] = await reconcile.execute({ fix: false });
    const [fixed] = await reconcile.execute({ fix: true });
    const [after] = await reconcile.execute({ fix: false });

    expect(found?.left.map(({ name, kind }) => `${name}: ${kind}`).toSorted()).toEqual([
      'moved.com: nameservers',
      'new.com: missing here',
      'renewed.com: expiry',
    ]);
    expect(fixed).toMatchObject({ fixedCount: 3, left: [] });
    expect(after).toMatchObject({ reconciliation: { compared: 4, differences: 0 }, left: [] });
    const now = api(restored, key);
    expect((await now.get(`/api/domains/${renewed}`).expect(200)).body.expires_at).toBe(renewal.expires_at);
    expect((await now.get(`/api/domains/${moved}`).expect(200)).body.nameservers).toEqual(HOSTS);
    expect((await now.get(`/api/domains/${equal}`).expect(200)).body.status).toBe('active');
    expect((await now.get('/api/domains/by-name/new.com').expect(200)).body.status).toBe('active');
  });

  it.each([
    ['adopted by the restore', { replace: true, fix: true }],
    ['left to the service', { replace: true, fix: false }],
  ])(
    'charges no second renewal for a request that is repeated with its lost Idempotency-Key: differences %s',
    async (_which, options) => {
      const before = await start();
      const accountId = await before.account();
      const key = await before.key(accountId, 'ADMIN');
      const client = api(before, key);
      const id = await registered(client, 'renewed.com');
      const { config } = before;
      await createBackup(config, join(folder, 'backup'), { withKey: false });
      const renew = (by: Api, idempotencyKey: string) =>
        by.post(`/api/domains/${id}/renew`, { years: 1 }).set('Idempotency-Key', idempotencyKey);
      const { body: paid } = await renew(client, 'renewal-of-2027').expect(200);
      const { body: charges } = await client.get('/api/sandbox/ledger').expect(200);
      await stop();

      await restoreBackup(config, join(folder, 'backup'), options);
      const restored = api(await start(), key);

      const { body: refused } = await renew(restored, 'renewal-of-2027').expect(422);
      expect(refused.error.details).toContain(`current_expiry, ${formatDay(new Date(paid.expires_at))}`);
      await renew(restored, 'another').expect(422);
      expect((await restored.get(`/api/domains/${id}`).expect(200)).body.expires_at).toBe(paid.expires_at);
      expect((await restored.get('/api/sandbox/ledger').expect(200)).body).toEqual(charges);
      await restored.post(`/api/domains/${id}/renew`, { current_expiry: paid.expires_at }).expect(200);
    },
  );
});
