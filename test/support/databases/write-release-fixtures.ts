import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createConnection, escape, type RowDataPacket } from 'mysql2/promise';

import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { SecondaryDirectory } from '../../../src/application/ports/dns/secondaries';
import { Readiness } from '../../../src/application/ports/storage/storage-unavailable';
import { Leases } from '../../../src/application/ports/storage/replicas';
import { OPERATOR } from '../../../src/domain/access/actor';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { importSqlite } from '../../../src/infrastructure/persistence/database/sqlite/import-sqlite';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { SIMULATED_CONTENT } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { aUser, DashboardClient } from '../dashboard/dashboard-client';
import { api, registered, startService } from '../service/service';
import { startMysql } from './mariadb';
import { RELEASES, rowsOfSqlite, SECRET_KEY, tablesOfMysql, type Release } from './releases';

const ROWS_OF_LONGER_RUNS = [
  ['service', 'INSERT INTO last_backup (id, succeeded_at, bytes) VALUES (1, 1795305600000, 4096)'],
  [
    'service',
    "INSERT INTO daily_usage (used_on, account_id, kind, bytes) VALUES (1795305600000, 'acc_release', 'history', 4096)",
  ],
  [
    'registry',
    "INSERT INTO simreg_notices (id, registrar, noticed_at, kind, name, message) VALUES ('01KAN0000000000000000000N1', 'namewright', 1795305600000, 'renewed', 'kept-release.com', 'Renewed')",
  ],
  [
    'registry',
    "INSERT INTO simreg_faults (id, kind, target, remaining, milliseconds) VALUES ('01KAN0000000000000000000F1', 'delay', 'slow-release.com', NULL, 1)",
  ],
] as const;

/** `npm run fixtures:release`: writes databases that this version has made, with some rows in every table. */
describe('a release', () => {
  it('leaves its databases as fixtures', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const folder = mkdtempSync(join(tmpdir(), 'namewright-release-'));
    const [file, registryFile] = [join(folder, 'service.db'), join(folder, 'service-registry.db')];
    const release = await fill(file);
    for (const [path, statement] of ROWS_OF_LONGER_RUNS)
      new Sqlite(path === 'service' ? file : registryFile).exec(statement).close();
    const empty = Object.entries(rowsOfSqlite(file, registryFile)).filter(([, rows]) => rows.length === 0);
    expect(empty.map(([table]) => table)).toEqual([]);
    writeFileSync(join(RELEASES, `${version}.json`), `${JSON.stringify(release, null, 2)}\n`);
    for (const [name, path] of [
      ['sqlite', file],
      ['sqlite-registry', registryFile],
    ] as const)
      writeFileSync(join(RELEASES, `${version}-${name}.sql`), dumpOfSqlite(path));
    const mysql = await startMysql();
    const url = await mysql.createDatabase();
    const [target, registry] = [
      new Database({ kind: 'mysql', url }, SERVICE_CONTENT),
      new Database({ kind: 'mysql', url }, SIMULATED_CONTENT),
    ];
    await target.open();
    await registry.open();
    await importSqlite(file, registryFile, target);
    await Promise.all([target.close(), registry.close()]);
    writeFileSync(join(RELEASES, `${version}-mysql.sql`), await dumpOfMysql(url));
    await mysql.stop();
    rmSync(folder, { recursive: true });
  });
});

async function fill(file: string): Promise<Release> {
  const service = await startService({ DATABASE_URL: `sqlite:${file}`, SECRET_KEY, REGISTRY: 'simulated' });
  const { container } = service;
  const accountId = await service.account();
  const key = await service.key(accountId);
  const visitor = new DashboardClient(service);
  const email = await aUser(service, accountId);
  await visitor.signIn(email);
  await container
    .get(InviteUser)
    .execute({ accountId, actor: OPERATOR, email: 'invited@example.com', role: 'manager' });
  const client = api(service, key);
  const domainId = await registered(client, 'kept-release.com');
  await registered(client, 'xn--bcher-kva.com');
  const records = [
    { type: 'A', name: '@', content: '192.0.2.1' },
    { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
    { type: 'SRV', name: '_sip._tcp', content: 'sip.example.net', priority: 1, weight: 2, port: 5060 },
    { type: 'TXT', name: 'ünï', content: 'Ünï "quoted" \\ 💡; it\'s 100 %' },
  ];
  await client.post(`/api/domains/${domainId}/dns/records/batch`, { create: records }).expect(200);
  await client.post(`/api/domains/${domainId}/auth-code`).set('Idempotency-Key', 'kept').expect(200);
  await container.get(UnitOfWork).run(({ deadLetters }) =>
    deadLetters.keep({
      registry: 'simulated',
      messageId: 'm1',
      message: '{"id":"m1","text":"could not be processed"}',
      receivedAt: new Date('2026-11-22T00:00:00Z'),
    }),
  );
  const directory = container.get<SecondaryDirectory>(SecondaryDirectory);
  await directory.addKey({ name: 'release-key', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) }, new Date());
  await directory.add({
    name: 'release-secondary',
    endpoint: { address: '192.0.2.53', port: 53 },
    keyName: 'release-key',
    signs: true,
    createdAt: new Date(),
  });
  await container.get<Leases>(Leases).hold('release', 'a process');
  await container.get<Readiness>(Readiness).check();
  await service.stop();
  return { key, domainId, email };
}

/** As `sqlite3 FILE .dump` would write it. */
function dumpOfSqlite(file: string): string {
  const database = new Sqlite(file, { readonly: true });
  const schema = database
    .prepare(
      "SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all() as { name: string; type: string; sql: string }[];
  const inserts = schema
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .prepare<[], Row>(`SELECT * FROM ${name}`)
        .all()
        .map((row) =>
          insertOf(name, row, (value) =>
            typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL'),
          ),
        ),
    );
  database.close();
  return ['PRAGMA foreign_keys = OFF', ...schema.map(({ sql }) => sql), ...inserts].map((sql) => `${sql};\n`).join('');
}

/** As `mysqldump --skip-extended-insert` would write it. */
async function dumpOfMysql(url: string): Promise<string> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' });
  const statements = ['SET foreign_key_checks = 0'];
  for (const table of await tablesOfMysql(url)) {
    const [[created]] = await connection.query<RowDataPacket[]>(`SHOW CREATE TABLE ${table}`);
    statements.push(String(created?.['Create Table']));
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT * FROM ${table}`);
    statements.push(...rows.map((row) => insertOf(table, row as Row, (value) => escape(value))));
  }
  await connection.end();
  return [...statements, 'SET foreign_key_checks = 1'].map((sql) => `${sql};\n`).join('');
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

function insertOf(table: string, row: Row, literal: (value: Value) => string): string {
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`;
}
