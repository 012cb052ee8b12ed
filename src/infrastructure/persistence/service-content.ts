import type { EntitySchema } from 'typeorm';
import * as access from './access/access-tables';
import * as factors from './access/factor-tables';
import type { DatabaseContent } from './database/data-source';
import { InitialSchema1795853000000 } from './migrations/1795853000000-initial-schema';
import { RecordNotes1795860000000 } from './migrations/1795860000000-record-notes';
import * as dns from './dns/dns-tables';
import * as portfolio from './portfolio/portfolio-tables';
import * as health from './health/health-table';
import * as processes from './process-tables';
import * as registrar from './registration/registrar-tables';
import * as registration from './registration/registration-tables';
import * as templates from './templates/template-tables';

export const SERVICE_TABLES: readonly EntitySchema[] = [
  access,
  factors,
  registration,
  registrar,
  dns,
  portfolio,
  templates,
  health,
  processes,
].flatMap((tables) => Object.values<EntitySchema>(tables));
/** The service's own tables, and the migrations that create them: append only, in their order. */
export const SERVICE_CONTENT: DatabaseContent = {
  entities: [...SERVICE_TABLES],
  migrations: [InitialSchema1795853000000, RecordNotes1795860000000],
};
