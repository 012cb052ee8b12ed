import { randomBytes, randomUUID } from 'node:crypto';
import { UpdateZone } from '../../../src/application/dns/records/update-zone';
import type { ApiKeyState } from '../../../src/domain/access/api-key';
import { raisePublishedVersions } from '../../../src/application/publishing/raise-published-versions';
import { SERVICE } from '../../../src/domain/access/actor';
import { setTimeout as sleep } from 'node:timers/promises';
import { AddRecord } from '../../../src/application/dns/records/add-record';
import { EditRecords } from '../../../src/application/dns/records/edit-records';
import { ImportZoneFile } from '../../../src/application/dns/zones/zone-files/import-zone-file';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { RecordReader } from '../../../src/application/ports/dns/zone-queries';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, startService } from '../../support/service/service';

/** Long enough for a write to reach the lock of the domain. */
const HEAD_START_MS = 150;
const RECORD = { type: 'A', name: 'late', content: '192.0.2.1' };

onBothDatabases('a write to a zone during a transfer of its domain to another registrar', (service) => {
  let serial = 0;

  it.each([
    [
      'of one record',
      (request: object) =>
        service()
          .container.get(AddRecord)
          .execute({ ...request, draft: RECORD } as never),
    ],
    [
      'of a batch of records',
      (request: object) =>
        service()
          .container.get(EditRecords)
          .execute({ ...request, create: [RECORD], update: [], delete: [] } as never),
    ],
    [
      'of a zone file',
      (request: object) =>
        service()
          .container.get(ImportZoneFile)
          .execute({ ...request, text: 'late 60 A 192.0.2.1\n' } as never),
    ],
  ])('%s is rejected with DOMAIN_STATUS_CONFLICT', async (_title, write) => {
    const accountId = await service().account();
    const domainId = await registered(api(service(), await service().key(accountId)), `leaving-${(serial += 1)}.com`);
    const { container } = service();

    const { written } = await container.get(UnitOfWork).run(async ({ domains, zones }) => {
      const domain = await domains.lockAny(domainId);
      if (!domain) throw new Error('the domain does not exist');
      const before = domain.toState();
      domain.markTransferredOut(new Date());
      await domains.save(domain);
      const by = { actor: SERVICE, at: new Date() };
      await raisePublishedVersions({ domains, zones }, before, domain.toState(), by, randomUUID);
      const outcome = write({ accountId, actor: { kind: 'key', id: 'k1' }, domainId });
      outcome.catch(() => undefined);
      await sleep(HEAD_START_MS);
      return { written: outcome };
    });

    await expect(written).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    expect(await container.get<RecordReader>(RecordReader).page(domainId, {}, 10)).toEqual([]);
  });
});

const SECRET_KEY = randomBytes(32).toString('base64');

onBothDatabases(
  'a dynamic update that two processes get at the same time',
  (service) => {
    it('is carried out once, although its own record makes its prerequisite fail, and both respond with NOERROR', async () => {
      const { database } = service().config;
      const url = database.kind === 'sqlite' ? `sqlite:${database.file}` : database.url;
      const second = await startService({ DATABASE_URL: url, SECRET_KEY });
      const accountId = await service().account();
      const zoneName = 'two-replicas.com';
      const domainId = await registered(api(service(), await service().key(accountId)), zoneName);
      const command = {
        key: { keyId: 'AbC-dEf_0123', accountId, scope: 'WRITE', limits: null } as unknown as ApiKeyState,
        zoneName,
        message: {
          prerequisites: [{ kind: 'name_not_in_use', name: RECORD.name }],
          changes: [{ kind: 'add', name: RECORD.name, type: 'A', record: RECORD }],
        },
        waitMs: 0,
      } as const;
      const send = (messageId: string) =>
        Promise.all(
          [service(), second].map(({ container }) => container.get(UpdateZone).execute({ ...command, messageId })),
        );

      try {
        expect(await send('one')).toEqual([{ outcome: 'NOERROR' }, { outcome: 'NOERROR' }]);
        expect(await send('two')).toEqual([{ outcome: 'YXDOMAIN' }, { outcome: 'YXDOMAIN' }]);
      } finally {
        await second.stop();
      }
      expect(await service().container.get<RecordReader>(RecordReader).page(domainId, {}, 10)).toHaveLength(1);
    });
  },
  { SECRET_KEY },
);
