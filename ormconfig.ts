import 'reflect-metadata';
import { loadConfig } from './src/config';
import { mysqlMigrationsDataSource, sqliteDataSource } from './src/infrastructure/persistence/database/data-source';
import { SERVICE_CONTENT } from './src/infrastructure/persistence/service-content';

const { database } = loadConfig(process.env);

export default database.kind === 'sqlite'
  ? sqliteDataSource(database.file, SERVICE_CONTENT)
  : mysqlMigrationsDataSource(database, SERVICE_CONTENT);
