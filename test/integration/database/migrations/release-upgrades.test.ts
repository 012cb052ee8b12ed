import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../../../src/infrastructure/persistence/database/database-location';
import { Database } from '../../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../../src/infrastructure/persistence/service-content';
import { SIMULATED_CONTENT } from '../../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { assertServed } from '../../../support/databases/assert-release-served';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../../support/databases/mariadb';
import {
  loadMysql,
  loadSqlite,
  release,
  releasedVersions,
  rowsOfMysql,
  rowsOfSqlite,
  type Rows,
} from '../../../support/databases/releases';
import { describeOrSkip } from '../../../support/describe-or-skip';

describe.each(releasedVersions())('a database of %s', (version) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-upgrade-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('keeps every row and value through the migrations, and is served afterwards, on SQLite', async () => {
    const [file, registryFile] = [join(folder, 'service.db'), join(folder, 'service-registry.db')];
    loadSqlite(`${version}-sqlite.sql`, file);
    loadSqlite(`${version}-sqlite-registry.sql`, registryFile);
    const before = rowsOfSqlite(file, registryFile);

    await migrate({ kind: 'sqlite', file }, { kind: 'sqlite', file: registryFile });

    assertKept(before, rowsOfSqlite(file, registryFile));
    await assertServed(release(version), { kind: 'sqlite', file }, before);
  });

  describeOrSkip(MYSQL_MISSING)('on MySQL', () => {
    let mysql: MysqlServer;
    beforeAll(async () => {
      mysql = await startMysql();
    });
    afterAll(() => mysql.stop());

    it('keeps every row and value through the migrations, and is served afterwards', async () => {
      const url = await mysql.createDatabase();
      await loadMysql(`${version}-mysql.sql`, url);
      const before = await rowsOfMysql(url);

      await migrate({ kind: 'mysql', url }, { kind: 'mysql', url });

      assertKept(before, await rowsOfMysql(url));
      await assertServed(release(version), { kind: 'mysql', url }, before);
    });
  });
});

async function migrate(service: DatabaseLocation, registry: DatabaseLocation): Promise<void> {
  for (const database of [new Database(service, SERVICE_CONTENT), new Database(registry, SIMULATED_CONTENT)]) {
    await database.open();
    await database.close();
  }
}

/** Of a release, and of the last development version. A migration that renames or rewrites a column states its exception here. */
function assertKept(before: Rows, after: Rows): void {
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(20);
  for (const [table, rows] of Object.entries(before)) {
    const columns = Object.keys(rows[0] ?? {});
    const kept = (after[table] ?? []).map((row) =>
      Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
    );
    expect({ table, rows: inOrder(kept) }).toEqual({ table, rows: inOrder(rows) });
  }
}

function inOrder(rows: Rows[string]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
