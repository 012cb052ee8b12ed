import 'reflect-metadata';
import { loadConfig } from './src/config';
import { writingDataSource } from './src/infrastructure/persistence/data-source';
import { SERVICE_CONTENT } from './src/infrastructure/persistence/service-content';

export default writingDataSource(loadConfig(process.env).database, SERVICE_CONTENT);
