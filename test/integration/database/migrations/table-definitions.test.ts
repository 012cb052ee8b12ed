import { DataSource, EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaOptions } from 'typeorm';
import type { DatabaseLocation } from '../../../../src/infrastructure/persistence/database/database-location';
import { Database } from '../../../../src/infrastructure/persistence/database/database';
import type { Column } from '../../../../src/infrastructure/persistence/database/columns';
import { SqlRegistryValues } from '../../../../src/infrastructure/persistence/registration/sql-registry-values';
import { SERVICE_CONTENT, SERVICE_TABLES } from '../../../../src/infrastructure/persistence/service-content';
import { withEachDatabase } from '../../../support/databases/each-database';

withEachDatabase('the table definitions', (databases) => {
  it('agree with the migrated schema in every column, type, default, index and foreign key', async () => {
    const location = await databases.create();
    const database = new Database(location, SERVICE_CONTENT);
    await database.open();
    await database.close();

    expect(await changesToMatch(location, SERVICE_TABLES)).toEqual([]);
  });

  it('are compared with the schema: a column that no migration creates is found', async () => {
    const location = await databases.create();
    const database = new Database(location, SERVICE_CONTENT);
    await database.open();
    await database.close();
    const [Accounts, ...others] = SERVICE_TABLES;
    if (!Accounts) throw new Error('no tables');
    const wider = withOptions(Accounts, {
      columns: { ...Accounts.options.columns, color: { type: 'varchar', length: 8 } },
    });

    expect((await changesToMatch(location, [wider, ...others])).join('\n')).toContain('color');
  });

  it("hold the values of a registry's adapter, apart from those of other registries", async () => {
    const database = new Database(await databases.create(), SERVICE_CONTENT);
    await database.open();
    const [one, other] = ['one', 'other'].map((registry) => new SqlRegistryValues(database, registry));

    await one?.put('contact:A', 'REG-1');
    await other?.put('contact:A', 'REG-2');
    await one?.put('contact:A', 'REG-3');
    const written = [await one?.get('contact:A'), await other?.get('contact:A')];
    await one?.remove('contact:A');
    const left = [await one?.get('contact:A'), await other?.get('contact:A')];
    await database.close();

    expect(written).toEqual(['REG-3', 'REG-2']);
    expect(left).toEqual([undefined, 'REG-2']);
  });
});

/** The statements by which TypeORM would bring the schema in line with the definitions. It executes none of them. */
async function changesToMatch(location: DatabaseLocation, tables: readonly EntitySchema[]): Promise<readonly string[]> {
  const source =
    location.kind === 'sqlite'
      ? new DataSource({ type: 'better-sqlite3', database: location.file, entities: [...tables] })
      : new DataSource({
          type: 'mariadb',
          url: location.url.replace('mysql:', 'mariadb:'),
          entities: tables.map(onMysql),
        });
  await source.initialize();
  try {
    return (await source.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
  } finally {
    await source.destroy();
  }
}

/** MariaDB reports a foreign key without ON DELETE as RESTRICT. */
const RESTRICT = { onDelete: 'RESTRICT', onUpdate: 'RESTRICT' } as const;

function withOptions(definition: EntitySchema, changed: Partial<EntitySchemaOptions<unknown>>): EntitySchema {
  const { name, tableName, columns, indices = [], foreignKeys = [] } = definition.options;
  return new EntitySchema({ name, tableName: tableName ?? name, columns, indices, foreignKeys, ...changed });
}

function onMysql(definition: EntitySchema): EntitySchema {
  const { options } = definition;
  const columns = Object.entries(options.columns as Record<string, Column<unknown>>).map(
    ([name, column]): [string, EntitySchemaColumnOptions] => [
      name,
      {
        ...column,
        ...(column.typeOnMysql && { type: column.typeOnMysql }),
        ...(column.generatedOnMysql && { generated: 'increment' as const }),
      },
    ],
  );
  const foreignKeys = (options.foreignKeys ?? []).map((foreignKey) => ({ ...foreignKey, ...RESTRICT }));
  return withOptions(definition, { columns: Object.fromEntries(columns), foreignKeys });
}
