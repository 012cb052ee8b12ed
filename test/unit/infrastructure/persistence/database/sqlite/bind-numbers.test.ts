import { DataSource } from 'typeorm';
import { bindNumbers } from '../../../../../../src/infrastructure/persistence/database/sqlite/bind-numbers';
import { integer, key, text } from '../../../../../../src/infrastructure/persistence/database/columns';
import { table } from '../../../../../../src/infrastructure/persistence/database/table';

const NOTES = table('notes', { id: key(integer()), text: text(), size: integer() });

describe('TypeORM on SQLite', () => {
  it('binds numbers, so that writes that differ in numbers only share a prepared statement', async () => {
    const source = new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [NOTES] });
    await source.initialize();
    bindNumbers(source.driver);
    const { manager } = source;
    await manager.query('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, size INTEGER)');
    const update = (size: number) =>
      manager.createQueryBuilder().update(NOTES, { size, text: 'long' }).where({ id: 1 }).getQueryAndParameters();

    await manager.insert(NOTES, { id: 1, text: 'short', size: 1_795_000_000_000 });

    expect(update(5)).toEqual([update(6)[0], [5, 'long', 1]]);
    expect(await manager.query('SELECT id, size, typeof(size) AS type FROM notes')).toEqual([
      { id: 1, size: 1_795_000_000_000, type: 'integer' },
    ]);
    await source.destroy();
  });
});
