import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../../support/databases/mariadb';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { describeOrSkip } from '../../support/describe-or-skip';

const ROUNDS = 20;
const ADDRESSES = 8;
/** Of a process to its database. */
const CONNECTIONS = 10;

describeOrSkip(PRIVATE_MYSQL_MISSING)('changes of every kind to one domain at once, on MariaDB', () => {
  let mysql: PrivateMysqlServer;
  let connection: Connection;
  let service: TestService;
  let client: Api;

  beforeAll(async () => {
    mysql = await startPrivateMysql();
    const url = await mysql.createDatabase();
    connection = await createConnection(url);
    service = await startService({ DATABASE_URL: url, RECORD_TYPES: 'all' });
    client = api(service, await service.key(await service.account()));
  });
  afterAll(async () => {
    await connection.end();
    await service.stop();
    await mysql.stop();
  });

  it('lock rows in one order, so that no deadlock happens', async () => {
    const id = await registered(client, 'locks.com');
    const records = `/api/domains/${id}/dns/records`;
    const { body: changed } = await client
      .post(records, { type: 'TXT', name: 'changed', content: 'at first' })
      .expect(201);
    const { body: glue } = await client.post(records, { type: 'A', name: 'ns1', content: '192.0.2.1' }).expect(201);

    for (let round = 0; round < ROUNDS; round += 1) {
      const { body: doomed } = await client
        .post(records, { type: 'TXT', name: 'doomed', content: `${round}` })
        .expect(201);
      await Promise.all([
        client.post(records, { type: 'A', name: `a${round}`, content: '192.0.2.1' }).expect(201),
        client.post(records, { type: 'A', name: `b${round}`, content: '192.0.2.1' }).expect(201),
        client.put(`${records}/${changed.id}`, { ttl: 60 + round }).expect(200),
        changeAddress(`${records}/${glue.id}`, round),
        client.delete(`${records}/${doomed.id}`).expect(200),
        client
          .put(`/api/domains/${id}/nameservers`, { nameservers: [`ns${round}.example.net`, 'ns1.locks.com'] })
          .expect(200),
        client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: round % 2 === 0 }).expect(200),
        client.put(`/api/domains/${id}/autorenew`, { auto_renew: round % 2 === 0 }).expect(200),
      ]);
    }

    const [rows] = await connection.query("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'");
    expect(rows).toEqual([{ Variable_name: 'Innodb_deadlocks', Value: '0' }]);
  });

  /** Of a nameserver, which the registry gets. Several times, so that one change meets the end of the change of nameservers. */
  const changeAddress = async (record: string, round: number) => {
    for (let each = 1; each <= ADDRESSES; each += 1)
      await client.put(record, { content: `192.0.${round}.${each}` }).expect(200);
  };

  const add = (id: string | undefined, name: string) =>
    client.post(`/api/domains/${id}/dns/records`, { type: 'A', name, content: '192.0.2.1' }).expect(201);

  it('wait only for a writer of the same zone', async () => {
    const [held, ...free] = await Promise.all(
      ['held.com', 'free-1.com', 'free-2.com'].map((name) => registered(client, name)),
    );
    await connection.beginTransaction();
    await connection.query('SELECT version FROM zones WHERE domain_id = ? FOR UPDATE', [held]);
    const settled: string[] = [];

    const waiting = add(held, 'a').then(() => settled.push('held'));
    await Promise.all([...free, ...free].map((id, index) => add(id, `h${index}`).then(() => settled.push('free'))));
    await connection.commit();
    await waiting;

    expect(settled).toEqual(['free', 'free', 'free', 'free', 'held']);
  });

  it('create and remove a zone below another one with the only free connection: no transaction waits for a second one', async () => {
    const create = (name: string) => client.post('/api/zones', { name });
    await create('connections.example').expect(201);
    const { body: addressed } = await create('addressed.example').expect(201);
    await client.post('/api/zones', { network: '198.51.100.0/24' }).expect(201);
    const address = { type: 'A', name: 'www', content: '198.51.100.1', ptr: true };
    await client.post(`/api/zones/${addressed.id}/dns/records`, address).expect(201);
    const unitOfWork = service.container.get(UnitOfWork);
    const release = new AbortController();
    const released = once(release.signal, 'abort');
    const holding: Promise<unknown>[] = [];
    for (let held = 1; held < CONNECTIONS; held += 1)
      await new Promise<void>((taken) => {
        holding.push(
          unitOfWork.run(async () => {
            taken();
            await released;
          }),
        );
      });

    const created = await create('below.connections.example');
    const removed = await client.delete(`/api/zones/${created.body.id}`);
    const removedWithPtr = await client.delete(`/api/zones/${addressed.id}`);
    release.abort();
    await Promise.all(holding);

    expect([created, removed, removedWithPtr].map(({ status }) => status)).toEqual([201, 200, 200]);
  });

  it('let DNSSEC be switched on after a writer of the zone, whose CDNSKEY record at the apex refuses it', async () => {
    const id = await registered(client, 'own-key.com');
    const content = `257 3 13 ${Buffer.alloc(64, 1).toString('base64')}`;
    await client.post(`/api/domains/${id}/dns/records`, { type: 'CDNSKEY', name: 'below', content }).expect(201);
    await connection.beginTransaction();
    await connection.query('SELECT version FROM zones WHERE domain_id = ? FOR UPDATE', [id]);
    await connection.query("UPDATE dns_records SET name = '@' WHERE domain_id = ? AND type = 'CDNSKEY'", [id]);

    const switching = client.put(`/api/domains/${id}/dnssec`, { enabled: true }).expect(409);
    // Sent, and waiting for the zone: before, it read the apex without the record.
    const first = await Promise.race([switching.then(() => 'DNSSEC'), sleep(1_000).then(() => 'the record')]);
    await connection.commit();

    expect(first).toBe('the record');
    expect((await switching).body.error.code).toBe('DOMAIN_STATUS_CONFLICT');
  });

  it('let a pass that has the cursor of a webhook lock the webhook while its removal waits for the cursor', async () => {
    const { body: webhook } = await client.post('/api/webhooks', { url: 'https://hooks.example.com/' }).expect(201);
    const waiting = async () => {
      const [rows] = await connection.query(
        `SELECT 1 FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
        WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
      );
      return (rows as unknown[]).length > 0;
    };
    // As FeedReader and QueueDeliveries lock.
    await connection.beginTransaction();
    await connection.query("SELECT position FROM feed_cursors WHERE kind = 'webhook' AND reader_id = ? FOR UPDATE", [
      webhook.id,
    ]);

    const removed = client
      .delete(`/api/webhooks/${webhook.id}`)
      .expect(200)
      .then(() => undefined);
    // InnoDB reads its transactions again if no one asked for 100 ms.
    while (!(await waiting())) await sleep(150);
    const locking = connection.query('SELECT status FROM webhooks WHERE id = ? FOR UPDATE NOWAIT', [webhook.id]);

    await expect(locking).resolves.toBeDefined();
    await connection.commit();
    await removed;
  });
});
