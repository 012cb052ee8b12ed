import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertServed } from '../../../support/databases/assert-release-served';
import { createReleaseDatabase } from '../../../support/databases/release-database';
import { rowsOfSqlite, type Release, type Rows } from '../../../support/databases/releases';

describe('the fixture of a release', () => {
  let folder: string;
  let file: string;
  let release: Release;
  let rows: Rows;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-release-'));
    file = join(folder, 'service.db');
    const registryFile = join(folder, 'service-registry.db');
    release = await createReleaseDatabase(file, registryFile);
    rows = rowsOfSqlite(file, registryFile);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has rows in every table of the schema', () => {
    const empty = Object.keys(rows).filter((table) => rows[table]?.length === 0);

    expect(empty.map((table) => `${table} has no rows: add one in test/support/databases/release-rows.ts`)).toEqual([]);
  });

  it('is served by the version that wrote it', async () => {
    await assertServed(release, { kind: 'sqlite', file }, rows);
  });
});
