import { setTimeout as pause } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { RegistryMessages } from '../../../src/application/lifecycle/registry-messages';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { pollRequest } from '../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { freshName } from '../../../src/testing/registry-fixtures';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { describeOrSkip } from '../../support/describe-or-skip';
import { transferDomain } from '../../support/epp/epp-scenario';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { RawEpp } from '../../support/epp/raw-epp';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { addressOf, build, startProcess, type ServiceProcess } from '../../support/service/service-process';

describeOrSkip(MYSQL_MISSING)('two processes in front of one EPP message queue', () => {
  let mysql: MysqlServer;
  let connection: Connection;
  let outside: ExternalEppRegistry;
  let replica: TestService;
  let other: ServiceProcess;
  let account: string;
  let client: Api;

  beforeAll(async () => {
    build();
    [mysql, outside] = await Promise.all([startMysql(), startExternalEppRegistry()]);
    const settings = {
      ...outside.settings,
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      OPERATION_LEASE_MS: '2000',
    };
    connection = await createConnection(settings.DATABASE_URL);
    replica = await startService({ ...settings, WORKER: 'off' });
    account = await replica.account();
    client = api(replica, await replica.key(account));
    other = startProcess({ ...settings, NODE_ENV: 'test', DNS_LISTEN: 'off', PORT: '0' });
    await addressOf(other);
  });
  afterAll(async () => {
    other.signal('SIGKILL');
    await other.ended;
    await replica.stop();
    await connection.end();
    await outside.stop();
    await mysql.stop();
  });

  /** Another registrar requests a transfer, so the registry sends a message. */
  async function causeMessage(): Promise<string> {
    const name = freshName().value;
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    const registrar = await RawEpp.loggedIn(outside.registry, 'second');
    expect((await registrar.send(transferDomain('request', name, body.auth_code))).code).toBe(1001);
    await registrar.close();
    return name;
  }

  const holder = async () => {
    const sql = "SELECT owner FROM leases WHERE name = 'poll sandbox'";
    const [rows] = await connection.query({ sql, rowsAsArray: true });
    return (rows as unknown as string[][])[0]?.[0] ?? '';
  };

  it('one reads it at a time; after a kill during a poll the other one takes over, and no message is lost', async () => {
    const { faults } = outside.registry.server;
    const messages = replica.container.get(RegistryMessages);
    const names = [await causeMessage(), await causeMessage()];
    await messages.receive();
    expect(await heard()).toEqual(new Set(names));

    // Long, so that the lease is still held when the process is killed.
    await faults.inject({ kind: 'delay', target: 'poll:req', milliseconds: 10_000 });
    names.push(await causeMessage(), await causeMessage(), await causeMessage());
    let killed = '';
    while (killed === '') {
      await pause(50);
      killed = await holder();
    }
    other.signal('SIGKILL');
    await other.ended;
    await faults.clear();
    expect(await holder()).toBe(killed);
    await messages.receive();

    expect(await heard()).toEqual(new Set(names));
    expect(await holder()).toBe('');
    const raw = await RawEpp.loggedIn(outside.registry);
    expect((await raw.send(pollRequest())).code).toBe(1300);
    await raw.close();
  });

  /** The names in the messages that were processed. */
  async function heard(): Promise<ReadonlySet<string | undefined>> {
    const audit = replica.container.get<AuditReader>(AuditReader);
    const entries = await audit.page(account, { action: 'domain.registry_message' }, 100);
    return new Set(entries.map(({ domain }) => domain?.name));
  }
});
