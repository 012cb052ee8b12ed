import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { SecondaryDirectory, SecondaryZones } from '../../../src/application/ports/dns/publishing';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { restoreBackup, type Restored } from '../../../src/container/restore-backup';
import { createBackup } from '../../../src/infrastructure/backup/create-backup';
import { describeOrSkip } from '../../support/describe-or-skip';
import { freePort } from '../../support/free-port';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { EIGHT_TYPES, OTHER_TYPES } from '../../support/nameservers/secondary-suite';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const ZONE = 'restored.com';
const POLL_INTERVAL_MS = 20;

describeOrSkip(KNOT_MISSING)('a restored database and its secondaries', () => {
  let folder: string;
  let service: TestService;
  let knot: Nameserver;
  let client: Api;
  let key: string;
  let domainId: string;
  let records: string;
  let settings: Record<string, string>;
  const file = () => join(folder, 'service.db');
  const backup = () => join(folder, 'backup');

  const start = async (): Promise<void> => {
    service = await startService(settings);
    client = api(service, key);
  };
  const add = async (name: string): Promise<void> => {
    await client.post(records, { type: 'TXT', name, content: name }).expect(201);
  };
  const addPublished = async (name: string): Promise<void> => {
    await client.post(`${records}?wait=published`, { type: 'TXT', name, content: name }).expect(201);
  };
  const restore = (): Promise<Restored> => restoreBackup(service.config, backup(), { replace: true, fix: true });
  const serial = async (): Promise<number> =>
    (await client.get(`/api/domains/${domainId}/dns/status`).expect(200)).body.serial;
  const served = async (...names: readonly string[]): Promise<readonly string[]> => {
    const sets = await knot.queryRrsets(names.map((name) => ({ name: `${name}.${ZONE}`, type: 'TXT' })));
    return names.filter((name) => sets.has(`${name}.${ZONE} TXT`));
  };
  const untilKnotServes = async (wanted: number): Promise<void> => {
    while ((await knot.querySerial(ZONE)) !== wanted) await sleep(POLL_INTERVAL_MS);
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-restored-'));
    settings = {
      DATABASE_URL: `sqlite:${file()}`,
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      DNS_LISTEN: `127.0.0.1:${await freePort()}`,
      PUBLISH_WAIT_MS: '60000',
      RECORD_TYPES: 'all',
    };
    service = await startService(settings);
    key = await service.key(await service.account());
    client = api(service, key);
    knot = await startKnot(createInProcessAdmin(service), 'ns1');
    domainId = await registered(client, ZONE);
    records = `/api/domains/${domainId}/dns/records`;
    await addPublished('old');
  });
  afterEach(async () => {
    await knot.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('agree again after as many changes were made as a copied file had lost, and the restore lists the zone', async () => {
    await service.stop();
    copyFileSync(file(), join(folder, 'copy.db'));
    await start();
    await addPublished('lost');
    await service.stop();
    copyFileSync(join(folder, 'copy.db'), file());
    await start();
    await add('kept');
    expect(await knot.querySerial(ZONE)).toBe(await serial());
    expect(await served('lost', 'kept')).toEqual(['lost']);

    await service.stop();
    await createBackup(service.config, backup(), { withKey: false });
    const { zones, unread } = await restore();
    await start();

    expect({ zones, unread }).toEqual({
      zones: [{ name: ZONE, secondary: 'ns1', records: 'same serial, kept ours: +1 -1 ~0', isFixed: false }],
      unread: [],
    });
    await untilKnotServes(await serial());
    expect(await served('old', 'lost', 'kept')).toEqual(['old', 'kept']);
  });

  it('are equal whatever the types of records are, signed or not, and differ in what one of them has not got', async () => {
    const others = Object.entries(OTHER_TYPES).flatMap(([type, content], index) => [
      ...(type === 'DS' ? [{ type: 'NS', name: `t${index}`, content: 'ns1.example.net' }] : []),
      { type, name: `t${index}`, content },
    ]);
    await client.post(`${records}/batch?wait=published`, { create: [...EIGHT_TYPES, ...others] }).expect(200);
    const [secondary] = await service.container.get(SecondaryDirectory).all();
    const tsigKey = await service.container.get(SecondaryDirectory).findKey('ns1');
    const differs = () => service.container.get(SecondaryZones).differs(secondary!, ZONE, tsigKey);
    expect(await differs()).toBe(false);

    const signer = service.container.get(ZoneSigner);
    const signingKey = await signer.createKey();
    await service.container
      .get(UnitOfWork)
      .run((stores) => signer.start(stores, domainId, { denial: 'nsec3', key: signingKey }));
    expect(await differs()).toBe(true);
    await addPublished('signed');
    expect(await differs()).toBe(false);
  });

  it('do not take the record with the serial, for secondaries that sign, for a record of the zone', async () => {
    const directory = service.container.get(SecondaryDirectory);
    const [secondary] = await directory.all();
    const endpoint = { address: '127.0.0.1', port: 9 };
    await directory.add({ ...secondary!, name: 'signing', endpoint, signs: true });
    await untilKnotServes(await serial());
    const question = { name: `_zone-version.${ZONE}`, type: 'TXT' };
    const sets = await knot.queryRrsets([question]);
    expect(sets.get(`${question.name} TXT`)).toEqual([`"${await serial()}"`]);

    const tsigKey = await directory.findKey('ns1');
    const { zoneFile } = await service.container.get(SecondaryZones).zone(secondary!, ZONE, tsigKey);

    expect(zoneFile).toContain(`old.${ZONE}.`);
    expect(zoneFile).not.toContain(question.name);
  });

  it('agree although the secondary was down when the same backup was restored a second time', async () => {
    await service.stop();
    await createBackup(service.config, backup(), { withKey: false });
    await restore();
    await start();
    await addPublished('first');
    await knot.kill();
    await service.stop();
    const { unread } = await restore();
    await start();
    await add('second');
    await knot.start();

    expect(unread).toMatchObject([{ source: 'ns1' }]);
    await untilKnotServes(await serial());
    expect(await served('old', 'first', 'second')).toEqual(['old', 'second']);
  });
});
