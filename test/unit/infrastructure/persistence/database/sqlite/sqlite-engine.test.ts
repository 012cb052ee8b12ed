import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteEngine } from '../../../../../../src/infrastructure/persistence/database/sqlite/sqlite-engine';

describe('a SQLite database', () => {
  it('is named if its file is none, which stays as it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqlite-engine-'));
    const file = join(folder, 'notes.db');
    const text = 'These are notes, not a database. '.repeat(20);
    writeFileSync(file, text, { mode: 0o600 });
    const engine = new SqliteEngine(file, { entities: [], migrations: [] });

    await expect(engine.open()).rejects.toThrow(`the database ${file} cannot be opened: file is not a database`);

    await engine.close();
    expect(readFileSync(file, 'utf8')).toBe(text);
    rmSync(folder, { recursive: true });
  });
});
